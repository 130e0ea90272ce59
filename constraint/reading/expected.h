// What could stand where a text stops being valid, in words for a person.
//
// A terminal is called by its `%describe` words; else a literal by itself in quotes, and any other by its name in small letters ("an
// index name"). Words that several terminals share are said once, so a grammar may call all its operators "an operator".
// The order is that of use: what closes the open bracket, then lexemes of many forms (a name, a number), then what separates, the other
// signs, and keywords. Source: none. Cost: a shift a terminal and reading; for messages. Thread rule: as the mover's.
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
  // At the end of `at`, by the columns of given text or, `emit`, of written text.
  Expected(const Language& language, BranchMover& mover, const std::vector<Between>& at, bool emit);

  bool Has(TerminalId terminal) const { return fits_[terminal.value]; }
  // May a block begin here?
  bool HasIndent() const { return indent_; }
  // In order; `closer`: the text of the bracket that closes the innermost open one.
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
// The same of one that is there: "the name".
std::string Definite(const std::string& words);
// "a, b or c"; of more than five the first four, and how many others.
std::string JoinAlternatives(const std::vector<std::string>& words);

}  // namespace tenon::constraint
