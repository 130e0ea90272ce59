// Languages of one letter a lexeme, where every text is a sequence of terminals and the oracle's
// answers are exact.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/language/language.h"
#include "tests/oracle/toy_grammar.h"

namespace tenon::constraint {

// A toy grammar whose i-th terminal is the i-th letter.
class LetterLanguage {
 public:
  explicit LetterLanguage(const std::string& rules) : grammar_(rules) {
    std::string text = grammar_.ToLark();
    for (const std::string& name : grammar_.terminals()) {
      letters_ += static_cast<char>('a' + letters_.size());
      names_.push_back(name);
      text += oracle::ToyGrammar::LarkName(name) + ": /" + letters_.back() + "/\n";
    }
    auto compiled = Language::Compile(text, "letters.lark");
    if (compiled) {
      language_ = *compiled;
    } else {
      refusal_ = compiled.error().ToString();
    }
  }

  const std::shared_ptr<const Language>& language() const { return language_; }
  const oracle::ToyGrammar& grammar() const { return grammar_; }
  const std::string& refusal() const { return refusal_; }
  oracle::Lexemes LexemesOf(std::string_view text) const {
    oracle::Lexemes lexemes;
    for (char c : text) lexemes.push_back({names_.at(static_cast<size_t>(c - 'a'))});
    return lexemes;
  }
  std::vector<std::string> AllTexts(size_t longest) const {
    std::vector<std::string> all{""};
    for (size_t length = 0, begin = 0; length < longest; ++length) {
      size_t end = all.size();
      for (; begin < end; ++begin) {
        for (char c : letters_) all.push_back(all[begin] + c);
      }
    }
    return all;
  }
  // Contexts as long as keep the number of pairs in the tens of thousands.
  // Very ambiguous grammars meet the engine's bound on readings at about twice this length, where
  // it answers "no".
  size_t Longest() const { return letters_.size() <= 2 ? 5 : letters_.size() <= 3 ? 4 : 3; }

 private:
  oracle::ToyGrammar grammar_;
  std::string letters_;
  std::vector<std::string> names_;
  std::shared_ptr<const Language> language_;
  std::string refusal_;
};

inline const std::vector<std::string> kHandMadeGrammars = {
    "E -> E PLUS T | T\nT -> T MUL F | F\nF -> L E R | X",  // expression
    "S -> IF S | IF S ELSE S | X",                          // dangling else
    "S -> A B C\nA -> | X\nB -> | Y | Y B\nC -> | Z",       // nullable
    "S -> L R | L I R\nI -> E | I C E\nE -> X | S",         // list
    "E -> X | E L R | E L A R\nA -> E | A C E",             // call
    "S -> A X | Y\nA -> N S Z | N S\nN -> | X Y",           // hidden left recursion
    "S -> A | X\nA -> B | Y\nB -> S | S Z",                 // unit cycle
    "S -> S S | X | L S R",                                 // ambiguous, everywhere
    "E -> E PLUS E | E MUL E | X",                          // ambiguous expression
    // what the left alone allows and the right does not
    "S -> X A | X B Y\nA -> MINUS A | N\nB -> N",
    "S -> |  X S Y",                  // matched, nullable
    "S -> X S X | Y S Y | X | Y | ",  // palindromes: no LR(k) grammar
    "S -> A A A\nA -> | X | X A Y",   // hidden ambiguity by empty parts
    "S -> X S | S Y | X",             // left and right recursion at once
    // LR(1), not LALR(1); and with conflicts that LR(1) resolves beside one that it does not
    "S -> P A X | Q B X | P B Y | Q A Y\nA -> C\nB -> C",
    "S -> X A X | Y B X | X B | Y A | S S\nA -> C\nB -> C",
};

// Where stacks multiply with the length of a text.
inline const std::vector<std::string> kVeryAmbiguous = {
    "E -> E PLUS E | E E | L E R | X",                       // grouped in any way, nested
    "S -> A S B | B S A | S S | X\nA -> X | Y\nB -> Y | X",  // a letter is either
    "S -> Q S | P S | Z\nQ -> X\nP -> X",                    // no reading forgets which
    "S -> | X S Y | S S | X S | S Y",                        // what is matched may be chosen
    "S -> S S S | S S | X | Y",                              // groups of two and three
    "S -> A | B | S S\nA -> X | X A | X A Y\nB -> X | B X | X B Y",  // hidden by names
};

}  // namespace tenon::constraint
