// Requests of tests, and their text with an answer's item in its place.
//
// Example: RequestAt("x = |⏎", "python") asks at offset 4 of the text "x = ⏎"; with the item `a` at
// the cursor the text is "x = a⏎".
#pragma once

#include <string>
#include <utility>

#include "server/request/completer.h"

namespace tenon::server {

// The cursor stands at the first '|' of the text, which is no part of it.
[[nodiscard]] inline CompletionRequest RequestAt(std::string text, std::string language_id) {
  CompletionRequest request;
  request.offset_bytes = text.find('|');
  request.text = text.erase(request.offset_bytes, 1);
  request.language_id = std::move(language_id);
  return request;
}

[[nodiscard]] inline std::string WithItem(const CompletionRequest& request,
                                          const CompletionItem& item) {
  std::string text = request.text;
  return text.replace(item.range_begin_bytes, item.range_end_bytes - item.range_begin_bytes,
                      item.text);
}

}  // namespace tenon::server
