#include "server/complete/prompt_maker.h"

#include <string>
#include <utility>
#include <variant>

#include "server/complete/overloaded.h"
#include "server/complete/shown_right.h"

namespace tenon::server {
namespace {

// The window of a prompt, 5 KB, never needs more, but for odd texts.
constexpr size_t kPromptTokens = 2600;
// Snippets of other files take so many more.
constexpr size_t kSnippetTokens = 900;
// More of them are hardly what the model writes.
constexpr size_t kMaxHealedTokens = 2;
constexpr model::FimWindow kNearWindow{.left_bytes = 1024, .right_bytes = 256};

}  // namespace

Prompt PromptMaker::For(const CompletionRequest& request, const CompletionTask& task,
                        PromptExtent extent, const std::stop_token& stop) {
  return std::visit(
      Overloaded{[&](const GapTask& gap) -> Prompt {
                   return {AroundGap(request, gap.filter.cursor.healed.size(), extent, stop),
                           extent, TokensAhead(gap.filter.cursor.healed)};
                 },
                 [&](const SyntaxTask& syntax) -> Prompt {
                   return {AroundGap(request, syntax.healed.size(), extent, stop), extent,
                           TokensAhead(syntax.healed)};
                 },
                 [&](const UnconstrainedTask&) { return AtCursor(request, extent, stop); },
                 [&](const auto& /*a prompt or an expression*/) -> Prompt {
                   return {AfterText(request), PromptExtent::kAll};
                 }},
      task);
}

Prompt PromptMaker::AtCursor(const CompletionRequest& request, PromptExtent extent,
                             const std::stop_token& stop) {
  const std::string_view text = request.text;
  return {AroundCursor(request, text.substr(0, request.offset_bytes),
                       text.substr(request.offset_bytes), extent, stop),
          extent};
}

// Both contexts among the model's markers.
std::vector<TokenId> PromptMaker::AroundCursor(const CompletionRequest& request,
                                               std::string_view left, std::string_view right,
                                               PromptExtent extent, const std::stop_token& stop) {
  const model::FimFormat& format = model_->fim_format();
  if (extent == PromptExtent::kNear) {
    const auto further_up = [&](std::string_view hidden, std::string_view shown) {
      return further_up_.For(request, hidden, shown, right, stop);
    };
    return format
        .BuildPrompt(model_->tokenizer(), request.name, left, right, kPromptTokens, further_up,
                     kNearWindow)
        .tokens;
  }
  const auto beside = surroundings_.For(request, left, right, format.shows_files(), stop);
  const std::vector<model::FimSnippet> snippets = beside.snippets();
  return format
      .BuildPrompt(model_->tokenizer(), request.name, left, right,
                   kPromptTokens + (snippets.empty() ? 0 : kSnippetTokens), beside.outline, {},
                   snippets)
      .tokens;
}

std::vector<TokenId> PromptMaker::TokensAhead(std::string_view healed) const {
  std::vector<TokenId> tokens = HealedTokens(model_->tokenizer(), healed);
  if (tokens.size() > kMaxHealedTokens) tokens.clear();
  return tokens;
}

// The left context lacks the healed bytes, which are generated anew.
std::vector<TokenId> PromptMaker::AroundGap(const CompletionRequest& request, size_t healed_bytes,
                                            PromptExtent extent, const std::stop_token& stop) {
  const std::string_view text = request.text;
  const std::string_view right = text.substr(request.offset_bytes);
  return AroundCursor(request, text.substr(0, request.offset_bytes - healed_bytes),
                      request.constraint == ConstraintMode::kBoth ? ShownRight(right) : right,
                      extent, stop);
}

// The last tokens of a text that is written on. An empty text begins after another one's end.
std::vector<TokenId> PromptMaker::AfterText(const CompletionRequest& request) const {
  std::vector<TokenId> tokens =
      model_->tokenizer().Encode(request.text, false, model::TextPlace::kBeginning);
  if (tokens.size() > kPromptTokens) tokens.erase(tokens.begin(), tokens.end() - kPromptTokens);
  const std::vector<TokenId>& ends = model_->fim_format().end_tokens();
  if (tokens.empty() && !ends.empty()) tokens.push_back(ends.back());
  return tokens;
}

}  // namespace tenon::server
