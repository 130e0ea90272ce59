// A small grammar that answers membership and exact viability by brute force: the oracle for
// constraint/lr and constraint/gap.
//
// Written "S -> A x B | y" one nonterminal a line; names that no line defines are terminals, an
// empty alternative is allowed. A finite automaton over terminals is closed under the rules: for
// each symbol the set of pairs (p, q) of automaton states between which it can stand, grown to the
// least fixpoint. L Sigma* R is the chain of L, one state that loops on every terminal, the chain
// of R. Exact for reduced grammars. Shares no code with the engine.
//
// Source: Bar-Hillel, Perles, Shamir, On formal properties of simple phrase structure grammars
// (1961): CFG and automaton intersected.
// Cost: rules * states^2 machine words a round. Thread rule: not shared (answers are remembered).
#pragma once

#include <bitset>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tenon::oracle {

// The terminals that one lexeme may stand for.
using Alternatives = std::vector<std::string>;
using Lexemes = std::vector<Alternatives>;

class ToyGrammar {
 public:
  explicit ToyGrammar(const std::string& text);

  const std::set<std::string>& terminals() const { return terminals_; }
  // The rules in tenon's Lark dialect, behind %start: nonterminals in lower case, terminals as
  // LarkName has them. Terminals are defined elsewhere.
  std::string ToLark() const;
  // A terminal's name there: in upper case up to its predicate. REQUIRES: no two terminals differ
  // in case alone.
  static std::string LarkName(const std::string& terminal);
  std::string text() const { return text_; }

  bool Member(const Lexemes& lexemes) const;
  // Is there a sequence of terminals w such that left w right is in the language?
  bool Viable(const Lexemes& left, const Lexemes& right) const;
  // Is there such a w that at most `most` of `tokens` write? Each token is a sequence of terminals.
  bool ViableWithin(const Lexemes& left, const Lexemes& right,
                    const std::vector<std::vector<std::string>>& tokens, size_t most) const;

 private:
  static constexpr size_t kMaxStates = 192;
  using Row = std::bitset<kMaxStates>;
  using Relation = std::vector<Row>;  // [p] the states q
  struct Rule {
    size_t head;  // index into relations, behind the terminals
    std::vector<size_t> body;
  };
  bool Spans(std::vector<Relation> terminal_edges, size_t states, size_t last) const;
  void AddEdge(std::vector<Relation>& edges, const Alternatives& lexeme, size_t from,
               size_t to) const;

  std::string text_;
  std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> lines_;  // as written
  std::set<std::string> terminals_;
  std::map<std::string, size_t> index_;  // terminals first
  size_t terminal_count_ = 0, symbol_count_ = 0, start_ = 0;
  std::vector<Rule> rules_;
  mutable std::map<Lexemes, bool> members_;
};

// A reduced random grammar over some of `terminals`, two or three nonterminals, a fifth of them
// nullable somewhere.
std::string RandomGrammar(std::mt19937& random, const std::vector<std::string>& terminals);

}  // namespace tenon::oracle
