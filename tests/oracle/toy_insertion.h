// Which texts are in a language whose grammar has a terminal that is inserted where the next one
// does not fit: the oracle for `%insert`.
//
// Lexemes are read from left to right. One that can follow, so that some text completes what has
// been read, is taken as it is; of the others one behind a line end, or of some names, may have the
// terminal inserted before it; and so may the end. Whether something completes it the toy grammar
// finds out by brute force. Shares no code with the engine. For grammars in which a text has one
// parse at most.
//
// Source: ECMAScript Language Specification, section 12.10. Cost: a search of the toy grammar for
// each beginning that is new.
// Thread rule: not shared (answers are remembered).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/toy_grammar.h"

namespace tenon::oracle {

class ToyInsertion {
 public:
  ToyInsertion(const ToyGrammar& grammar, std::string inserted, std::vector<std::string> before)
      : grammar_(grammar), inserted_(std::move(inserted)), before_(std::move(before)) {}
  // REQUIRES: lexemes behind a line end have a name NAME#newline_before too.
  bool Member(const Lexemes& lexemes) const;

 private:
  // What has been read, by number; nothing: it has no continuation.
  std::optional<size_t> Behind(size_t read, const Alternatives& lexeme) const;

  const ToyGrammar& grammar_;
  std::string inserted_;
  std::vector<std::string> before_;
  mutable std::vector<Lexemes> read_{{}};
  mutable std::map<std::pair<size_t, Alternatives>, std::optional<size_t>> behind_;
};

}  // namespace tenon::oracle
