#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/test_arguments.h"

namespace {

bool& UpdateFlag() {
  static bool update = false;
  return update;
}

uint64_t& Messages() {
  static uint64_t messages = 30'000;
  return messages;
}

}  // namespace

uint64_t tenon::server::MutatedMessages() { return Messages(); }

bool tenon::server::UpdateGoldenFiles() { return UpdateFlag(); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kMessages = "--mutated-messages=";
    if (argument == "--update") UpdateFlag() = true;
    if (argument.starts_with(kMessages))
      Messages() = std::stoull(std::string(argument.substr(kMessages.size())));
  }
  return RUN_ALL_TESTS();
}
