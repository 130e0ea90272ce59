// What the syntax tree of L M R says of a middle M between two contexts.
//
// The contexts L and R have a tree with some number of errors, often none. A middle *fits* where
// the tree of L M R has no more. Example, in `f(|)`: `a, b` fits; `a, b)` does not, for `f(a, b))`
// has an error. So brackets that an editor has closed are not written twice.
//
// Some middles without an error do not fit either:
//   - one with an error within M, even where another one elsewhere is mended
//   - one that ends with a separator or a text with which R goes on: in `x = |;` the middle `1;`
//   - a head alone, which takes R's next statement: `case 1:`, or `for (a : b)` (heads.h)
//   - one that closes the bracket of a half-typed line above: in `a.b(c.⏎d(|)` the middle `e)`
//
// Source: our own; trees: syntax_tree.h. Cost: a copy of the text for each middle, and a parse of
// the stretch around the cursor alone, since each tree grows from the last one
// (docs/measured_editing.md). Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

#include "server/syntax/syntax_tree.h"

namespace tenon::server {

class MiddleJudge {
 public:
  struct Verdict {
    // Of L M R; nothing where M does not fit, or `stop` was requested.
    std::optional<size_t> errors;
    bool ends_head = false;  // it does not fit because it ends a head that L's line begins
  };

  // `around`: the tree of L R. `below_half_typed`: the line above the cursor's lacks a bracket.
  MiddleJudge(const TSLanguage* language, SyntaxTree around, size_t offset_bytes,
              bool below_half_typed);

  // Between the same contexts, with nothing judged.
  [[nodiscard]] MiddleJudge Fresh() const;

  [[nodiscard]] std::string_view left() const;
  [[nodiscard]] std::string_view right() const;
  // L R.
  [[nodiscard]] const std::string& around() const { return around_.text(); }
  // Has L R no error?
  [[nodiscard]] bool is_whole() const { return allowed_ == 0; }

  // Does the middle close a bracket of the half-typed line above? No text after it mends that.
  [[nodiscard]] bool ClosesHalfTyped(std::string_view middle) const;
  Verdict Judge(std::string_view middle, const std::stop_token& stop);
  // Is the last byte of the middle that was judged last a token of its own (heads.h)?
  [[nodiscard]] bool EndedWithToken() const;
  // Are so many errors more than the file has without the cursor's line? A parse, once.
  bool LeavesErrors(size_t errors, const std::stop_token& stop);
  // Does the middle fit by trees that are read from scratch? Among errors tree-sitter may recover
  // in another way than it did from an earlier tree. Costs a parse of the whole text, and once
  // another one, in a broken file.
  [[nodiscard]] bool FitsAnew(std::string_view middle, const std::stop_token& stop) const;

 private:
  [[nodiscard]] bool RepeatsRestOfLine(std::string_view middle) const;

  const TSLanguage* language_;
  SyntaxTree around_;
  size_t offset_bytes_;
  bool below_half_typed_;
  size_t allowed_;  // errors of L R
  mutable std::optional<size_t>
      errors_anew_;                 // by a tree that is read from scratch; once asked for
  std::optional<SyntaxTree> last_;  // of the text that was parsed last
  size_t last_end_ = 0;             // where its middle ends
  std::optional<size_t> errors_without_line_;  // of the file without the cursor's line
};

}  // namespace tenon::server
