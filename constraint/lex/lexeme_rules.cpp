#include "constraint/lex/lexeme_rules.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "constraint/characters/characters.h"
#include "constraint/lex/reached_bits.h"

namespace tenon::constraint {

namespace {

constexpr size_t kLongestQuote = 40;  // bytes of a name in a message

// The rule that a lexeme's winner keeps to.
std::optional<size_t> FindRule(const std::vector<LexemeRule>& rules, const Lexeme& lexeme) {
  for (size_t r = 0; r < rules.size() && lexeme.kind != TerminalKind::kPoison; ++r) {
    if (std::binary_search(rules[r].terminals.begin(), rules[r].terminals.end(),
                           lexeme.terminals[0]))
      return r;
  }
  return std::nullopt;
}

// May emitted bytes lead to a name? Every state is looked at with what may have been read of an
// opener there, and the rest of the opener is tried over emit edges. `rule_at`: the rule about
// names in a state, or nothing; `follow`: the phase after one more byte.
template <typename RuleAt, typename Follow>
bool MayWriteNames(const Lexer& lexer, RuleAt rule_at, Follow follow) {
  constexpr size_t kPhases = 256;
  std::vector<bool> seen(lexer.state_count() * kPhases);
  std::vector<std::pair<DfaStateId, uint8_t>> work;
  const auto go_on = [&](DfaStateId from, uint8_t phase) {
    for (int b = 0; b < 256; ++b) {
      const uint8_t byte = static_cast<uint8_t>(b);
      const DfaStateId to = lexer.Next(from, byte);
      if (to == kDeadState || rule_at(to) == nullptr) continue;
      const uint8_t after = follow(to, phase, byte);
      if (seen[to.value * kPhases + after]) continue;
      seen[to.value * kPhases + after] = true;
      work.emplace_back(to, after);
    }
  };
  for (const DfaStateId start : lexer.starts()) go_on(start, 0);
  while (!work.empty()) {
    auto [at, phase] = work.back();
    work.pop_back();
    go_on(at, phase);
    if (phase > 1) continue;  // such a lexeme is pressing by itself
    bool written = true;
    for (const char c : std::string_view(rule_at(at)->opener).substr(phase)) {
      const uint8_t byte = static_cast<uint8_t>(c);
      written = written && lexer.IsEmitEdge(at, byte);
      if (written) at = lexer.Next(at, byte);
    }
    if (written) return true;
  }
  return false;
}

}  // namespace

LexemeRules::LexemeRules(const Grammar& grammar, const Lexer& lexer)
    : lexer_(lexer), rules_(grammar.lexeme_rules) {
  if (rules_.empty()) return;
  for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) {
    const auto rule = FindRule(rules_, lexer.lexeme(LexemeId{l}));
    of_lexeme_.push_back(rule ? static_cast<uint8_t>(*rule) : kNoRule);
  }
  const size_t states = lexer.state_count();
  std::vector<uint16_t> own(states);
  for (uint16_t s = 0; s < states; ++s) {
    const DfaStateId q{s};
    const LexemeId here = lexer.IsStart(q) ? kNoLexeme : lexer.LexemeAt(q);
    if (here == kNoLexeme || lexer.lexeme(here).kind == TerminalKind::kPoison) continue;
    const LexemeRule* rule = RuleOf(here);
    own[s] = rule != nullptr ? static_cast<uint16_t>(1u << (rule - rules_.data())) : kOther;
  }
  reached_ = ReachedBits(lexer, std::move(own));
  of_state_.assign(states, kNoRule);
  for (uint16_t s = 0; s < states; ++s) {
    const uint16_t ruled = reached_[s] & (kOther - 1);
    if (ruled == 0 || lexer.IsStart(DfaStateId{s})) continue;
    of_state_[s] = static_cast<uint8_t>(std::countr_zero(ruled));
  }
  const auto rule_at = [this](DfaStateId q) {
    return of_state_[q.value] != kNoRule && rules_[of_state_[q.value]].names
               ? &rules_[of_state_[q.value]]
               : nullptr;
  };
  const auto follow = [&](DfaStateId to, uint8_t phase, uint8_t byte) {
    // In a name, whichever it is.
    if (phase == kInName)
      return byte == static_cast<uint8_t>(rule_at(to)->closer[0]) ? uint8_t{0} : kInName;
    return Follow(to, {0, phase}, byte).phase;
  };
  writes_names_ = MayWriteNames(lexer, rule_at, follow);
}

