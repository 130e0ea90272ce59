// Names of tokens that direct a model, whatever kind a file gives them.
//
// No text of a user may act as a marker. Some files list a model's markers among its ordinary or
// its user-defined tokens: CodeLlama's ▁<PRE>, Qwen2.5-Coder's <|fim_prefix|>. By their names they
// are control tokens.
//
// Source: the models' tokenizer.json files. Inside the room only. Cost: a few comparisons. Thread
// rule: pure functions.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace tenon::model {

[[nodiscard]] inline bool IsMarkerName(std::string_view name) {
  constexpr std::string_view kMarkers[] = {"▁<PRE>", "▁<SUF>", "▁<MID>", "▁<EOT>"};
  constexpr std::pair<std::string_view, std::string_view> kBrackets[] = {
      {"<|", "|>"}, {"<｜", "｜>"}, {"<fim_", ">"}, {"<fim-", ">"}};
  return std::find(std::begin(kMarkers), std::end(kMarkers), name) != std::end(kMarkers) ||
         std::any_of(std::begin(kBrackets), std::end(kBrackets), [name](const auto& brackets) {
           return name.size() > brackets.first.size() + brackets.second.size() &&
                  name.starts_with(brackets.first) && name.ends_with(brackets.second);
         });
}

}  // namespace tenon::model
