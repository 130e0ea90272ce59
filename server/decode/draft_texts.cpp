#include "server/decode/draft_texts.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tenon::server {
namespace {

constexpr size_t kStepBytes = 4096;

// The end of the step that begins at `begin`: after a line where one ends within the step.
size_t StepEnd(std::string_view text, size_t begin) {
  const size_t most = std::min(text.size(), begin + kStepBytes);
  if (most == text.size()) return most;
  const size_t line_end = text.rfind('\n', most - 1);
  return line_end == std::string_view::npos || line_end < begin ? most : line_end + 1;
}

}  // namespace

void DraftTexts::Learn(std::span<const OtherText> texts, const std::stop_token& stop) {
  std::list<Text> wanted;
  for (const auto& [text, name, path] : texts.first(std::min(texts.size(), kMaxTexts))) {
    const auto known =
        std::find_if(texts_.begin(), texts_.end(),
                     [&text = text](const Text& other) { return &*other.text == &*text; });
    if (known != texts_.end()) {
      wanted.splice(wanted.end(), texts_, known);
    } else {
      wanted.push_back({text, 0, {}});
    }
  }
  texts_ = std::move(wanted);
  for (Text& text : texts_) {
    const std::string_view shown = std::string_view(text.text).substr(0, kMaxBytes);
    while (text.bytes < shown.size() && !stop.stop_requested()) {
      const size_t end = StepEnd(shown, text.bytes);
      const std::vector<TokenId> tokens =
          tokenizer_.Encode(shown.substr(text.bytes, end - text.bytes), false);
      text.tokens.insert(text.tokens.end(), tokens.begin(), tokens.end());
      text.bytes = end;
    }
  }
}

std::vector<std::span<const TokenId>> DraftTexts::tokens() const {
  std::vector<std::span<const TokenId>> tokens;
  for (const Text& text : texts_) tokens.emplace_back(text.tokens);
  return tokens;
}

}  // namespace tenon::server
