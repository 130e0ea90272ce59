// The mask store: for every lexer state, the effect of every token of the vocabulary.
//
// Reading a token from lexer state q ends some lexemes and leaves another one in progress. Example:
// in `foo(a|` the lexer is in the state of a name. The token `, b` ends the lexemes NAME and `,`
// and leaves a name in progress; the token `,c` does the same. Tokens with the same effect belong
// together:
//
//   (q, token) -> (sequence of ended lexemes, state q' of the lexeme in progress, its guards)
//
// The sequences from one state form a trie. A parser walks it once and learns which groups of
// tokens it may take. The trie of the state of a name, with the tokens of each node by the
// terminals that the lexeme in progress can become:
//
//   root                 no lexeme has ended         name: `b` `bc`
//    |
//    +-- NAME            the name has ended          ",": `,`      ")": `)`
//         |
//         +-- ","        and a comma after it        name: `, b` `,c`     STRING: `,"`
//         +-- ")"        or a bracket                ":": `):`
//
// If the parser refuses NAME `)`, the walk skips `):` and everything below that node.
//
// SynCode's mask store keeps pairs of a DFA state and up to two terminals, and approximates longer
// sequences. Here whole sequences are kept, with the exact state after them.
//
// States share tries. The tokens of a state are a few *pieces*. A piece is a trie with a filter by
// first bytes:
//
//   ended at once   first bytes that cannot continue the lexeme of q: the trie of the start state.
//                   In the state of a name: `(`, `,` and all tokens that begin with them
//   own             first bytes that continue the lexeme: the trie of a *reference* state that
//                   moves alike, without the bytes in which q differs. The reference of the state
//                   of `whil` is the state of a plain name
//   differing       the first bytes in which q moves unlike its reference: `e` in the state of
//                   `whil`
//   guarded         first bytes that end the lexeme while a longer one is still possible
//
// All beginnings of keywords share the state of a plain name as their reference: hundreds of
// states, a few dozen tries.
//
// Complications, one at a time:
// - *Lines.* A state whose lexeme may end as ignorable text has two tries. In the first, blanks
//   move the column of the line's beginning; in the second they do not. The blanks at the beginning
//   of a lexeme are kept with it only where they may move the column.
// - *Modes* (lex/modes.h). The mode on top chooses the terminals of the next lexeme. The branch
//   knows the mode, the lexer state does not. So a node of the trie has the set of modes that may
//   be on top after its lexeme, and so has a piece that begins a lexeme. The modes that a token
//   pushes itself are known while the trie is made; any mode may lie below them.
//
// `tenon grammar FILE --dump store` prints pieces, sequences and sets.
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

// Blanks at the beginning of a lexeme, interned; 0: none that matter. A last 'x' means that a byte
// which is no blank follows.
struct BlanksId {
  uint16_t value = 0;
  auto operator<=>(const BlanksId&) const = default;
};

enum class LineContext : uint8_t { kWithin, kBeginning };  // do blanks move the column?

// The steps of streamlining (streamline.h). None of them changes a mask.
struct MaskStoreOptions {
  // Lexemes that no rule tells apart are one; ignorable text that moves no column is left out.
  bool interchangeable = true;
  // Sequences that a parser state alone decides are decided.
  bool by_state = true;
};

inline constexpr ModeMask kAnyMode = ~ModeMask{0};

class MaskStore {
 public:
  // One more lexeme of a sequence.
  struct Child {
    LexemeId lexeme;
    BlanksId blanks;  // at the beginning of the lexeme
    SequenceNodeId node;
    uint32_t seen_begin = 0, seen_end = 0;  // into the Seen of the child, by parser state
    ModeMask modes = kAnyMode;              // one of these is on top after the lexeme
  };
  // The tokens of a child once its lexeme has led to a parser state (streamline.h).
  struct Seen {
    LrStateId state;
    bool in_brackets = false;  // where lines matter: some bracket is open after the lexeme
    bool some = false;         // `always` holds a token
    // Where R does not restrict the stack: the allowed tokens, and the sequences still to walk.
    TokenSetId always;
    SequenceNodeId rest;
    // Where R restricts the stack: all sequences that some stack can take.
    SequenceNodeId possible;
  };
  // Tokens that leave the lexer in one state.
  struct Member {
    DfaStateId q;
    FutureId future;
    uint32_t guards = 0;  // index into guards(); 0: none
    BlanksId blanks;
    bool whole = false;  // the lexeme in progress is the root's own, no lexeme has ended
    TokenSetId tokens;
  };
  // Members that can all end as `primary`: if the parser may take that lexeme next, all are viable.
  struct Group {
    LexemeId primary = kNoLexeme;  // kNoLexeme: each member is tested alone
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
    ModeMask modes = kAnyMode;  // one of these is on top where the trie begins
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
  // Null: the state decides nothing about this child.
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
  // The most modes that any token pushes, after any lexeme in progress.
  int most_pushes() const { return most_pushes_; }
  // The tokens that hold a line feed or a carriage return.
  TokenSetId holding_line_ends() const { return holding_line_ends_; }
  // Numbers of trie nodes that hold tokens: all of them, the nodes that some parser state can take,
  // and the nodes that some state leaves open.
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
