// The mask store: what every token of the vocabulary does to the lexer, from every lexer state.
//
// Reading a token from lexer state q ends some lexemes and leaves another one in progress. Tokens
// that do the same belong together:
//
//   (q, token)  ->  (sequence of ended lexemes, state q' of the lexeme in progress, its guards)
//
// The sequences from one state form a trie; a parser walks it once and learns which groups of
// tokens it may take. What SynCode calls the mask store holds pairs of a DFA state and terminals;
// ours holds whole sequences and the exact state behind them, so nothing is approximated by the
// length of a sequence.
//
// Layout of a state's tokens: *pieces*, so that states share tries.
//   ended at once    bytes that cannot go on from q end its lexeme: the start state's trie, within
//                    those first bytes
//   own              tokens whose first byte goes on: the trie of a *reference* state that moves
//                    alike, outside the bytes where q differs
//   differing        the first bytes where q moves unlike its reference
//   guarded          first bytes that end the lexeme while a longer one is still possible
// A keyword's unfinished forms all refer to the state of a plain name in this way: hundreds of
// states, a few dozen tries.
//
// Where lines matter there are two tries for states whose lexeme may end as ignorable text: one
// where blanks move the column of the line's beginning, one where they mean nothing. The blanks a
// lexeme begins with are kept with it only where they may matter.
//
// Where there are modes, which lexeme begins behind another depends on the mode on top there. The
// lexer states do not say it, the branch does: so a node of the trie names the modes that may be on
// top behind its lexeme, where not all may, and so does a piece of those that begin a lexeme. What
// a token itself pushes is known while the trie is made; what it pops beneath that is any mode that
// may lie there.
//
// Source: Ugare et al., SynCode: LLM Generation with Grammar Augmentation (2024), section 4.3, the
// DFA mask store; Willard and Louf, Efficient Guided Generation for Large Language Models (2023),
// section 3, for single expressions; Tran-Thien, Fast, High-Fidelity LLM Decoding with Regex
// Constraints (2024). Cost: docs/measured.md. Thread rule: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/lex/lex.h"
#include "constraint/mask/token_set.h"
#include "constraint/mask/token_vocabulary.h"

namespace tenon::constraint {

struct SequenceNodeId {
  uint32_t value = 0;
  auto operator<=>(const SequenceNodeId&) const = default;
};

// Blanks that a lexeme begins with, interned; 0: none that matter. A last 'x' stands for a byte
// that is no blank.
struct BlanksId {
  uint16_t value = 0;
  auto operator<=>(const BlanksId&) const = default;
};

enum class LineContext : uint8_t { kWithin, kBeginning };  // do blanks move the column?

// Streamlining, step by step (streamline.h); all of it leaves masks as they are.
struct MaskStoreOptions {
  bool interchangeable =
      // lexemes that no rule tells apart are one, ignorable text that moves nothing is left out
      true;
  bool by_state = true;  // what can be decided from a parser state alone is
};

inline constexpr ModeMask kAnyMode = ~ModeMask{0};

class MaskStore {
 public:
  struct Child {
    LexemeId lexeme;
    BlanksId blanks;  // that the lexeme began with
    SequenceNodeId node;
    uint32_t seen_begin = 0, seen_end = 0;  // by the parser state that the lexeme led to
    ModeMask modes = kAnyMode;              // of which one is on top behind it
  };
  // What is known of a child's tokens once its lexeme has led to a parser state (streamline.h).
  struct Seen {
    LrStateId state;
    bool in_brackets = false;  // where lines matter: some bracket is open behind the lexeme
    bool some = false;         // `always` holds a token
    TokenSetId always;         // allowed where nothing on the right restricts the stack
    SequenceNodeId rest;       // then these are left to ask about
    SequenceNodeId possible;   // where something does: all but what no stack can take
  };
  struct Member {
    DfaStateId q;
    FutureId future;
    uint32_t guards = 0;  // index into guards(); 0: none
    BlanksId blanks;
    bool whole = false;  // the lexeme in progress is the root's own, no lexeme has ended
    TokenSetId tokens;
  };
  // Members that can all end as `primary`: where the parser may take that lexeme next, all are
  // viable.
  struct Group {
    LexemeId primary = kNoLexeme;  // kNoLexeme: each member is to be looked at
    TokenSetId all;
    uint32_t members_begin = 0, members_end = 0;
  };
  struct Node {
    uint32_t children_begin = 0, children_end = 0;
    uint32_t groups_begin = 0, groups_end = 0;
  };
  struct Piece {
    SequenceNodeId root;
    enum class Filter : uint8_t { kNone, kWithin, kOutside } filter = Filter::kNone;
    TokenSetId bytes;           // tokens by first byte
    bool at_once = false;       // q's own lexeme ends before the trie begins
    ModeMask modes = kAnyMode;  // of which one is on top where the trie begins
  };
  // A step of streamlining and how many entries are left after it (entry_count.h).
  struct Count {
    std::string name;
    size_t count = 0;
  };

