// A completion, prepared: everything that is known about it before the model computes anything.
//
// A request asks for one of five tasks. `|` is the cursor:
//
//   GapTask            `f(a, |)`   the middle joins the text on both sides of the cursor, or on the
//                                  left side alone where the request says so
//   PromptTask         `[1, 2|`    a text is written on, up to its end
//   ExpressionTask     `Phone: |`  a whole match of a regular expression is written after a text
//   SyntaxTask         `f(a, |)`   the model writes what it will, and it is cut so that it adds no
//                                  syntax error: for languages with a syntax and no grammar, and
//                                  for some where the grammar proves nothing ("otherwise" in
//                                  server/languages/language_registry.h)
//   UnconstrainedTask  `f(a, |)`   the model writes the rest of a line, whatever it is
//
// The first three hold a gap: the left context, the right context (empty but for a GapTask) and the
// tokens that may be spent between them. The gap of a GapTask or ExpressionTask has a budget and is
// feasible: a closing text within the budget was found. The gap of a PromptTask has none, because
// the tokens may end in the middle of a long text.
//
// Cost: opening the gap and finding its first closing text (docs/measured.md).
// Thread rule: one thread at a time; the tasks share memos with the maker.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include <tl/expected.hpp>

#include "server/complete/open_documents.h"
#include "server/decode/gap_filter.h"
#include "server/decode/mask_stores.h"
#include "server/languages/language_registry.h"
#include "server/region/region.h"
#include "server/request/completer.h"
#include "server/syntax/document_trees.h"
#include "server/syntax/name_query.h"
#include "server/syntax/syntax_middle.h"
#include "server/syntax/syntax_registry.h"
#include "tenon/budget.h"

namespace tenon::server {

// The rules for names that middles obey (name_guard.h).
struct NameRules {
  const TSLanguage* syntax;
  std::shared_ptr<const NameQuery> query;  // never null
};

// The region of a broken file in which middles are proved, and what guards the rest of the file
// (region_guard.h).
struct RegionOfFile {
  Region region;
  Language language;
  const TSLanguage* syntax;
};

struct GapTask {
  Budget gap;  // under the scope that was found for it
  FilterOptions filter;
  Gap opened;                                  // without scope and budget
  std::optional<NameRules> names = {};         // absent: the language has none
  std::optional<RegionOfFile> in_region = {};  // absent: the gap is that of the whole file
  std::optional<MissingSign> added_sign = {};  // that the request's text has, and the file lacks

  [[nodiscard]] Guarantee guarantee() const {
    return in_region ? Guarantee::kRegion : Guarantee::kFile;
  }
};

struct PromptTask {
  Budget gap;
  FilterOptions filter;
};

struct ExpressionTask {
  Budget gap;
  FilterOptions filter;
};

struct SyntaxTask {
  SyntaxMiddle middle;
  std::string healed;  // the end of the left context that the model writes anew
};

struct UnconstrainedTask {};

using CompletionTask =
    std::variant<GapTask, PromptTask, ExpressionTask, SyntaxTask, UnconstrainedTask>;

// Is the middle written at the cursor? Else it is written at the end of the text.
[[nodiscard]] bool IsAtCursor(const CompletionTask& task);

class TaskMaker {
 public:
  // REQUIRES: the tokenizer outlives the maker and its tasks, and the maker outlives its tasks.
  TaskMaker(const model::Tokenizer& tokenizer, std::shared_ptr<const LanguageRegistry> languages,
            std::shared_ptr<const SyntaxRegistry> syntaxes);
  // For a model whose tokens are not known: `count` estimates them, and tasks have no masks.
  TaskMaker(TokenCount count, std::shared_ptr<const LanguageRegistry> languages,
            std::shared_ptr<const SyntaxRegistry> syntaxes);

  // The error is the answer to a request that has no task: the reason, or that it was cancelled.
  // REQUIRES: the request's offset lies within its text.
  [[nodiscard]] tl::expected<CompletionTask, CompletionAnswer> Prepare(
      const CompletionRequest& request, const std::stop_token& cancel);
  // The sign that the line above lacks, where the request asks for such signs and may have one
  // (missing_sign.h).
  [[nodiscard]] std::optional<MissingSign> FindMissingSign(const CompletionRequest& request,
                                                           const std::stop_token& cancel);

 private:
  using Made = tl::expected<CompletionTask, CompletionAnswer>;
  // The language of a request, and the options of every gap that is opened for it.
  struct Grounds {
    Language language;
    GapOptions options;
  };
  // The error: there is no such language, its grammar or the expression is wrong, or it has no such
  // level.
  tl::expected<Grounds, CompletionAnswer> GroundsOf(const CompletionRequest& request) const;
  Made PrepareGap(const CompletionRequest& request, Grounds grounds, const std::stop_token& cancel);
  // A gap over the bracket or quote that the editor has closed ahead: the right context begins
  // after that text. Nothing where no middle fits.
  std::optional<Made> TaskOverClosedAhead(const CompletionRequest& request, const Grounds& grounds,
                                          OpenDocuments::Open& document,
                                          const std::stop_token& cancel);
  // The gap at the cursor whose middle may open a string that the right context ends; nothing where
  // it is of no use.
  std::optional<Made> TaskOverSeam(const CompletionRequest& request, const Grounds& grounds,
                                   OpenDocuments::Open& document, Seam seam,
                                   const std::stop_token& cancel);
  // A gap whose contexts are those of `left` and `right`; nothing where no text of tenon's own
  // joins them: a viable gap may need an open comment, which swallows the right context.
  std::optional<Made> TaskIn(const CompletionRequest& request, const Grounds& grounds, Gap opened,
                             std::string_view left, std::string_view right,
                             const std::stop_token& cancel);
  // The same in the region around the cursor, where the file has one.
  std::optional<Made> TaskInRegion(const CompletionRequest& request, const Grounds& grounds,
                                   OpenDocuments::Open& document, const std::stop_token& cancel);
  // The regions of a document; null where the language has no syntax.
  RegionGaps* RegionsOf(const CompletionRequest& request, const Grounds& grounds,
                        OpenDocuments::Open& document);
  Made PrepareSyntax(const CompletionRequest& request, const std::stop_token& cancel);
  // Of a language that has no grammar.
  Made PrepareWithoutGrammar(const CompletionRequest& request, const std::stop_token& cancel);
  Made PreparePrompt(const CompletionRequest& request, Grounds grounds);
  Made PrepareExpression(const CompletionRequest& request, Grounds grounds,
                         const std::stop_token& cancel);

  // The store of a language, once it is made; an empty function without masks.
  MaskSource MasksOf(const Language& language);

  TokenCount count_;
  std::shared_ptr<const LanguageRegistry> languages_;
  std::shared_ptr<const SyntaxRegistry> syntaxes_;
  std::optional<MaskStores> stores_;
  OpenDocuments documents_;
  DocumentTrees trees_;
};

}  // namespace tenon::server
