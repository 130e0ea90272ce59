// A trie of ended lexemes, grown by reading the whole vocabulary from one lexer state.
//
// Example: from the start state the token `a(` ends a name and leaves a bracket in progress. It is
// added to the leaf (sequence NAME, state after `(`), beside `ab(` and `x(`.
//
// The vocabulary's trie is walked in preorder with the lexer's readings. Where tokens end they are
// added to the leaf of (ended lexemes, state in progress). Inside a string or a comment all bytes
// of a subtree keep the lexer in one state; such a subtree is added whole, without a walk
// (ByteKinds).
//
// Source: mask_store.h. Cost: nodes of the vocabulary's trie that some reading reaches, some 15 ns
// each. Thread rule: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/lex/lex.h"
#include "constraint/mask/byte_kinds.h"
#include "constraint/mask/lexeme_steps.h"
#include "constraint/mask/mask_store.h"

namespace tenon::constraint {

// Blanks by their text; shared by all tries of a store.
class BlanksTable {
 public:
  BlanksTable() { texts_.emplace_back(); }
  BlanksId Extend(BlanksId blanks, char byte);
  const std::string& text(BlanksId id) const { return texts_[id.value]; }
  std::vector<std::string> Take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
  boost::unordered_flat_map<uint32_t, BlanksId> ids_;
};

class SequenceTrie {
 public:
  struct Leaf {
    uint32_t node = 0;
    DfaStateId q;
    Guards guards;
    BlanksId blanks;
    bool own = false;                                   // no lexeme has ended
    std::vector<std::pair<uint32_t, uint32_t>> tokens;  // runs of the vocabulary's sorted order
  };
  struct Node {
    LexemeId lexeme = kNoLexeme;  // on the edge from its parent
    BlanksId blanks;
    uint32_t parent = 0;
    ModeMask modes = kAnyMode;  // one of these is on top after the lexeme
  };
  // The modes as far as a reading knows them: the modes that the token has pushed, the last one on
  // top; below them lies one of `below`.
  struct Modes {
    std::vector<ModeId> pushed;
    ModeMask below = 1;
    auto operator<=>(const Modes&) const = default;
  };
  struct ModesId {
    uint32_t value = 0;
    auto operator<=>(const ModesId&) const = default;
  };
  // A reading of a token's first bytes.
  struct Reading {
    uint32_t node = 0;
    DfaStateId q;
    Guards guards;
    BlanksId blanks;
    bool matter = false;     // blanks at the beginning of a lexeme may move the column here
    bool recording = false;  // the lexeme in progress is blanks alone so far
    bool own = false;        // no lexeme has ended
    ModesId modes;
    auto operator<=>(const Reading&) const = default;
  };
  // How sequences treat line ends: as terminals, and columns count; as ignorable text; or every
  // lexeme is kept, ignorable ones too.
  enum class Lines : uint8_t { kCount, kIgnored, kRaw };
  using Readings = boost::container::small_vector<Reading, 4>;

  SequenceTrie(const TokenVocabulary& vocabulary, const Lexer& lexer, const LexemeSteps& steps,
               const ByteKinds& kinds, BlanksTable& blanks,
               std::span<const LexemeId> representative, Lines lines);

  // Reads every token whose first byte has readings in `first`.
  void Grow(const std::array<Readings, 256>& first);
  // The reading after `byte` has begun a lexeme. Ignorable text that moves no column is not added
  // to the sequence.
  Reading Begin(uint32_t node, DfaStateId q, const Guards& guards, bool matter, bool own,
                uint8_t byte, ModesId modes);
  // No mode is pushed, and one of `modes` is on top.
  ModesId OneOf(ModeMask modes) { return Intern({{}, modes}); }
  // The reading after `byte` has continued the lexeme in progress.
  Reading GoOn(const Reading& from, DfaStateId q, const Guards& guards, uint8_t byte);

  std::span<const Leaf> leaves() const { return leaves_; }
  std::span<const Node> nodes() const { return nodes_; }  // [0] the root; parents before children

 private:
  void Step(std::span<const Reading> from, uint8_t byte, Readings& to);
  // Calls visit(lexeme ended or none, state, guards, modes known, set of modes on top) for each
  // step of the byte. The set is kAnyMode where it leaves no possible mode out.
  template <typename Visit>
  void ReadByte(const Reading& reading, uint8_t byte, Visit visit);
  ModesId Intern(Modes modes);
  // The modes after the lexeme.
  ModesId ModesAfter(LexemeId lexeme, ModesId modes);
  uint32_t ChildOf(uint32_t node, LexemeId lexeme, BlanksId blanks, ModeMask modes);
  uint32_t BeforeBlanks(uint32_t node) const;
  // Reads the subtree of a node of the vocabulary's trie; `here`: the readings at the node.
  void Read(uint32_t node, const Readings& here);
  // Read for a single reading without guards and without blanks that count: while its lexeme
  // continues, only its state changes. Leaves `reading` as it was.
  void ReadAlone(uint32_t node, Reading& reading);
  // Reads the subtree of a child of the node at which the reading is.
  void ReadOn(uint32_t child, const Reading& reading);
  void Add(const Reading& reading, uint32_t begin, uint32_t end);
  uint32_t LeafOf(const Reading& reading);

  const TokenVocabulary& vocabulary_;
  const Lexer& lexer_;
  const LexemeSteps& steps_;
  const ByteKinds& kinds_;
  BlanksTable& blanks_;
  std::span<const LexemeId> representative_;  // [LexemeId]
  Lines lines_;
  std::vector<Modes> modes_{Modes{}};  // [ModesId]
  std::map<Modes, ModesId> modes_ids_;
  boost::unordered_flat_map<uint64_t, ModesId> modes_after_;  // (lexeme, modes)
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  struct ChildKey {
    uint64_t name;  // node, lexeme, blanks
    ModeMask modes;
    bool operator==(const ChildKey&) const = default;
  };
  struct ChildHash {
    size_t operator()(const ChildKey& k) const { return HashOf(k.name, k.modes); }
  };
  boost::unordered_flat_map<ChildKey, uint32_t, ChildHash> children_;
  struct LeafKey {
    uint64_t guards;
    uint32_t node;
    uint16_t q, blanks;
    bool own;
    bool operator==(const LeafKey&) const = default;
  };
  struct LeafHash {
    size_t operator()(const LeafKey& k) const {
      return HashOf(k.node, k.q, k.blanks, k.guards, k.own);
    }
  };
  boost::unordered_flat_map<LeafKey, uint32_t, LeafHash> leaf_ids_;
  std::array<uint32_t, 64> recent_{};  // a cache of leaves
};

}  // namespace tenon::constraint
