// A text with a cursor, whole or broken: the region around the cursor is a part of the text, its
// gap is viable, and what closes the gap makes a valid text of the region and fits the file around
// it. The same text asked again, and with a byte changed, keeps to that.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/languages/language_registry.h"
#include "server/region/file_around.h"
#include "server/region/region_gaps.h"
#include "server/syntax/syntax_registry.h"
#include "tests/fuzz/expect.h"
#include "tests/source_path.h"

namespace {

using namespace tenon;
using namespace tenon::server;

struct Known {
  Language language;
  const TSLanguage* syntax;
};

const Known& KnownAt(size_t i) {
  static const std::vector<Known> known = [] {
    const auto languages = LanguageRegistry::Load(SourcePath("grammars"));
    if (!languages) std::abort();
    static const SyntaxRegistry syntaxes(*languages, {SyntaxesFolder()});
    std::vector<Known> made;
    for (const char* id : {"json", "python", "javascript", "sql"}) {
      const auto language = (*languages)->Get(id);
      const auto syntax = syntaxes.Get(id);
      if (!language || !syntax) std::abort();
      made.push_back({*language, *syntax});
    }
    return made;
  }();
  return known[i % known.size()];
}

void Ask(RegionGaps& gaps, const Language& language, const std::string& text, size_t cursor) {
  const auto found = gaps.Open(text, cursor, {});
  if (!found) return;
  const Region& region = found->region;
  TENON_FUZZ_EXPECT(region.begin <= cursor && cursor <= region.end && region.end <= text.size());
  TENON_FUZZ_EXPECT(found->gap.viable());
  const auto closing = found->gap.Close();
  if (!closing) return;
  const std::string closed = region.Left(text, cursor) + closing->text + region.Right(text, cursor);
  TENON_FUZZ_EXPECT(language.Check(closed).valid);
  TENON_FUZZ_EXPECT(FitsFile(language, region, text, cursor, closing->text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4 || size > 300) return 0;
  const Known& known = KnownAt(data[0]);
  std::string text(reinterpret_cast<const char*>(data) + 4, size - 4);
  const size_t cursor = (data[1] * size_t{256} + data[2]) % (text.size() + 1);
  RegionGaps gaps(known.language, known.syntax);
  Ask(gaps, known.language, text, cursor);
  Ask(gaps, known.language, text, cursor);
  text.insert(cursor, 1, static_cast<char>(data[3]));
  Ask(gaps, known.language, text, cursor + 1);
  return 0;
}
