// The terminals that could follow where a text stops being valid, in words for a person.
//
// In Python's `foo(a b)` the name `b` does not fit. After `foo(a` 18 terminals would, and the
// message says "expected ')', ',', '=', '.' or 14 others". Expected finds these terminals with one
// trial shift for each, and puts them into words and into order.
//
// Words. A terminal is called by its `%describe` words; else a literal by itself in quotes, any
// other terminal by its name in small letters ("an index name"). Words that several terminals share
// are said once, so a grammar may call all its operators "an operator".
//
// Order. First the closer of the innermost open bracket, then lexemes of many forms (a name, a
// number), then separators, other signs, and keywords.
//
// Source: none. Cost: a shift for each terminal and reading; used for messages only.
// Thread rule: as the mover's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/reading/branch.h"

namespace tenon::constraint {

class Expected {
 public:
  // The terminals that fit at the end of `at`: in given text or, with `emit`, in emitted text.
  Expected(const Language& language, BranchMover& mover, const std::vector<Between>& at, bool emit);

  bool Has(TerminalId terminal) const { return fits_[terminal.value]; }
  // May a block begin there?
  bool HasIndent() const { return indent_; }
  // The words in order. `closer`: the text of the bracket that closes the innermost open one.
  std::vector<std::string> Words(std::string_view closer) const;

 private:
  const Language& language_;
  std::vector<bool> fits_;  // [TerminalId]
  bool indent_ = false;
  bool end_ = false;
};

// "a name", "'+='", "an index name".
std::string DescribeTerminal(const Language& language, TerminalId terminal);
// "a type", "an index".
std::string Indefinite(const std::string& words);
// The same words for a lexeme that is there: "the name".
std::string Definite(const std::string& words);
// "a, b or c"; of more than five the first four, and how many others.
std::string JoinAlternatives(const std::vector<std::string>& words);

}  // namespace tenon::constraint
