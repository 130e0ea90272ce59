// The fixture of tests that open gaps in the regions of broken files.
//
// A test shows a file with the cursor as `|`, the middles that close the gap, and those that do
// not. Example, in which a bracket is missing far below the cursor:
//
//   Expect("python", Fit{"path"}, Unfit{"path)"}, R"(
//     x = os.|
//
//     y = (1,
//     )");
//
// The last line of such a text says how far its lines are indented. They lose that indentation, and
// the text its first line end: that file is `x = os.\n\ny = (1,\n`.
// Thread rule: one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "server/region/file_around.h"
#include "server/region/region_gaps.h"
#include "server/syntax/syntax_registry.h"
#include "tests/source_path.h"

namespace tenon::server {

// The file of a text that begins with a line end and whose last line is blank; any other text is
// the file itself.
inline std::string FileOf(std::string text) {
  if (!text.starts_with('\n')) return text;
  const size_t last = text.rfind('\n') + 1;
  const std::string indentation = text.substr(last);
  std::string file;
  for (size_t begin = 1; begin < last;) {
    const size_t end = text.find('\n', begin) + 1;
    std::string line = text.substr(begin, end - begin);
    if (line != "\n") {
      EXPECT_TRUE(line.starts_with(indentation)) << line;
      line.erase(0, indentation.size());
    }
    file += line;
    begin = end;
  }
  return file;
}

// Middles that close a gap, and middles that do not.
struct Fit : std::vector<std::string_view> {
  using vector::vector;
};
struct Unfit : std::vector<std::string_view> {
  using vector::vector;
};

class RegionGapsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    languages_ = *LanguageRegistry::Load(SourcePath("grammars"));
    syntaxes_ = std::make_unique<SyntaxRegistry>(
        languages_, std::vector<std::filesystem::path>{SyntaxesFolder()});
  }
  static void TearDownTestSuite() {
    syntaxes_.reset();
    languages_.reset();
  }

  // There is a region, and its gap is closed by each of `fit` and by none of `unfit`.
  void Expect(const std::string& id, const Fit& fit, const Unfit& unfit, const std::string& text) {
    gaps_.reset();  // keeps no region of another text
    const auto found = Open(id, text);
    EXPECT_TRUE(found) << "no region of " << text;
    for (const std::string_view middle : fit)
      EXPECT_TRUE(Fits(found, middle)) << middle << "\nin " << Judged(found);
    for (const std::string_view middle : unfit)
      EXPECT_FALSE(Fits(found, middle)) << middle << "\nin " << Judged(found);
  }
  void Expect(const std::string& id, const Fit& fit, const std::string& text) {
    Expect(id, fit, {}, text);
  }
  // There is no region, or none of `unfit` closes its gap.
  void Expect(const std::string& id, const Unfit& unfit, const std::string& text) {
    gaps_.reset();
    const auto found = Open(id, text);
    for (const std::string_view middle : unfit)
      EXPECT_FALSE(Fits(found, middle)) << middle << "\nin " << Judged(found);
  }

  // The gap at the `|` of a text. A second text of the same language is an edit of the first.
  std::optional<RegionGap> Open(const std::string& id, const std::string& text) {
    text_ = FileOf(text);
    cursor_ = text_.find('|');
    text_.erase(cursor_, 1);
    if (!gaps_ || id != language_) gaps_.emplace(*languages_->Get(id), *syntaxes_->Get(id));
    language_ = id;
    return gaps_->Open(text_, cursor_, {});
  }
  // Does `middle` close the gap?
  static bool Fits(std::optional<RegionGap> found, std::string_view middle) {
    return found && found->gap.Accept(middle) && found->gap.Member();
  }
  // May `middle` stand in the last text, as far as that can be read?
  bool FitsTheFile(const std::optional<RegionGap>& found, std::string_view middle) const {
    return found && FitsFile(*languages_->Get(language_), found->region, text_, cursor_, middle);
  }
  // The region of the last text in `<` and `>`, between its stand-ins.
  std::string Judged(const std::optional<RegionGap>& found) const {
    if (!found) return "no region";
    const Region& region = found->region;
    return region.before + "<" + text_.substr(region.begin, region.end - region.begin) + ">" +
           region.after;
  }

  static inline std::shared_ptr<const LanguageRegistry> languages_;
  static inline std::unique_ptr<SyntaxRegistry> syntaxes_;
  std::optional<RegionGaps> gaps_;
  std::string language_;
  std::string text_;  // the last one, without its cursor
  size_t cursor_ = 0;
};

}  // namespace tenon::server
