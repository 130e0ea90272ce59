#include "server/offers/item_shape.h"

#include <algorithm>
#include <string>
#include <utility>

#include "protocol/lsp_types.h"
#include "server/offers/completion_list.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// An edit of the document, in its bytes.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};

// The item is an edit of the text that the Completer saw. Put together with the selected text it
// is one edit of the document, widened to the left up to `begin_at_most`.
std::optional<Edit> EditOf(const protocol::TextDocument& document, const AskedPlace& place,
                           const CompletionItem& item, size_t begin_at_most) {
  const SharedText seen = place.TextFor(document);
  const bool around_cursor =
      item.range_begin_bytes <= place.CursorFor() && item.range_end_bytes >= place.CursorFor();
  if (!around_cursor || item.range_end_bytes > seen.size()) return std::nullopt;
  Edit edit;
  edit.begin = std::min({begin_at_most, place.selected_begin, item.range_begin_bytes});
  edit.end = place.selected_end + (item.range_end_bytes - place.CursorFor());
  edit.text = seen->substr(edit.begin, item.range_begin_bytes - edit.begin) + item.text;

  const size_t line = document.LineOf(place.cursor);
  const size_t line_begin = document.LineStart(line);
  const size_t line_end = line_begin + document.Line(line).size();
  if (edit.begin < line_begin || edit.end > line_end || edit.end < place.cursor)
    return std::nullopt;
  if (IsBlank(item.text) && item.range_begin_bytes == item.range_end_bytes) return std::nullopt;
  return edit;
}

json RangeJson(const protocol::TextDocument& document, const Edit& edit) {
  return protocol::ToJson(
      protocol::Range{document.PositionAt(edit.begin), document.PositionAt(edit.end)});
}

// The first line that is not blank, without the blanks around it.
std::string Label(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size());
  text.remove_prefix(begin);
  text = text.substr(0, text.find_first_of("\r\n"));
  text = text.substr(0, text.find_last_not_of(" \t\f\v") + 1);
  return std::string(text);
}

json LabelDetails(std::string_view text) {
  json details = {{"description", "tenon"}};
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines > 0)
    details["detail"] = " +" + std::to_string(lines) + (lines > 1 ? " lines" : " line");
  return details;
}

}  // namespace

json SignEdit(const protocol::TextDocument& document, const MissingSign& sign) {
  return {{"range", RangeJson(document, {sign.offset_bytes, sign.offset_bytes, ""})},
          {"newText", sign.text}};
}

SharedText AskedPlace::TextFor(const protocol::TextDocument& document) const {
  if (selected_begin == selected_end && selected_text.empty())
    return SharedText(document.Snapshot());
  std::string text = document.text();
  text.replace(selected_begin, selected_end - selected_begin, selected_text);
  return text;
}

std::optional<json> ShapeCompletionItem(const protocol::TextDocument& document,
                                        const AskedPlace& place, const CompletionItem& item,
                                        const ClientProfile& client, std::string_view language_id) {
  const std::string& text = document.text();
  size_t word_begin = place.cursor;
  while (word_begin > 0 && IsWordByte(text[word_begin - 1])) --word_begin;
  const std::optional<Edit> edit = EditOf(document, place, item, word_begin);
  if (!edit) return std::nullopt;
  const bool is_multiline = edit->text.find_first_of("\r\n") != std::string::npos;
  if (is_multiline && !client.multiline_items) return std::nullopt;
  const std::string label = Label(edit->text);
  if (label.empty()) return std::nullopt;

  json shaped = {
      {"label", label},
      {"kind", 1},  // Text
      {"detail", "tenon"},
      {"insertTextFormat", 1},  // PlainText
      {"textEdit", {{"range", RangeJson(document, *edit)}, {"newText", edit->text}}},
      {"sortText", "~"},  // after letters and digits
      {"data", {{"guarantee", ToString(item.guarantee)}, {"ended", ToString(item.ended)}}}};
  if (item.missing_sign)
    shaped["additionalTextEdits"] = json::array({SignEdit(document, *item.missing_sign)});
  const std::string typed = text.substr(edit->begin, place.cursor - edit->begin);
  if (!typed.empty()) shaped["filterText"] = typed;
  if (client.insert_text_mode_as_is) shaped["insertTextMode"] = 1;  // asIs
  if (client.label_details) shaped["labelDetails"] = LabelDetails(edit->text);
  if (is_multiline && client.resolves_documentation)
    shaped["data"]["language"] = language_id;
  else if (is_multiline)
    shaped["documentation"] = Documentation(edit->text, client.markdown, language_id);
  return shaped;
}

std::optional<json> ShapeInlineItem(const protocol::TextDocument& document, const AskedPlace& place,
                                    const CompletionItem& item, const ClientProfile& client) {
  std::optional<Edit> edit = EditOf(document, place, item, place.cursor);
  if (!edit) return std::nullopt;
  if (client.repeat_rest_of_line) {
    const size_t line = document.LineOf(place.cursor);
    const size_t line_end = document.LineStart(line) + document.Line(line).size();
    edit->text += document.text().substr(edit->end, line_end - edit->end);
    edit->end = line_end;
  }
  json shaped = {{"insertText", edit->text}, {"range", RangeJson(document, *edit)}};
  if (item.missing_sign && client.writes_inline_edits)
    shaped["additionalTextEdits"] = json::array({SignEdit(document, *item.missing_sign)});
  return shaped;
}

}  // namespace tenon::server
