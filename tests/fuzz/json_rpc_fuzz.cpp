// Any bytes are a message or a fault in words, and what was read can be copied and written again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::protocol;

void Copy(const nlohmann::json& params) {
  const nlohmann::json copy = params;
  TENON_FUZZ_EXPECT(!NestsDeeperThan(Dump(copy), kMaxJsonDepth));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto message = ParseMessage({reinterpret_cast<const char*>(data), size});
  if (!message) {
    TENON_FUZZ_EXPECT(!message.error().message.empty());
    TENON_FUZZ_EXPECT(
        !Dump(MakeError(message.error().id, message.error().code, message.error().message))
             .empty());
    return 0;
  }
  if (const auto* request = std::get_if<Request>(&*message)) Copy(request->params);
  if (const auto* notification = std::get_if<Notification>(&*message)) Copy(notification->params);
  return 0;
}
