#include "constraint/mask/store_dump.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "constraint/gap/gap.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

namespace {

constexpr size_t kMaxInline = 8;  // tokens of a set that are shown where it is used
constexpr size_t kMaxShown = 64;  // tokens of a set that are shown in the list of sets

class StoreDump {
 public:
  explicit StoreDump(const MaskStore& store)
      : store_(store), lexer_(store.language().lexer), grammar_(store.language().grammar) {}

  std::string Run() {
    out_ = fmt::format("mask store: {} tokens, {} lexer states, {} sets of tokens\n",
                       store_.vocabulary().size(), lexer_.state_count(), store_.sets().size());
    for (uint16_t s = 0; s < lexer_.state_count(); ++s) AddState(DfaStateId{s});
    for (size_t i = 0; i < nodes_.size(); ++i) AddNode(nodes_[i]);
    out_ += "\nsets of more than a few tokens\n";
    for (uint32_t s = 0; s < store_.sets().size(); ++s) {
      if (store_.sets().Count(TokenSetId{s}) > kMaxInline)
        out_ += fmt::format("  set {}: {}\n", s, Tokens(TokenSetId{s}, kMaxShown));
    }
    return std::move(out_);
  }

 private:
  std::string Tokens(TokenSetId id, size_t most) const {
    std::vector<TokenId> tokens;
    store_.sets().AppendTo(id, tokens);
    std::sort(tokens.begin(), tokens.end());
    std::vector<std::string> shown;
    for (size_t i = 0; i < std::min(tokens.size(), most); ++i)
      shown.push_back(ShownBytes(store_.vocabulary().Bytes(tokens[i])));
    if (tokens.size() > most) shown.push_back(fmt::format("and {} more", tokens.size() - most));
    return fmt::format("{}", fmt::join(shown, " "));
  }
  std::string Set(TokenSetId id) const {
    const size_t count = store_.sets().Count(id);
    if (count > kMaxInline) return fmt::format("set {} of {} tokens", id.value, count);
    return fmt::format("{{{}}}", Tokens(id, kMaxInline));
  }
  std::string Modes(ModeMask modes) const {
    if (modes == kAnyMode || !lexer_.has_modes()) return "";
    std::vector<std::string_view> names;
    for (size_t m = 0; m < lexer_.mode_count(); ++m) {
      if (modes >> m & 1) names.push_back(grammar_.modes[m].name);
    }
    return fmt::format(", in mode {}", fmt::join(names, " or "));
  }
  std::string Blanks(BlanksId blanks) const {
    return blanks == BlanksId{} ? ""
                                : fmt::format(" with blanks {}", ShownBytes(store_.blanks(blanks)));
  }
  // Nodes get their turn in the order in which they are first named.
  std::string Name(SequenceNodeId id) {
    if (IsEmpty(id)) return "nothing";
    if (numbered_.insert(id).second) nodes_.push_back(id);
    return fmt::format("node {}", id.value);
  }
  bool IsEmpty(SequenceNodeId id) const {
    const MaskStore::Node& node = store_.node(id);
    return store_.groups(node).empty() && store_.children(node).empty();
  }

  std::string Pieces(DfaStateId q, LineContext line) {
    std::string out;
    for (const MaskStore::Piece& piece : store_.pieces(q, line)) {
      if (IsEmpty(piece.root)) continue;
      out += fmt::format("  {}{}", piece.at_once ? "its own lexeme ends, then " : "",
                         Name(piece.root));
      if (piece.filter == MaskStore::Piece::Filter::kWithin) out += ", of it " + Set(piece.bytes);
      if (piece.filter == MaskStore::Piece::Filter::kOutside)
        out += ", but for " + Set(piece.bytes);
      out += Modes(piece.modes) + '\n';
    }
    return out.empty() ? "  no token goes on from here\n" : out;
  }
  void AddState(DfaStateId q) {
    out_ += fmt::format("\n{}\n", StateName(lexer_, q));
    const std::string within = Pieces(q, LineContext::kWithin),
                      beginning = Pieces(q, LineContext::kBeginning);
    out_ += within;
    if (beginning != within) out_ += "  at the beginning of a line\n" + beginning;
  }

  void AddMembers(const MaskStore::Group& group) {
    if (group.primary != kNoLexeme) {
      out_ += fmt::format("  may end as {}: {}\n", LexemeName(lexer_, grammar_, group.primary),
                          Set(group.all));
    } else {
      out_ += fmt::format("  to be looked at one by one: {}\n", Set(group.all));
    }
    for (const MaskStore::Member& member : store_.members(group)) {
      out_ += fmt::format("    {}{}{}: {}{}\n", member.whole ? "the lexeme itself, " : "",
                          StateName(lexer_, member.q), Blanks(member.blanks), Set(member.tokens),
                          member.guards > 0 ? ", a longer one is possible" : "");
    }
  }
  void AddChild(const MaskStore::Child& child) {
    out_ += fmt::format("  {}{} -> {}{}\n", LexemeName(lexer_, grammar_, child.lexeme),
                        Blanks(child.blanks), Name(child.node), Modes(child.modes));
    for (uint16_t s = 0; s < store_.language().table.state_count(); ++s) {
      for (bool in_brackets : {false, true}) {
        const MaskStore::Seen* seen = store_.seen(child, LrStateId{s}, in_brackets);
        if (!seen) continue;
        out_ += fmt::format(
            "    {}{}: always {}; left to ask: {}; where R restricts the stack: {}\n",
            LrStateName(grammar_, store_.language().table, LrStateId{s}),
            in_brackets ? ", within brackets" : "", seen->some ? Set(seen->always) : "nothing",
            Name(seen->rest), Name(seen->possible));
      }
    }
  }
  void AddNode(SequenceNodeId id) {
    out_ += fmt::format("\nnode {}\n", id.value);
    const MaskStore::Node& node = store_.node(id);
    for (const MaskStore::Group& group : store_.groups(node)) AddMembers(group);
    for (const MaskStore::Child& child : store_.children(node)) AddChild(child);
  }

  const MaskStore& store_;
  const Lexer& lexer_;
  const Grammar& grammar_;
  std::vector<SequenceNodeId> nodes_;  // to be shown, each once
  std::set<SequenceNodeId> numbered_;
  std::string out_;
};

}  // namespace

std::string Dump(const MaskStore& store) { return StoreDump(store).Run(); }

}  // namespace tenon::constraint