  // Tokens are read as emitted text. Cost: docs/measured.md.
  static std::shared_ptr<const MaskStore> Build(std::shared_ptr<const Language> language,
                                                std::shared_ptr<const TokenVocabulary> vocabulary,
                                                MaskStoreOptions options = {});

  const Language& language() const { return *language_; }
  const TokenVocabulary& vocabulary() const { return *vocabulary_; }
  std::span<const Piece> pieces(DfaStateId q, LineContext line) const {
    const PieceRange& range = ranges_[static_cast<size_t>(line)][q.value];
    return std::span(pieces_).subspan(range.begin, range.end - range.begin);
  }
  const Node& node(SequenceNodeId id) const { return nodes_[id.value]; }
  std::span<const Child> children(const Node& node) const {
    return std::span(children_).subspan(node.children_begin,
                                        node.children_end - node.children_begin);
  }
  // Nothing: the state says nothing about this child.
  const Seen* seen(const Child& child, LrStateId state, bool in_brackets) const;
  std::span<const Group> groups(const Node& node) const {
    return std::span(groups_).subspan(node.groups_begin, node.groups_end - node.groups_begin);
  }
  std::span<const Member> members(const Group& group) const {
    return std::span(members_).subspan(group.members_begin,
                                       group.members_end - group.members_begin);
  }
  const Guards& guards(uint32_t index) const { return guards_[index]; }
  const std::string& blanks(BlanksId id) const { return blanks_[id.value]; }
  size_t blanks_count() const { return blanks_.size(); }
  const TokenSetPool& sets() const { return sets_; }
  // No token, behind whatever lexeme is in progress, pushes more modes.
  int most_pushes() const { return most_pushes_; }
  // The tokens that hold a line feed or a carriage return.
  TokenSetId holding_line_ends() const { return holding_line_ends_; }
  // Nodes of the tries that hold tokens: all, those that some parser state can take, those that
  // some state leaves open.
  struct Entries {
    size_t all = 0, possible = 0, open = 0;
  };
  const Entries& entries() const { return entries_; }
  const std::shared_ptr<const Language>& shared_language() const { return language_; }
  const std::shared_ptr<const TokenVocabulary>& shared_vocabulary() const { return vocabulary_; }
  size_t memory_bytes() const;

 private:
  friend class MaskStoreBuilder;
  template <typename>
  friend struct CacheFields;    // constraint/cache/archive.h
  friend class StoreInspector;  // constraint/cache/soundness.h
  friend class Streamliner;
  struct PieceRange {
    uint32_t begin = 0, end = 0;
  };
  MaskStore(std::shared_ptr<const Language> language,
            std::shared_ptr<const TokenVocabulary> vocabulary);

  std::shared_ptr<const Language> language_;
  std::shared_ptr<const TokenVocabulary> vocabulary_;
  std::array<std::vector<PieceRange>, 2> ranges_;  // [LineContext][DfaStateId]
  std::vector<Piece> pieces_;
  std::vector<Node> nodes_;
  std::vector<Child> children_;
  std::vector<Seen> seen_;  // each child's by state
  std::vector<Group> groups_;
  std::vector<Member> members_;
  std::vector<Guards> guards_;
  std::vector<std::string> blanks_;
  TokenSetPool sets_;
  TokenSetId holding_line_ends_;
  Entries entries_;
  int most_pushes_ = 0;
};

}  // namespace tenon::constraint
