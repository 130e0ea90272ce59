// A stream of any bytes gives the same frames whole as byte by byte, and the next good message
// after it is read.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/framing.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::protocol;

constexpr FramingLimits kLimits{1 << 12, 1 << 8};

std::vector<std::string> Read(std::string_view stream, size_t piece_bytes) {
  FrameReader reader(kLimits);
  std::vector<std::string> frames;
  for (size_t at = 0; at < stream.size(); at += piece_bytes) {
    reader.Append(stream.substr(at, piece_bytes));
    while (const auto frame = reader.Next()) {
      const auto* error = std::get_if<FramingError>(&*frame);
      frames.push_back(error != nullptr ? "! " + error->message : std::get<std::string>(*frame));
    }
  }
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string stream = std::string(reinterpret_cast<const char*>(data), size) + "\n\n" +
                             EncodeFrame("{\"n\":1}") + EncodeFrame("{\"n\":2}");
  const auto frames = Read(stream, stream.size());
  TENON_FUZZ_EXPECT(Read(stream, 1) == frames);
  TENON_FUZZ_EXPECT(!frames.empty() && frames.back() == "{\"n\":2}");
  return 0;
}
