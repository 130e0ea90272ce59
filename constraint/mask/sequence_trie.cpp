#include "constraint/mask/sequence_trie.h"

#include <algorithm>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

bool IsBlank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\f'; }

}  // namespace

BlanksId BlanksTable::Extend(BlanksId blanks, char byte) {
  auto [at, fresh] =
      ids_.try_emplace(static_cast<uint32_t>(blanks.value) << 8 | static_cast<uint8_t>(byte),
                       BlanksId{static_cast<uint16_t>(texts_.size())});
  if (fresh) texts_.push_back(texts_[blanks.value] + byte);
  return at->second;
}

SequenceTrie::SequenceTrie(const TokenVocabulary& vocabulary, const Lexer& lexer,
                           const LexemeSteps& steps, const ByteKinds& kinds, BlanksTable& blanks,
                           std::span<const LexemeId> representative, Lines lines)
    : vocabulary_(vocabulary),
      lexer_(lexer),
      steps_(steps),
      kinds_(kinds),
      blanks_(blanks),
      representative_(representative),
      lines_(lines),
      nodes_(1) {}

uint32_t SequenceTrie::ChildOf(uint32_t node, LexemeId lexeme, BlanksId blanks, ModeMask modes) {
  if (lines_ != Lines::kRaw && blanks == BlanksId{} &&
      lexer_.lexeme(lexeme).kind == TerminalKind::kIgnored &&
      lexer_.lexeme(lexeme).not_within == 0 && modes == kAnyMode)
    return node;
  if (lines_ != Lines::kRaw && lexer_.lexeme(lexeme).is_newline) {
    // Blanks of a blank line mean nothing, nor does a second line end: the line has begun anew.
    node = BeforeBlanks(node);
    if (node != 0 && lexer_.lexeme(nodes_[node].lexeme).is_newline && modes == kAnyMode)
      return node;
    blanks = BlanksId{};
  }
  lexeme = representative_[lexeme.value];
  uint64_t key =
      static_cast<uint64_t>(node) << 32 | static_cast<uint64_t>(lexeme.value) << 16 | blanks.value;
  auto [at, fresh] =
      children_.try_emplace(ChildKey{key, modes}, static_cast<uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({lexeme, blanks, node, modes});
  return at->second;
}

SequenceTrie::Reading SequenceTrie::Begin(uint32_t node, DfaStateId q, const Guards& guards,
                                          bool matter, bool own, uint8_t byte, ModesId modes) {
  Reading made{node, q, guards, BlanksId{}, matter, matter, own, modes};
  return matter ? GoOn(made, q, guards, byte) : made;
}

SequenceTrie::Reading SequenceTrie::GoOn(const Reading& from, DfaStateId q, const Guards& guards,
                                         uint8_t byte) {
  Reading made = from;
  made.q = q;
  made.guards = guards;
  if (made.recording) {
    made.recording = IsBlank(byte);
    made.blanks = blanks_.Extend(from.blanks, made.recording ? static_cast<char>(byte) : 'x');
  }
  return made;
}

SequenceTrie::ModesId SequenceTrie::Intern(Modes modes) {
  if (!lexer_.has_modes()) return {};
  auto [at, fresh] = modes_ids_.try_emplace(modes, ModesId{static_cast<uint32_t>(modes_.size())});
  if (fresh) modes_.push_back(std::move(modes));
  return at->second;
}

SequenceTrie::ModesId SequenceTrie::ModesAfter(LexemeId id, ModesId before) {
  const ModeAction action = lexer_.lexeme(id).action;
  if (action.kind == ModeAction::Kind::kNone) return before;
  if (auto known = modes_after_.find(static_cast<uint64_t>(id.value) << 32 | before.value);
      known != modes_after_.end())
    return known->second;
  Modes modes = modes_[before.value];
  if (action.kind != ModeAction::Kind::kPush && modes.pushed.empty()) {
    modes.below =
        action.kind == ModeAction::Kind::kPop ? lexer_.Below(modes.below) : MaskOf(action.mode);
  } else {
    if (action.kind != ModeAction::Kind::kPush) modes.pushed.pop_back();
    if (action.kind != ModeAction::Kind::kPop) modes.pushed.push_back(action.mode);
  }
  ModesId made = Intern(std::move(modes));
  modes_after_.emplace(static_cast<uint64_t>(id.value) << 32 | before.value, made);
  return made;
}

// Where lexemes begin alike in several modes the modes stay together.
template <typename Visit>
void SequenceTrie::ReadByte(const Reading& reading, uint8_t byte, Visit visit) {
  Lexer::Steps steps;
  const auto read = [&](DfaStateId begin, const auto& take) {
    int n = lexer_.Advance(reading.q, reading.guards, byte, true, steps, begin);
    for (int i = 0; i < n; ++i) take(steps[i]);
  };
  const LexemeId here = lexer_.has_modes() ? lexer_.LexemeAt(reading.q) : kNoLexeme;
  if (here == kNoLexeme)  // it goes on, or there is one mode
    return read(kStartState, [&](const Lexer::Step& step) {
      visit(step.ended, step.q, step.guards, reading.modes, kAnyMode);
    });
  const ModesId after = ModesAfter(here, reading.modes);
  const Modes& modes = modes_[after.value];
  if (!modes.pushed.empty())
    return read(lexer_.StartOf(modes.pushed.back()), [&](const Lexer::Step& step) {
      visit(step.ended, step.q, step.guards, step.ended == kNoLexeme ? reading.modes : after,
            kAnyMode);
    });
  boost::container::small_vector<std::pair<DfaStateId, ModeMask>, 4> begun;
  const ModeMask below = modes.below;
  DfaStateId begin = kStartState;
  for (const LexemeSteps::Beginning& beginning : steps_.BeginningWith(byte)) {
    if (!(beginning.modes & below)) continue;
    begun.emplace_back(beginning.q, beginning.modes & below);
    begin = beginning.start;
  }
  read(begin, [&](const Lexer::Step& step) {
    if (step.ended == kNoLexeme) {
      visit(step.ended, step.q, step.guards, reading.modes, kAnyMode);
      return;
    }
    for (const auto& [q, mask] : begun)  // the guards are those of the lexeme that has ended
      visit(step.ended, q, step.guards, OneOf(mask), mask == below ? kAnyMode : mask);
  });
}

void SequenceTrie::Step(std::span<const Reading> from, uint8_t byte, Readings& to) {
  to.clear();
  for (const Reading& reading : from) {
    ReadByte(reading, byte,
             [&](LexemeId ended, DfaStateId q, const Guards& guards, ModesId modes, ModeMask mask) {
               if (ended == kNoLexeme) {
                 to.push_back(GoOn(reading, q, guards, byte));
                 return;
               }
               const Lexeme& lexeme = lexer_.lexeme(ended);
               bool matter = lexeme.is_newline
                                 ? lines_ == Lines::kCount
                                 : lexeme.kind == TerminalKind::kIgnored && reading.matter;
               to.push_back(Begin(ChildOf(reading.node, ended, reading.blanks, mask), q, guards,
                                  matter, false, byte, modes));
             });
  }
  if (to.size() > 1) {
    SortUnique(to);
  }
}

uint32_t SequenceTrie::BeforeBlanks(uint32_t node) const {
  while (node != 0 && nodes_[node].modes == kAnyMode &&
         lexer_.lexeme(nodes_[node].lexeme).kind == TerminalKind::kIgnored &&
         blanks_.text(nodes_[node].blanks).back() != 'x')
    node = nodes_[node].parent;
  return node;
}

uint32_t SequenceTrie::LeafOf(const Reading& reading) {
  // Tokens that stand near each other mostly end alike.
  uint32_t& recent = recent_[(reading.node * 31 + reading.q.value) % recent_.size()];
  if (recent < leaves_.size()) {
    const Leaf& leaf = leaves_[recent];
    if (leaf.node == reading.node && leaf.q == reading.q && leaf.guards == reading.guards &&
        leaf.blanks == reading.blanks && leaf.own == reading.own)
      return recent;
  }
  LeafKey key{reading.guards.Key(), reading.node, reading.q.value, reading.blanks.value,
              reading.own};
  auto [at, fresh] = leaf_ids_.try_emplace(key, static_cast<uint32_t>(leaves_.size()));
  if (fresh)
    leaves_.push_back({reading.node, reading.q, reading.guards, reading.blanks, reading.own, {}});
  return recent = at->second;
}

void SequenceTrie::Add(const Reading& reading, uint32_t begin, uint32_t end) {
  uint32_t leaf;
  if (lines_ != Lines::kRaw && steps_.IsLineEnd(reading.q) && reading.guards.empty() &&
      !reading.own) {
    Reading line_end = reading;
    line_end.node = BeforeBlanks(reading.node);
    line_end.blanks = BlanksId{};
    leaf = LeafOf(line_end);
  } else {
    leaf = LeafOf(reading);
  }
  auto& runs = leaves_[leaf].tokens;
  if (!runs.empty() && runs.back().second == begin)
    runs.back().second = end;
  else
    runs.emplace_back(begin, end);
}

void SequenceTrie::Grow(const std::array<Readings, 256>& first) {
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  for (uint32_t i = 0; i < vocabulary_.node_count(); i = nodes[i].end)
    Read(i, first[nodes[i].byte]);
}

void SequenceTrie::Read(uint32_t i, const Readings& here) {
  if (here.empty()) return;
  if (here.size() == 1 && here[0].guards.empty() && !here[0].recording) {
    Reading reading = here[0];
    return ReadAlone(i, reading);
  }
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  if (const uint32_t own = vocabulary_.OwnTokens(i)) {
    for (const Reading& reading : here) Add(reading, nodes[i].tokens, nodes[i].tokens + own);
  }
  Readings after;
  for (uint32_t child = i + 1; child < nodes[i].end; child = nodes[child].end) {
    Step(here, nodes[child].byte, after);
    Read(child, after);
  }
}

void SequenceTrie::ReadAlone(uint32_t i, Reading& reading) {
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_.nodes();
  const DfaStateId here = reading.q;
  if ((kinds_.InSubtree(i) & ~kinds_.Keeping(here)) == 0)
    return Add(reading, nodes[i].tokens, nodes[nodes[i].end].tokens);
  if (const uint32_t own = vocabulary_.OwnTokens(i))
    Add(reading, nodes[i].tokens, nodes[i].tokens + own);
  for (uint32_t child = i + 1; child < nodes[i].end; child = nodes[child].end) {
    reading.q = steps_.OnlyGoesOn(here, nodes[child].byte);
    if (reading.q != kDeadState) {
      ReadAlone(child, reading);
      continue;
    }
    reading.q = here;
    ReadOn(child, reading);
  }
  reading.q = here;
}

void SequenceTrie::ReadOn(uint32_t child, const Reading& reading) {
  Readings after;
  Step(std::span(&reading, 1), vocabulary_.nodes()[child].byte, after);
  Read(child, after);
}

}  // namespace tenon::constraint
