// A naive LALR(1) recogniser with a fallback from terminals to others, decided state by state: the
// oracle for constraint/lr/fallback.
//
// Canonical LR(1) states, merged where their cores agree; all actions of a cell are followed. In a
// state without an action for a terminal the terminal that it falls back to is looked at instead.
// For grammars without empty alternatives. Shares no code with the engine.
//
// Source: Aho, Lam, Sethi, Ullman, Compilers (2006), section 4.7. Cost: exponential in places, for
// grammars of a few rules.
// Thread rule: immutable after construction.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/oracle/toy_grammar.h"

namespace tenon::oracle {

class ToyLalr {
 public:
  ToyLalr(const ToyGrammar& grammar, std::map<std::string, std::string> fallback);
  // Are the first alternatives of `lexemes` a text of the language?
  bool Member(const Lexemes& lexemes) const;

  // No alternative is empty, or its own head alone: what the engine would rewrite before it builds
  // its table.
  static bool Fits(const ToyGrammar& grammar);

 private:
  struct Rule {
    std::string head;
    std::vector<std::string> body;
  };
  struct Item {
    size_t rule = 0, dot = 0;
    std::string ahead;
    auto operator<=>(const Item&) const = default;
  };
  using Items = std::set<Item>;
  using Core = std::set<std::pair<size_t, size_t>>;
  using Stack = std::vector<size_t>;

  static std::vector<Rule> RulesOf(const ToyGrammar& grammar);
  Items Close(Items items) const;
  std::set<std::string> First(const std::string& symbol) const;
  void Build();
  bool HasAction(size_t state, const std::string& terminal) const;
  // The stacks behind `terminal`, "$" the end: then those that accept.
  std::set<Stack> Shift(const std::set<Stack>& stacks, const std::string& terminal) const;

  std::vector<Rule> rules_;  // [0] is the augmented one
  std::set<std::string> heads_;
  std::map<std::string, std::string> fallback_;
  std::vector<Items> states_;
  std::vector<std::map<std::string, size_t>> gotos_;
};

}  // namespace tenon::oracle
