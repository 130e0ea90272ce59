// One question of a client: a place in a document at which it wants a completion, and the terms on
// which the completer is asked.
//
// Example: textDocument/inlineCompletion of a.py at line 3, character 7, after a keystroke. The
// question's form is kInline, its place the cursor at byte 61, and its terms are the settings of
// a.py, with the time that a keystroke's request has.
//
// Where the document is a cell of a notebook, the completer sees the cells around it, too. The
// document begins at byte shift() of that text, and the completer's offsets count from the text's
// beginning.
//
// Source: LSP 3.18, CompletionContext, InlineCompletionContext. Cost: a copy of the document's
// text where there are cells around it, else none. Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/documents/client_documents.h"
#include "server/documents/notebooks.h"
#include "server/offers/item_shape.h"
#include "server/request/completer.h"
#include "server/settings/settings.h"

namespace tenon::server {

// Which request asked.
enum class QuestionForm : uint8_t { kList, kInline };
// "completion" or "inlineCompletion".
[[nodiscard]] const char* ToString(QuestionForm form);

struct CompletionQuestion {
  QuestionForm form = QuestionForm::kList;
  std::string uri;
  AskedPlace place;
  CompletionRequest terms;  // for the completer, without its text
  std::optional<CellSurroundings> cells;
  std::chrono::steady_clock::time_point asked;
  bool invoked = false;  // by a person
  // Asked before, of the cell and its neighbours together, without an item for an answer.
  bool asked_again = false;
  // The items that an earlier answer had, where the completer is asked for those beside them.
  CompletionAnswer earlier = {};

  // Where the document begins in the text that the completer sees.
  [[nodiscard]] size_t shift() const { return cells ? cells->before.size() : 0; }
  [[nodiscard]] bool in_cells() const {
    return cells && !(cells->before.empty() && cells->after.empty());
  }
  // The text that the completer sees. `document`: that of `uri`.
  [[nodiscard]] SharedText TextFor(const ClientDocument& document) const;
  // Drops the items that leave the document: a cell's neighbours are not written to.
  void DropForeignItems(const ClientDocument& document, CompletionAnswer& answer) const;
  // The item with its range counted from the document's beginning.
  [[nodiscard]] CompletionItem InDocument(CompletionItem item) const;
};

// From the params of the request. The error says what is wrong with them.
[[nodiscard]] tl::expected<AskedPlace, std::string> ReadPlace(QuestionForm form,
                                                              const nlohmann::json& params,
                                                              const protocol::TextDocument& text);
// The age of an edit before the cursor up to which a list belongs to the edit's keystroke. Editors
// ask for lists 10 to 250 ms after a key; a person's next key, the one for completion, comes later.
constexpr std::chrono::milliseconds kKeystrokeAge{400};

// Did a person ask, and no keystroke? A request that does not say so counts as a person's.
//
// For lists the kind Invoked also means "an identifier is typed". Such a list is a keystroke's
// where the last edit ended at the cursor, less than kKeystrokeAge ago, and the list is the first
// at that place since. A second list there is a person's, and so is a list without a last edit.
[[nodiscard]] bool IsInvoked(QuestionForm form, const nlohmann::json& params,
                             const std::optional<EditEnd>& last_edit, size_t cursor,
                             std::chrono::steady_clock::time_point now);

// The terms of a question about a document, without text, place and language. `invoked`: by a
// person.
[[nodiscard]] CompletionRequest TermsOf(bool invoked, const ClientDocument& document,
                                        const Settings& settings);

}  // namespace tenon::server
