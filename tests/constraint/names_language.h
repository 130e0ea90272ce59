// Languages whose texts declare names (`%names`), for tests of gaps and of masks.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "constraint/language/language.h"

namespace tenon::constraint {

inline std::shared_ptr<const Language> Compile(const std::string& text) {
  auto compiled = Language::Compile(text, "names.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// `d` declares a thing, `h` something that hides it; `u` needs a thing (or 0), `n` what is none.
inline constexpr char kThings[] = R"lark(
start: item+
item: "d" NAME#new_thing | "h" NAME#new_other | "u" (NAME#thing | "0") | "n" NAME#not_thing | "{" item* "}"
NAME: /[ab]+/
%names thing other within "{" "}"
)lark";

// Classes that nest, whose constructors have the name of the class around them.
inline constexpr char kClasses[] = R"lark(
start: class+
class: "class" NAME#new_class body
body: "{" member* "}"
member: class | NAME#enclosing_class "()" ";" | "int" NAME "=" "new" body ";" | ";"
NAME: /[a-z]+/
%ignore /[ \n]+/
%names class within "{" "}"
)lark";

}  // namespace tenon::constraint
