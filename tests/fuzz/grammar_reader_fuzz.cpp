// Any text as a grammar file: it is read or refused with a place inside it, and what is read
// compiles or is refused too.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "constraint/grammar_file/reader.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::constraint;
  if (size > 2000) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto grammar = ReadGrammar(text, "fuzz.lark");
  if (!grammar) {
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    TENON_FUZZ_EXPECT(!grammar.error().message.empty());
    TENON_FUZZ_EXPECT(static_cast<long>(grammar.error().line) <= lines + 1);
    return 0;
  }
  if (grammar->rules.size() > 300) return 0;
  auto language = Language::Compile(text, "fuzz.lark");
  if (!language) {
    TENON_FUZZ_EXPECT(!language.error().message.empty());
    return 0;
  }
  TENON_FUZZ_EXPECT(Check(**language, "", Strength::kAccept).valid ==
                    (*language)->grammar.start_nullable);
  return 0;
}
