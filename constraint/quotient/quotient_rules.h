// The rules of a quotient grammar: the middles after a parser stack, up to the right context
// (constraint/quotient/quotient.h).
//
// A *tail* is the rest of M from some node of the left stack, or of the demand graph, on. Example:
// for L = `foo(a` and R = `)` one tail is "nothing, or `,` and more arguments".
//
// Where M must end with certain terminals (a lexeme that R goes on with), each tail has one
// nonterminal for its words that are not empty, and a bit for the empty one. Elsewhere the empty
// word is a word like others.
//
// Source: quotient.h. Cost: that of QuotientGrammar. Thread rule: owned by one call of it.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "constraint/gap/gap.h"
#include "constraint/quotient/middle_grammar.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

// How M meets R.
struct MiddleEnding {
  GapEntry entry = kEntryWithinLine;
  std::optional<std::vector<bool>>
      last;  // [LR terminal] M ends with one of these; nothing: with any, or is empty
  std::optional<uint32_t> renamed;  // the terminal of `grammar` that stands for M's last one
};

// Both sides where R counts from one place on, which lies between two lexemes.
struct MiddleSide {
  // Reads `left` as given text, and both sides within `levels`.
  MiddleSide(std::shared_ptr<const Language> language, std::string_view left,
             std::string_view right, bool emit, bool in_lexemes, PredicateBits levels);

  std::shared_ptr<BranchMover> mover;
  std::vector<Branch> branches;  // at the end of the left context
  std::shared_ptr<RightSide> right;
  SideDemand* demand;  // of `right`
};

class QuotientRules {
 public:
  // `grammar` gets nonterminals and plain terminals.
  QuotientRules(const Language& language, bool emit, MiddleGrammar& grammar);

  // The tail of M after a stack between two lexemes. The side must outlive this.
  struct Middle {
    size_t tail;
  };
  Middle After(MiddleSide& side, NodeId top, size_t ending);
  size_t AddEnding(MiddleEnding ending);
  // Follows everything to its end; afterwards the next two may be asked.
  void Follow();
  MiddleGrammar::Symbol SymbolOf(Middle middle) const {
    return {false, tails_[middle.tail].nonterminal};
  }
  // Only where the ending asks for a last terminal: the empty word is not among the words of the
  // symbol.
  bool MayBeEmpty(Middle middle) const { return tails_[middle.tail].nullable; }

 private:
  enum class Kind : uint8_t { kTop, kAfter, kInto };
  struct Key {
    MiddleSide* side;
    Kind kind;
    uint32_t at;         // NodeId or DemandNodeId
    uint16_t completed;  // kAfter: the nonterminal
    size_t ending;
    auto operator<=>(const Key&) const = default;
  };
  // A stretch of a rule's body that M holds whole, then another tail.
  struct Way {
    RuleId rule;
    size_t begin = 0, end = 0;
    std::optional<size_t> next;  // nothing: M ends
  };
  struct Tail {
    Key key;
    std::vector<Way> ways;
    bool nullable = false;
    uint32_t nonterminal = 0;
  };

  size_t TailOf(const Key& key);
  void FindWays(size_t tail);
  void Leave(const Key& key, const LrItem& item, size_t dot,
             const std::vector<DemandNodeId>& shared, std::vector<Way>& ways);
  void Descend(const Key& key, std::vector<Way>& ways);
  bool MayLead(const DemandNode& node, const Key& key) const;
  void SpreadEmpty();
  void WriteTail(const Tail& tail);
  std::optional<MiddleGrammar::Symbol> Whole(SymbolId symbol);
  std::optional<MiddleGrammar::Symbol> Last(SymbolId symbol, size_t ending);
  std::optional<MiddleGrammar::Body> Stretch(const Way& way, std::optional<size_t> last_of);
  uint32_t AddNonterminal(std::string name);

  const Language& language_;
  const GrammarIndex& index_;
  MiddleGrammar& grammar_;
  std::vector<bool> writable_;                  // [LR terminal]
  std::vector<std::optional<uint32_t>> plain_;  // [TerminalId] terminal of grammar_
  std::map<std::pair<SymbolId, size_t>, uint32_t>
      symbols_;  // (symbol, ending or kAnyEnding) -> nonterminal
  std::vector<MiddleEnding> endings_;
  std::map<Key, size_t> tail_ids_;
  std::vector<Tail> tails_;
};

}  // namespace tenon::constraint
