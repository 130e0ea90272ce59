#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/test_arguments.h"

namespace {

bool& UpdateFlag() {
  static bool update = false;
  return update;
}

}  // namespace

bool tenon::server::UpdateGoldenFiles() { return UpdateFlag(); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") UpdateFlag() = true;
  }
  return RUN_ALL_TESTS();
}
