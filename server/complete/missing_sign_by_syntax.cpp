#include "server/complete/missing_sign_by_syntax.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "server/complete/element_above.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

class TreeSearch {
 public:
  TreeSearch(const TSLanguage* language, std::string_view text, size_t cursor,
             const ElementAbove& element, const std::stop_token& stop)
      : language_(language), text_(text), cursor_(cursor), element_(element), stop_(stop) {}

  std::optional<MissingSign> Find() {
    tree_ = SyntaxTree::Parse(language_, text_, nullptr, stop_);
    if (!tree_) return std::nullopt;
    own_errors_ = tree_->error_count();
    if (own_errors_ > 0) {
      if (const auto best = WithFewestErrors())
        return IsHead(best->errors) ? std::nullopt : std::optional(best->sign);
    }
    const std::string_view element =
        text_.substr(element_.begin, element_.ends.front() - element_.begin);
    if (Fits(ErrorsWith({}, element)) && !EndsList()) return std::nullopt;
    for (const char* sign : {",", ";"}) {
      for (const size_t end : element_.ends) {
        const MissingSign missing{end, sign};
        if (Fits(ErrorsWith(missing, "")) && Fits(ErrorsWith(missing, element))) return missing;
      }
    }
    return std::nullopt;
  }

 private:
  // Of the text with a sign, and with a text at the cursor. Nothing: the parse was stopped.
  std::optional<size_t> ErrorsWith(const MissingSign& sign, std::string_view at_cursor) const {
    std::string text(text_);
    text.insert(cursor_, at_cursor).insert(sign.offset_bytes, sign.text);
    const auto tree = SyntaxTree::Parse(language_, text, &*tree_, stop_);
    return tree ? std::optional(tree->error_count()) : std::nullopt;
  }
  [[nodiscard]] bool Fits(const std::optional<size_t>& errors) const {
    return errors && *errors <= own_errors_;
  }

  struct SignWithErrors {
    MissingSign sign;
    size_t errors = 0;  // of the text with it
  };
  // Nothing where none leaves fewer errors than there are.
  std::optional<SignWithErrors> WithFewestErrors() const {
    // With either one a text may be whole: `[1; 2]` in Rust, `a = 1, b = 2` in C.
    const std::vector<std::string> either =
        IsInList() ? std::vector<std::string>{",", ";"} : std::vector<std::string>{";", ","};
    std::optional<SignWithErrors> best;
    for (const size_t at : element_.ends) {
      const std::string closers = element_.ClosersAt(text_, at);
      const std::vector<std::string> closing = {closers, closers + ";"};
      for (const std::string& sign : closers.empty() ? either : closing) {
        const auto errors = ErrorsWith({at, sign}, "");
        if (errors && *errors < (best ? best->errors : own_errors_))
          best = SignWithErrors{{at, sign}, *errors};
      }
    }
    return best;
  }

  std::string_view BeforeElement() const {
    return WithoutBlanksAtEnd(text_.substr(0, element_.begin));
  }

  // Does the text before the element show that it is one of a list?
  bool IsInList() const {
    const std::string_view before = BeforeElement();
    return before.ends_with(',') || before.ends_with('[') || before.ends_with('(');
  }

  // Is the element the last one of a list whose other ones end with a comma? In a macro of Rust
  // elements without one are no error.
  bool EndsList() const {
    const std::string_view next = FirstLineWithText(text_.substr(cursor_));
    return ClosesABracket(next) && BeforeElement().ends_with(',');
  }

  // Does the element begin a construct that goes on at the cursor, as `if (a)` and `[Test]` do?
  // Then a block or a definition there leaves no more errors than a sign.
  bool IsHead(size_t errors_with_sign) const {
    constexpr std::array<std::string_view, 2> kTexts = {"{}", "void q_1() {}"};
    return std::any_of(kTexts.begin(), kTexts.end(), [&](std::string_view text) {
      const auto errors = ErrorsWith({}, text);
      return errors && *errors <= errors_with_sign;
    });
  }

  const TSLanguage* language_;
  std::string_view text_;
  size_t cursor_;
  const ElementAbove& element_;
  const std::stop_token& stop_;
  std::optional<SyntaxTree> tree_;  // of the text as it is
  size_t own_errors_ = 0;
};

}  // namespace

std::optional<MissingSign> FindMissingSignBySyntax(const TSLanguage* language,
                                                   std::string_view text, size_t cursor,
                                                   const std::stop_token& stop) {
  const auto element = FindElementAbove(text, cursor);
  return element ? TreeSearch(language, text, cursor, *element, stop).Find() : std::nullopt;
}

}  // namespace tenon::server
