// A small indented language, tokenized whole text by whole text: the oracle for
// constraint/lex/layout and the columns of constraint/gap.
//
// Bytes: x+ a word, i opens a block (an "if"), e its second one ("else"), ( ) brackets, # comment
// to the line end, "..." string that may hold line ends, \ before a line end joins lines, blank,
// line end. Any subset of them with x, i, blank and line end is a language. A joining in the
// indentation fixes the column unless it is 0, as CPython has it. No tabs. Shares no code with the
// engine.
//
// Source: Python Language Reference, section 2.1. Thread rule: not shared (the grammar remembers
// answers).
#pragma once

#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracle/toy_grammar.h"

namespace tenon::oracle {

enum class ToyBlocks {
  kFile,  // any number of statements
  // the file is one statement: blocks of the left context are forced to be shared with the right
  kOne,
  kLast,  // a block ends with its first compound statement
};

class ToyLayout {
 public:
  ToyLayout(std::string alphabet, ToyBlocks blocks);

  const std::string& alphabet() const { return alphabet_; }
  const ToyGrammar& grammar() const { return grammar_; }
  std::string ToLark() const;
  std::optional<Lexemes> Tokenize(std::string_view text) const;
  bool Valid(std::string_view text) const;
  std::vector<std::string> AllTexts(size_t longest) const;
  // A random file of nested blocks; may use bytes that the alphabet lacks where `alphabet` is not
  // the whole one.
  std::string RandomFile(std::mt19937& random) const;

 private:
  bool Has(char c) const { return alphabet_.find(c) != std::string::npos; }
  std::string RandomExpression(std::mt19937& random, int depth) const;
  std::string RandomBlock(std::mt19937& random, size_t column, int depth) const;

  std::string alphabet_;
  ToyGrammar grammar_;
};

}  // namespace tenon::oracle
