#include "server/syntax/added_errors.h"

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

// With `middle` at the '|' of a C text.
std::optional<bool> Adds(std::string text, std::string_view middle, std::stop_token stop = {}) {
  const size_t offset = text.find('|');
  text.erase(offset, 1);
  const TSLanguage* const c = ShippedSyntax("c");
  const auto before = ErrorsOf(c, text, stop), with = ErrorsWith(c, text, offset, middle, stop);
  return before && with ? std::optional(*with > *before) : std::nullopt;
}

TEST(AddedErrors, AreThoseThatAFileHasWithATextAndNotWithout) {
  EXPECT_EQ(Adds("int f(int a) { return |; }\n", "a"), false);
  EXPECT_EQ(Adds("int f(int a) { return |; }\n", "a)"), true);
}

TEST(AddedErrors, AreNotThoseThatTheFileHasAnyway) {
  EXPECT_EQ(Adds("int g( {\n}\nint f(int a) { return |; }\n", "a"), false);
  EXPECT_EQ(Adds("int g( {\n}\nint f(int a) { return |; }\n", "a + ]"), true);
}

TEST(AddedErrors, AreNotKnownWhereTheReadingIsStopped) {
  std::stop_source stopped;
  stopped.request_stop();
  std::string many = "int a[] = {|";
  for (int i = 0; i < 50'000; ++i) many += "1, ";
  EXPECT_EQ(Adds(many + "1};\n", "2, ", stopped.get_token()), std::nullopt);
}

}  // namespace
}  // namespace tenon::server
