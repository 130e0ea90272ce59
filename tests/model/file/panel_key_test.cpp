#include "model/file/panel_key.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenon::model {
namespace {

TEST(PanelKey, APrintTellsFilesApart) {
  std::vector<std::byte> file(size_t{5} << 20);
  const Hash128 before = PrintOf(file);
  EXPECT_EQ(PrintOf(file), before);
  for (const size_t at : {size_t{0}, size_t{4096}, file.size() - 1}) {
    file[at] = std::byte{1};
    EXPECT_NE(PrintOf(file), before) << at;
    file[at] = std::byte{0};
  }
  EXPECT_NE(PrintOf(std::span(file).first(100)), PrintOf(std::span(file).first(99)));
  EXPECT_EQ(PrintOf({}), PrintOf({}));
}

}  // namespace
}  // namespace tenon::model
