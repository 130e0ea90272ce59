#include "server/complete/completion_task.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/complete/missing_sign.h"
#include "server/complete/missing_sign_by_syntax.h"
#include "server/complete/shown_right.h"
#include "server/decode/token_cost.h"
#include "server/region/missing_brackets.h"
#include "server/region/seam_order.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"

namespace tenon::server {

namespace {

// The longest closing text that is searched for an expression: four bytes for each token that a
// request may have.
constexpr size_t kMaxExpressionBytes = 16'384;

tl::unexpected<CompletionAnswer> Refuse(std::string reason) {
  return tl::unexpected(CompletionAnswer::Nothing(std::move(reason)));
}

std::string ToText(const Error& error) { return error.ToString(); }

uint32_t BudgetOf(const CompletionRequest& request) {
  return static_cast<uint32_t>(std::max(request.max_tokens, 0));
}

// The gap under the scope that was asked for, or under the next wider one within which it can be
// closed.
Budget Within(const Gap& gap, Scope scope, uint32_t budget, const std::stop_token& cancel) {
  for (;; scope = static_cast<Scope>(static_cast<uint8_t>(scope) - 1)) {
    const bool free = scope == Scope::kFree;
    Budget budgeted(free ? gap : gap.WithScope(scope), budget, cancel);
    if (free || budgeted.feasible() || cancel.stop_requested()) return budgeted;
  }
}

// How many brackets of a region's own text, or of those that tenon's closing text closes, a middle
// may close.
size_t MostClosing(std::string_view own_left, std::string_view closing) {
  return std::max(OpenBrackets(own_left).size(), LoneBracketsOf(closing).closing.size());
}

// Why nothing can be written into a gap; nothing where something can.
std::optional<std::string> WhyNotViable(const Gap& gap) {
  if (gap.right_too_long())
    return "the text right of the cursor is too long to be read for each completion";
  if (gap.viable()) return std::nullopt;
  if (gap.too_ambiguous())
    return "the text around the cursor can be read in too many ways at once for all of them to be "
           "followed";
  return "the text around the cursor is not valid, or nothing can be written there";
}

}  // namespace

bool IsAtCursor(const CompletionTask& task) {
  return !std::holds_alternative<PromptTask>(task) && !std::holds_alternative<ExpressionTask>(task);
}

TaskMaker::TaskMaker(const model::Tokenizer& tokenizer,
                     std::shared_ptr<const LanguageRegistry> languages,
                     std::shared_ptr<const SyntaxRegistry> syntaxes)
    : TaskMaker(CanonicalCount(tokenizer), std::move(languages), std::move(syntaxes)) {
  stores_.emplace(tokenizer, languages_->cache());
}

TaskMaker::TaskMaker(TokenCount count, std::shared_ptr<const LanguageRegistry> languages,
                     std::shared_ptr<const SyntaxRegistry> syntaxes)
    : count_(std::move(count)), languages_(std::move(languages)), syntaxes_(std::move(syntaxes)) {}

MaskSource TaskMaker::MasksOf(const Language& language) {
  if (!stores_) return {};
  return [this, language] { return stores_->Of(language); };
}

TaskMaker::Made TaskMaker::Prepare(const CompletionRequest& request,
                                   const std::stop_token& cancel) {
  if (!request.prompt && request.constraint == ConstraintMode::kOff) return UnconstrainedTask{};
  if (!request.prompt && !languages_->HasGrammar(request.language_id))
    return PrepareWithoutGrammar(request, cancel);
  auto grounds = GroundsOf(request);
  if (!grounds) return tl::unexpected(std::move(grounds.error()));
  if (!request.prompt) return PrepareGap(request, *std::move(grounds), cancel);
  return request.regex ? PrepareExpression(request, *std::move(grounds), cancel)
                       : PreparePrompt(request, *std::move(grounds));
}

std::optional<MissingSign> TaskMaker::FindMissingSign(const CompletionRequest& request,
                                                      const std::stop_token& cancel) {
  if (!request.adds_missing_sign || request.prompt || request.constraint != ConstraintMode::kBoth)
    return std::nullopt;
  const std::string_view text = request.text;
  if (!languages_->HasGrammar(request.language_id)) {
    const auto syntax = syntaxes_->Get(request.language_id);
    return syntax ? FindMissingSignBySyntax(*syntax, text, request.offset_bytes, cancel)
                  : std::nullopt;
  }
  const auto grounds = GroundsOf(request);
  if (!grounds) return std::nullopt;
  OpenDocuments::Open& document =
      documents_.Of(grounds->language, request.document, OpenDocuments::Clock::now());
  const auto viable = [](std::optional<Gap> gap) {
    return gap && gap->viable() ? std::move(gap) : std::nullopt;
  };
  GapOpeners open;
  open.whole = [&](std::string_view left, std::string_view right) {
    return viable(document.whole.Open(left, right, grounds->options, cancel));
  };
  open.region_at = [&](std::string_view without, size_t cursor) -> std::optional<Region> {
    RegionGaps* regions = RegionsOf(request, *grounds, document);
    auto found = regions ? regions->Open(without, cursor, grounds->options, cancel) : std::nullopt;
    if (!found || found->seam != Seam::kClosed) return std::nullopt;
    return std::move(found->region);
  };
  open.in_region = [&](std::string_view left, std::string_view right) {
    return viable(document.regions->OpenIn(left, right, grounds->options, cancel));
  };
  return server::FindMissingSign(text, request.offset_bytes, open);
}

tl::expected<TaskMaker::Grounds, CompletionAnswer> TaskMaker::GroundsOf(
    const CompletionRequest& request) const {
  const auto language = request.prompt && request.regex
                            ? Language::FromRegex(*request.regex).map_error(ToText)
                            : languages_->Get(request.language_id);
  if (!language) return Refuse(language.error());
  const auto level = language->FindLevel(request.level);
  if (!level) return Refuse(level.error().ToString());
  Grounds grounds{*language, {}};
  grounds.options.level = *level;
  grounds.options.count = count_;
  return grounds;
}

TaskMaker::Made TaskMaker::PrepareGap(const CompletionRequest& request, Grounds grounds,
                                      const std::stop_token& cancel) {
  const std::string_view text = request.text;
  const std::string_view left = text.substr(0, request.offset_bytes),
                         right = text.substr(request.offset_bytes);
  const bool both = request.constraint == ConstraintMode::kBoth;
  OpenDocuments::Open& document =
      documents_.Of(grounds.language, request.document, OpenDocuments::Clock::now());
  if (both && request.scope != Scope::kArgument && !ClosedAhead(right).empty()) {
    if (auto task = TaskOverClosedAhead(request, grounds, document, cancel))
      return *std::move(task);
  }
  auto opened = document.whole.Open(left, both ? right : "", grounds.options, cancel);
  if (!opened) return tl::unexpected(CompletionAnswer::Cancelled());
  auto why = WhyNotViable(*opened);
  if (!why) {
    if (auto task = TaskIn(request, grounds, *std::move(opened), left, right, cancel)) {
      if (both && *task &&
          IsRegionFirst(text, request.offset_bytes,
                        std::get<GapTask>(**task).gap.Finish().middle)) {
        auto in_region = TaskInRegion(request, grounds, document, cancel);
        if (in_region && (*in_region || in_region->error().cancelled)) return *std::move(in_region);
      }
      return *std::move(task);
    }
    why = "no text was found that joins both sides of the cursor";
  }
  if (both) {
    auto made = FirstAfterClosedSeam<Made>(
        [&](Seam seam) { return TaskOverSeam(request, grounds, document, seam, cancel); },
        [&] { return TaskInRegion(request, grounds, document, cancel); },
        [&](const Made& in_region) {
          const auto* task = in_region ? std::get_if<GapTask>(&*in_region) : nullptr;
          return task ? SeamsBefore(task->in_region->region, text, request.offset_bytes)
                      : std::vector{Seam::kRest};
        });
    if (made) return *std::move(made);
  }
  if (cancel.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  if (both && languages_->HasSyntaxOtherwise(request.language_id))
    return PrepareSyntax(request, cancel);
  return Refuse(*std::move(why));
}

std::optional<TaskMaker::Made> TaskMaker::TaskOverClosedAhead(const CompletionRequest& request,
                                                              const Grounds& grounds,
                                                              OpenDocuments::Open& document,
                                                              const std::stop_token& cancel) {
  const std::string_view text = request.text;
  const std::string_view left = text.substr(0, request.offset_bytes);
  const std::string_view closed = ClosedAhead(text.substr(request.offset_bytes));
  const std::string_view right = text.substr(request.offset_bytes + closed.size());
  auto opened = document.whole.Open(left, right, grounds.options, cancel);
  if (!opened) return tl::unexpected(CompletionAnswer::Cancelled());
  if (WhyNotViable(*opened)) return std::nullopt;
  auto made = TaskIn(request, grounds, *std::move(opened), left, right, cancel);
  if (!made || !*made) return std::nullopt;
  auto& task = std::get<GapTask>(**made);
  if (IsRegionFirst(text, request.offset_bytes + closed.size(), task.gap.Finish().middle))
    return std::nullopt;
  task.filter.cursor.closed_ahead = closed;
  return made;
}

std::optional<TaskMaker::Made> TaskMaker::TaskOverSeam(const CompletionRequest& request,
                                                       const Grounds& grounds,
                                                       OpenDocuments::Open& document, Seam seam,
                                                       const std::stop_token& cancel) {
  const std::string_view text = request.text;
  const std::string_view left = text.substr(0, request.offset_bytes),
                         right = text.substr(request.offset_bytes);
  GapOptions options = grounds.options;
  options.seam = seam;
  auto opened = document.whole.Open(left, right, options, cancel);
  if (!opened) return tl::unexpected(CompletionAnswer::Cancelled());
  if (!opened->viable()) return std::nullopt;
  return TaskIn(request, grounds, *std::move(opened), left, right, cancel);
}

std::optional<TaskMaker::Made> TaskMaker::TaskIn(const CompletionRequest& request,
                                                 const Grounds& grounds, Gap opened,
                                                 std::string_view left, std::string_view right,
                                                 const std::stop_token& cancel) {
  const bool both = request.constraint == ConstraintMode::kBoth;
  Budget gap = Within(opened, request.scope, both ? BudgetOf(request) : kUnlimitedTokens, cancel);
  if (cancel.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  if (both && !gap.needs()) return std::nullopt;
  if (!gap.feasible()) return tl::unexpected(CompletionAnswer::Infeasible(*gap.needs()));

  const std::string_view text = request.text, next = FirstLineWithText(right);
  const size_t next_at = next.empty() ? 0 : static_cast<size_t>(next.data() - right.data());
  const std::string_view rest = right.substr(0, right.find_first_of("\r\n"));
  FilterOptions filter;
  filter.goal = both ? Goal::kJoin : Goal::kLine;
  filter.cursor = {.healed = std::string(left.substr(left.size() - HealedBytes(left))),
                   .left_line = std::string(left.substr(LineBeginAt(left, left.size()))),
                   .right_line = std::string(rest),
                   .next_text = std::string(next),
                   .next_columns = IndentationColumnsAt(right, next_at),
                   .indented_less = IsIndentedLess(left) && IsBlank(rest),
                   .begins_file = IsBlank(text.substr(0, request.offset_bytes)) && !IsBlank(right),
                   .empty_block = EmptyBlockAt(left, right)};
  filter.masks = MasksOf(grounds.language);
  GapTask task{std::move(gap), std::move(filter), std::move(opened)};
  if (!both || languages_->NamesPath(request.language_id).empty()) return task;
  const auto syntax = syntaxes_->Get(request.language_id);
  if (!syntax) return task;
  auto names = syntaxes_->NamesOf(request.language_id);
  if (!names) return Refuse(std::move(names.error()));
  task.names = NameRules{*syntax, *std::move(names)};
  return task;
}

RegionGaps* TaskMaker::RegionsOf(const CompletionRequest& request, const Grounds& grounds,
                                 OpenDocuments::Open& document) {
  const auto syntax = syntaxes_->Get(request.language_id);
  if (!syntax) return nullptr;
  if (!document.regions) document.regions.emplace(grounds.language, *syntax);
  return &*document.regions;
}

std::optional<TaskMaker::Made> TaskMaker::TaskInRegion(const CompletionRequest& request,
                                                       const Grounds& grounds,
                                                       OpenDocuments::Open& document,
                                                       const std::stop_token& cancel) {
  RegionGaps* regions = RegionsOf(request, grounds, document);
  if (!regions) return std::nullopt;
  auto found = regions->Open(request.text, request.offset_bytes, grounds.options, cancel);
  if (!found) return std::nullopt;
  const std::string_view text = request.text;
  auto made = TaskIn(request, grounds, std::move(found->gap),
                     text.substr(found->region.begin, request.offset_bytes - found->region.begin),
                     text.substr(request.offset_bytes), cancel);
  if (made && *made) {
    auto& task = std::get<GapTask>(**made);
    task.filter.cursor.most_closing =
        MostClosing(text.substr(found->region.begin, request.offset_bytes - found->region.begin),
                    task.gap.Finish().middle);
    task.in_region = RegionOfFile{std::move(found->region), grounds.language,
                                  *syntaxes_->Get(request.language_id)};
  }
  return made;
}

TaskMaker::Made TaskMaker::PrepareWithoutGrammar(const CompletionRequest& request,
                                                 const std::stop_token& cancel) {
  if (!languages_->Syntax(request.language_id).empty()) return PrepareSyntax(request, cancel);
  if (request.any_language) return UnconstrainedTask{};
  return Refuse(fmt::format("no grammar for language '{}', and no syntax", request.language_id));
}

TaskMaker::Made TaskMaker::PrepareSyntax(const CompletionRequest& request,
                                         const std::stop_token& cancel) {
  const auto language = syntaxes_->Get(request.language_id);
  if (!language) return Refuse(language.error());
  const bool both = request.constraint == ConstraintMode::kBoth;
  const std::string_view text = request.text;
  const std::string_view left = text.substr(0, request.offset_bytes);
  auto around = trees_.Parse(request.document, *language, both ? text : left, cancel);
  if (cancel.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  if (!around) return Refuse("the text around the cursor takes too long to be parsed");
  const bool several_lines = request.scope != Scope::kLine && request.scope != Scope::kArgument;
  MiddleJudge judge(*language, *std::move(around), request.offset_bytes,
                    ComesAfterHalfTyped(text, request.offset_bytes));
  return SyntaxTask{SyntaxMiddle(std::move(judge), several_lines),
                    std::string(left.substr(left.size() - HealedBytes(left)))};
}

TaskMaker::Made TaskMaker::PreparePrompt(const CompletionRequest& request, Grounds grounds) {
  auto opened = Gap::Open(grounds.language, request.text, "", std::move(grounds.options));
  if (!opened.viable()) return Refuse("the prompt is not the beginning of a valid text");
  FilterOptions filter;
  filter.goal = Goal::kText;
  filter.masks = MasksOf(grounds.language);
  return PromptTask{Budget(opened, kUnlimitedTokens), std::move(filter)};
}

TaskMaker::Made TaskMaker::PrepareExpression(const CompletionRequest& request, Grounds grounds,
                                             const std::stop_token& cancel) {
  grounds.options.max_closing_bytes = kMaxExpressionBytes;
  auto opened = Gap::Open(grounds.language, "", "", std::move(grounds.options));
  if (!opened.viable()) return Refuse("the prompt is not the beginning of a valid text");
  if (stores_) static_cast<void>(stores_->Of(grounds.language));  // made while the model computes
  Budget gap(opened, BudgetOf(request), cancel);
  if (cancel.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  if (!gap.needs()) {
    return Refuse(fmt::format(
        "every text that the expression matches is longer than {} bytes, and none of them is "
        "searched",
        kMaxExpressionBytes));
  }
  if (!gap.feasible()) return tl::unexpected(CompletionAnswer::Infeasible(*gap.needs()));
  FilterOptions filter;
  filter.goal = Goal::kText;
  filter.masks = MasksOf(grounds.language);
  return ExpressionTask{std::move(gap), std::move(filter)};
}

}  // namespace tenon::server
