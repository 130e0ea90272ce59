// A text cut in three: where it is valid every state on the way is viable and the middle a member,
// where it is not no middle is. And what tenon would close a gap with does close it.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::constraint;

constexpr std::string_view kGrammars[] = {
    R"lark(start: statement*
statement: NAME "=" value ";" | "{" statement* "}"
value: NAME | NUMBER | STRING | "[" [value ("," value)* [","]] "]" | value "." NAME | value "(" [value] ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+(\.[0-9]+)?/
STRING: /"([^"\\\n]|\\[nx])*"/
COMMENT: /#[^\n]*/
BLANK: /[ \n]+/
%ignore COMMENT
%ignore BLANK
%delimited STRING COMMENT
)lark",
    R"lark(start: line*
line: NAME NL | "if" NAME ":" NL INDENT line+ DEDENT | "(" NAME* ")" NL
NAME: /[a-z]+/
NL: /\n/
BLANK: / +/
COMMENT: /#[^\n]*/
%declare INDENT DEDENT
%layout newline=NL indent=INDENT dedent=DEDENT brackets="()"
%ignore BLANK
%ignore COMMENT
%delimited COMMENT
)lark",
    R"lark(start: s*
s: "a" | "b" s | "b" s "c" s | "(" s* ")"
)lark",
    R"lark(start: item*
item: "d" NAME#new_thing | "h" NAME#new_other | "u" (NAME#thing | "0") | "n" NAME#not_thing | "{" item* "}"
NAME: /[ab]+/
%names thing other within "{" "}"
)lark",
};

std::shared_ptr<const Language> LanguageAt(size_t i) {
  static const std::vector<std::shared_ptr<const Language>> languages = [] {
    std::vector<std::shared_ptr<const Language>> made;
    for (std::string_view text : kGrammars) {
      auto language = Language::Compile(text, "fuzz.lark");
      if (!language) std::abort();
      made.push_back(*language);
    }
    return made;
  }();
  return languages[i % languages.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3 || size > 80) return 0;
  const auto language = LanguageAt(data[0]);
  const std::string text(reinterpret_cast<const char*>(data) + 3, size - 3);
  const size_t begin = data[1] % (text.size() + 1),
               end = begin + data[2] % (text.size() - begin + 1);
  const std::string left = text.substr(0, begin), middle = text.substr(begin, end - begin),
                    right = text.substr(end);
  const bool valid = Check(*language, text, Strength::kAccept).valid;

  GapState exact = OpenGap(language, left, right, GapPolicy{.emit = false});
  if (valid) TENON_FUZZ_EXPECT(exact.viable());
  bool accepted = exact.viable();
  for (size_t i = 0; accepted && i < middle.size(); ++i) {
    const std::string_view byte(&middle[i], 1);
    accepted = exact.Check(byte);
    TENON_FUZZ_EXPECT(exact.Accept(byte) == accepted);
  }
  if (valid) TENON_FUZZ_EXPECT(accepted);
  if (accepted) TENON_FUZZ_EXPECT(exact.Member() == valid);

  const GapState written = OpenGap(language, left, right, GapPolicy{});
  if (written.viable()) {
    if (const auto closing = FindClosing(written))
      TENON_FUZZ_EXPECT(Check(*language, left + closing->text + right, Strength::kAccept).valid);
  }
  return 0;
}
