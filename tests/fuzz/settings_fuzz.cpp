// Settings of any JSON are read or named as wrong, and those that are read hold their bounds.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/json_text.h"
#include "server/settings/settings.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::server;
  const auto values = tenon::protocol::ParseJson({reinterpret_cast<const char*>(data), size});
  if (!values) return 0;
  for (const SettingGiver giver : {SettingGiver::kUser, SettingGiver::kWorkspace}) {
    const ReadSettings read = SettingsFromJson(*values, Settings(), giver);
    for (const std::string& problem : read.problems) TENON_FUZZ_EXPECT(!problem.empty());
    const Settings& settings = read.settings;
    TENON_FUZZ_EXPECT(settings.max_tokens >= 1 && settings.max_tokens <= 4096);
    TENON_FUZZ_EXPECT(settings.temperature >= 0 && settings.temperature <= 5);
    TENON_FUZZ_EXPECT(settings.automatic_budget.count() >= 1);
    TENON_FUZZ_EXPECT(settings.invoked_budget.count() <= 600'000);
    TENON_FUZZ_EXPECT(giver == SettingGiver::kUser || !settings.model);
    for (const SettingDescription& setting : AllSettings()) (void)ValueOf(setting.name, settings);
  }
  return 0;
}