std::optional<std::pair<TerminalId, TerminalId>> LexemeRules::Conflict() const {
  for (uint16_t s = 0; s < of_state_.size(); ++s) {
    const uint16_t ruled = reached_[s] & (kOther - 1);
    if (of_state_[s] == kNoRule || std::has_single_bit(ruled)) continue;
    return std::pair(rules_[of_state_[s]].terminals[0],
                     rules_[static_cast<size_t>(std::bit_width(ruled)) - 1].terminals[0]);
  }
  return std::nullopt;
}

LexemeProgress LexemeRules::FollowBy(const LexemeRule& rule, LexemeProgress before, uint8_t byte) {
  if (!rule.names) return {before.value + (rule.counted[byte] ? 1u : 0u), 0};
  if (before.phase == kBroken) return before;
  if (before.phase == kInName) {
    const CharacterNames& names = CharacterNames::Get();
    if (byte == static_cast<uint8_t>(rule.closer[0]))
      return names.IsName(before.value) ? LexemeProgress{} : LexemeProgress{0, kBroken};
    const auto next = names.Next(before.value, byte);
    return next ? LexemeProgress{*next, kInName} : LexemeProgress{0, kBroken};
  }
  if (byte != static_cast<uint8_t>(rule.opener[before.phase])) return {};
  const uint8_t read = before.phase + 1;
  return {0, read == rule.opener.size() ? kInName : read};
}

LexemeProgress LexemeRules::Follow(DfaStateId to, LexemeProgress before, uint8_t byte) const {
  return FollowBy(rules_[of_state_[to.value]], before, byte);
}

bool LexemeRules::Ends(DfaStateId q, LexemeProgress progress, std::string_view rest,
                       LexemeId lexeme) const {
  if (!any() || RuleOf(lexeme) == nullptr) return true;
  for (const char c : rest) {
    q = lexer_.Next(q, static_cast<uint8_t>(c));
    if (q == kDeadState) return false;
    progress = Next(q, progress, static_cast<uint8_t>(c));
  }
  return !Breaks(*RuleOf(lexeme), progress);
}

std::optional<LexemeRules::Broken> LexemeRules::FindBroken(LexemeId lexeme,
                                                           std::string_view text) const {
  const LexemeRule* rule = any() ? RuleOf(lexeme) : nullptr;
  if (rule == nullptr) return std::nullopt;
  LexemeProgress progress;
  size_t name = 0;  // where the last one begins
  for (size_t i = 0; i < text.size(); ++i) {
    const LexemeProgress before = progress;
    progress = FollowBy(*rule, progress, static_cast<uint8_t>(text[i]));
    if (before.phase != kInName && progress.phase == kInName) name = i + 1;
    if (!Breaks(*rule, progress)) continue;
    if (!rule->names)
      return Broken{0, fmt::format("there are more than {} {} in it", rule->most, rule->what)};
    const size_t end = std::min(text.find(rule->closer, name), text.size());
    return Broken{name - rule->opener.size(),
                  fmt::format("no character is called '{}{}'",
                              text.substr(name, std::min(end - name, kLongestQuote)),
                              end - name > kLongestQuote ? "…" : "")};
  }
  return std::nullopt;
}

bool LexemeRules::IsPressing(DfaStateId q, LexemeProgress progress, size_t bytes) const {
  if (!any()) return false;
  const auto any_lexeme_may = [&](const LexemeRule& rule) {
    return rule.names ? writes_names_ : bytes > rule.most;
  };
  if (std::any_of(rules_.begin(), rules_.end(), any_lexeme_may)) return true;
  if (of_state_[q.value] == kNoRule) return false;
  const LexemeRule& rule = rules_[of_state_[q.value]];
  return rule.names ? progress.phase > 1 : progress.value + bytes > rule.most;
}

std::string LexemeRules::NameRest(DfaStateId q, LexemeProgress progress) const {
  if (progress.phase != kInName) return "";
  return CharacterNames::Get().Rest(progress.value) + rules_[of_state_[q.value]].closer;
}

}  // namespace tenon::constraint
