#include "constraint/mask/byte_kinds.h"

#include <algorithm>
#include <array>

#include "constraint/automata/automata.h"

namespace tenon::constraint {

namespace {

constexpr int kKindLower = 33, kKindUpper = 34, kKindDigit = 35, kKindTorn = 36, kKindControl = 37,
              kKindTab = 38, kKindLineFeed = 39, kKindReturn = 40, kKindFormFeed = 41,
              kKindLetter = 42;
constexpr uint64_t kTorn = uint64_t{1} << kKindTorn, kLetter = uint64_t{1} << kKindLetter;

int KindOf(int byte) {
  if (byte >= 'a' && byte <= 'z') return kKindLower;
  if (byte >= 'A' && byte <= 'Z') return kKindUpper;
  if (byte >= '0' && byte <= '9') return kKindDigit;
  if (byte >= 0x80) return kKindTorn;
  if (byte == '\t') return kKindTab;
  if (byte == '\n') return kKindLineFeed;
  if (byte == '\r') return kKindReturn;
  if (byte == '\f') return kKindFormFeed;
  if (byte < ' ' || byte == 0x7f) return kKindControl;
  // The 33 signs, each a kind of its own.
  if (byte < '0') return byte - ' ';
  if (byte < 'A') return 16 + byte - ':';
  if (byte < 'a') return 23 + byte - '[';
  return 29 + byte - '{';
}

// The missing part of a letter: so many bytes, the next one within these.
struct Lack {
  uint8_t bytes = 0, first = 0x80, last = 0xbf;
};

// Reads a byte of UTF-8. False: it cannot stand there; a letter may begin after it.
bool ReadLetter(uint8_t byte, Lack& lack) {
  if (lack.bytes > 0) {
    const bool fits = byte >= lack.first && byte <= lack.last;
    lack = {fits ? static_cast<uint8_t>(lack.bytes - 1) : uint8_t{0}};
    return fits;
  }
  if (byte < 0x80) return true;
  if (byte < 0xc2 || byte > 0xf4) return false;
  lack.bytes = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  if (byte == 0xe0) lack.first = 0xa0;
  if (byte == 0xed) lack.last = 0x9f;
  if (byte == 0xf0) lack.first = 0x90;
  if (byte == 0xf4) lack.last = 0x8f;
  return true;
}

// Does every letter lead from q back to q?
bool KeepsLetters(const LexemeSteps& steps, std::span<const Utf8Sequence> letters, DfaStateId q) {
  std::vector<DfaStateId> at, to;
  for (const Utf8Sequence& letter : letters) {
    at.assign(1, q);
    for (uint8_t i = 0; i < letter.length; ++i) {
      to.clear();
      for (DfaStateId from : at) {
        for (unsigned b = letter.bytes[i].first; b <= letter.bytes[i].last; ++b) {
          const DfaStateId next = steps.OnlyGoesOn(from, static_cast<uint8_t>(b));
          if (next == kDeadState) return false;
          if (std::find(to.begin(), to.end(), next) == to.end()) to.push_back(next);
        }
      }
      at.swap(to);
    }
    if (at.size() != 1 || at[0] != q) return false;
  }
  return true;
}

}  // namespace

ByteKinds::ByteKinds(const TokenVocabulary& vocabulary, const LexemeSteps& steps) {
  std::array<uint64_t, 256> kind;
  for (int b = 0; b < 256; ++b) kind[b] = uint64_t{1} << KindOf(b);
  const std::span<const TokenVocabulary::Node> nodes = vocabulary.nodes();
  std::vector<uint64_t> own(vocabulary.node_count());  // [node] of its byte
  std::vector<Lack> lacks(kMaxTokenBytes + 1);         // [depth] after the node there on the path
  std::vector<bool> within_letter(own.size());
  for (uint32_t i = 0; i < own.size(); ++i) {
    Lack& lack = lacks[nodes[i].depth] = lacks[nodes[i].depth - 1u];
    own[i] = nodes[i].byte < 0x80 ? kind[nodes[i].byte] : kLetter;
    if (!ReadLetter(nodes[i].byte, lack) || (lack.bytes > 0 && vocabulary.OwnTokens(i) > 0))
      own[i] |= kTorn;
    within_letter[i] = lack.bytes > 0;
  }
  subtree_.assign(nodes.size(), 0);
  for (uint32_t i = static_cast<uint32_t>(own.size());
       i-- > 0;) {  // children come after their parent
    for (uint32_t child = i + 1; child < nodes[i].end; child = nodes[child].end)
      subtree_[i] |= own[child] | subtree_[child];
  }
  for (uint32_t i = 0; i < own.size(); ++i) {
    if (within_letter[i]) subtree_[i] |= kTorn;
  }
  const std::vector<Utf8Sequence> letters = Utf8Sequences(CodepointSet({{0x80, 0x10ffff}}));
  for (uint16_t s = 0; s < steps.state_count(); ++s) {
    const DfaStateId q{s};
    uint64_t leaving = 0, seen = 0;
    for (int b = 0; b < 256; ++b) {
      seen |= kind[b];
      if (steps.OnlyGoesOn(q, static_cast<uint8_t>(b)) != q) leaving |= kind[b];
    }
    keeping_.push_back(seen & ~leaving);
    if (KeepsLetters(steps, letters, q)) keeping_.back() |= kLetter;
  }
}

}  // namespace tenon::constraint
