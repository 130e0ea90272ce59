#include "tenon/gap.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"

namespace tenon {

namespace {

constexpr std::array kScopes = {Scope::kFree, Scope::kBlock, Scope::kStatement, Scope::kLine,
                                Scope::kArgument};

constraint::Scope ScopeOf(Scope scope) {
  switch (scope) {
    case Scope::kFree:
      return constraint::Scope::kFree;
    case Scope::kBlock:
      return constraint::Scope::kBlock;
    case Scope::kStatement:
      return constraint::Scope::kStatement;
    case Scope::kLine:
      return constraint::Scope::kLine;
    case Scope::kArgument:
      return constraint::Scope::kArgument;
  }
  assert(false && "a scope is one of its enumerators");
  return constraint::Scope::kFree;
}

constraint::Seam SeamOf(Seam seam) {
  switch (seam) {
    case Seam::kClosed:
      return constraint::Seam::kClosed;
    case Seam::kLine:
      return constraint::Seam::kLine;
    case Seam::kRest:
      return constraint::Seam::kRest;
    case Seam::kOpen:
      return constraint::Seam::kOpen;
  }
  assert(false && "a seam is one of its enumerators");
  return constraint::Seam::kClosed;
}

}  // namespace

const char* ToString(Seam seam) {
  switch (seam) {
    case Seam::kClosed:
      return "closed";
    case Seam::kLine:
      return "line";
    case Seam::kRest:
      return "rest";
    case Seam::kOpen:
      return "open";
  }
  assert(false && "a seam is one of its enumerators");
  return "closed";
}

const char* ToString(Scope scope) { return constraint::ToString(ScopeOf(scope)); }

std::optional<Scope> ScopeNamed(std::string_view name) {
  const auto found = std::find_if(kScopes.begin(), kScopes.end(),
                                  [&](Scope scope) { return name == ToString(scope); });
  if (found == kScopes.end()) return std::nullopt;
  return *found;
}

constraint::GapPolicy PolicyOf(const constraint::Language& language, GapOptions options) {
  constraint::GapPolicy policy;
  policy.emit = options.emit;
  policy.seam = SeamOf(options.seam);
  policy.scope = ScopeOf(options.scope);
  policy.levels = BitsOf(language, options.level);
  policy.max_closing_bytes = options.max_closing_bytes;
  policy.count = std::move(options.count);
  return policy;
}

Gap Gap::Open(const Language& language, std::string_view left, std::string_view right,
              GapOptions options) {
  const std::shared_ptr<const constraint::Language>& compiled = Internals::Of(language);
  return Internals::Wrap(
      constraint::OpenGap(compiled, left, right, PolicyOf(*compiled, std::move(options))));
}

bool Gap::viable() const { return state_->viable(); }

bool Gap::too_ambiguous() const { return state_->too_ambiguous(); }

bool Gap::right_too_long() const { return state_->right_too_long(); }

bool Gap::Check(std::string_view bytes) const { return state_->Check(bytes); }

bool Gap::Accept(std::string_view bytes) {
  constraint::GapState next = *state_;
  if (!next.Accept(bytes)) return false;
  state_ = std::make_shared<const constraint::GapState>(std::move(next));
  return true;
}

bool Gap::Member() const { return constraint::ClosesInContext(*opened_, *state_); }

const std::string& Gap::middle() const { return state_->middle(); }

std::vector<std::string> Gap::Expected() const { return state_->Expected(); }

std::vector<uint8_t> Gap::LiveBytes(size_t most) const {
  return constraint::LiveBytes(*state_, most);
}

std::string Gap::Forced(size_t most_bytes) const {
  return constraint::ForcedText(*state_, most_bytes);
}

std::optional<Closing> Gap::Close(uint32_t enough) const {
  auto closing = constraint::FindClosing(*state_, enough);
  if (!closing) return std::nullopt;
  // Before anything is written it is the text that others are compared with.
  if (!middle().empty() && !constraint::ClosesInContext(*opened_, *state_, closing->text))
    return std::nullopt;
  return Closing{std::move(closing->text), closing->tokens};
}

std::optional<uint32_t> Gap::ClosingBytes() const { return constraint::ClosingCost(*state_); }

Gap Gap::WithScope(Scope scope) const {
  assert(middle().empty() && "a scope counts from where the middle begins");
  return Internals::Wrap(state_->WithScope(ScopeOf(scope)));
}

const std::string& Gap::line_end() const { return state_->line_end(); }

uint32_t Gap::CountTokens(std::string_view text) const { return state_->CountTokens(text); }

}  // namespace tenon
