#include "server/offers/completion_question.h"

#include <utility>

#include "protocol/lsp_types.h"
#include "server/request/line_ends.h"

namespace tenon::server {

using nlohmann::json;

const char* ToString(QuestionForm form) {
  return form == QuestionForm::kInline ? "inlineCompletion" : "completion";
}

SharedText CompletionQuestion::TextFor(const ClientDocument& document) const {
  SharedText own = place.TextFor(document.text);
  if (!cells) return own;
  return cells->before + WithoutMagics(own, place.CursorFor()) + cells->after;
}

void CompletionQuestion::DropForeignItems(const ClientDocument& document,
                                          CompletionAnswer& answer) const {
  const size_t begin = shift();
  const size_t end = begin + place.TextFor(document.text).size();
  std::erase_if(answer.items, [begin, end](const CompletionItem& item) {
    return item.range_begin_bytes < begin || item.range_end_bytes > end ||
           (item.missing_sign && item.missing_sign->offset_bytes < begin);
  });
}

CompletionItem CompletionQuestion::InDocument(CompletionItem item) const {
  item.range_begin_bytes -= shift();
  item.range_end_bytes -= shift();
  if (item.missing_sign) item.missing_sign->offset_bytes -= shift();
  return item;
}

tl::expected<AskedPlace, std::string> ReadPlace(QuestionForm form, const json& params,
                                                const protocol::TextDocument& text) {
  const auto position = protocol::ReadPosition(params, "position");
  if (!position) return tl::unexpected(position.error());
  AskedPlace place;
  place.cursor = place.selected_begin = place.selected_end = text.OffsetAt(*position);
  const json* selected = protocol::FindPath(params, "context/selectedCompletionInfo");
  if (form == QuestionForm::kList || selected == nullptr || selected->is_null()) return place;
  const auto range = protocol::ReadRange(*selected, "range");
  if (!range) return tl::unexpected("in 'selectedCompletionInfo': " + range.error());
  auto selected_text = protocol::ReadString(*selected, "text");
  if (!selected_text)
    return tl::unexpected("in 'selectedCompletionInfo': " + selected_text.error());
  const size_t begin = text.OffsetAt(range->start);
  const size_t end = text.OffsetAt(range->end);
  if (begin > place.cursor || end < place.cursor) {
    return tl::unexpected(
        std::string("in 'selectedCompletionInfo': 'range' must contain the position"));
  }
  place.selected_begin = begin;
  place.selected_end = end;
  place.selected_text = *std::move(selected_text);
  return place;
}

bool IsInvoked(QuestionForm form, const json& params, const std::optional<EditEnd>& last_edit,
               size_t cursor, std::chrono::steady_clock::time_point now) {
  // The protocol gives completion and inlineCompletion the same number for a person's request.
  constexpr int kInvoked = 1;
  const json* kind = protocol::FindPath(params, "context/triggerKind");
  if (kind == nullptr || !kind->is_number_integer()) return true;
  if (kind->get<int64_t>() != kInvoked) return false;
  return form == QuestionForm::kInline || !last_edit || last_edit->offset_bytes != cursor ||
         last_edit->has_had_list || now - last_edit->at >= kKeystrokeAge;
}

CompletionRequest TermsOf(bool invoked, const ClientDocument& document, const Settings& settings) {
  CompletionRequest request;
  request.name = document.name;
  request.constraint = settings.constraint;
  request.max_tokens = settings.max_tokens;
  request.time_budget = invoked ? settings.invoked_budget : settings.automatic_budget;
  request.scope = settings.scope;
  if (const auto level = settings.levels.find(document.language_id); level != settings.levels.end())
    request.level = level->second;
  request.any_language = settings.any_language;
  request.other_files = settings.other_files;
  request.temperature = settings.temperature;
  request.seed = settings.seed;
  request.candidates = invoked ? settings.candidates : 1;
  request.line_end = LineEndOf(document.text.text());
  return request;
}

}  // namespace tenon::server
