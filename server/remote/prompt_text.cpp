#include "server/remote/prompt_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "server/request/words.h"

namespace tenon::server {

namespace {

constexpr size_t kBeginningBytes = 8192;  // of a text that is written on
constexpr std::array<std::string_view, 3> kSlots = {"{prefix}", "{suffix}", "{name}"};

// The template's slot at the beginning of `rest`; empty where there is none.
std::string_view SlotAt(std::string_view rest) {
  for (const std::string_view slot : kSlots) {
    if (rest.starts_with(slot)) return slot;
  }
  return {};
}

// The texts between the slots.
std::vector<std::string> MarkersOf(std::string_view fim_template) {
  std::vector<std::string> markers;
  std::string marker;
  for (size_t at = 0; at <= fim_template.size();) {
    const std::string_view slot = SlotAt(fim_template.substr(at));
    if (slot.empty() && at < fim_template.size()) {
      marker += fim_template[at++];
      continue;
    }
    if (!IsBlank(marker)) markers.push_back(marker);
    marker.clear();
    at += std::max<size_t>(slot.size(), 1);
  }
  return markers;
}

}  // namespace

tl::expected<PromptText, std::string> PromptText::Named(std::string_view format) {
  PromptText prompt;
  std::vector<std::string> names;
  for (const model::KnownFimFormat& known : model::KnownFimFormats()) {
    names.push_back(known.name);
    if (known.name != format) continue;
    prompt.template_ = known.fim_template;
    prompt.ends_ = known.ends;
  }
  if (prompt.template_.empty()) {
    if (format.find("{prefix}") == std::string_view::npos) {
      return tl::unexpected(
          fmt::format("no format of prompts is called '{}'; known are {}, and a template looks "
                      "like <fim_prefix>{{prefix}}<fim_suffix>{{suffix}}<fim_middle>",
                      format.substr(0, 100), fmt::join(names, ", ")));
    }
    prompt.template_ = format;
  }
  prompt.markers_ = MarkersOf(prompt.template_);
  prompt.markers_.insert(prompt.markers_.end(), prompt.ends_.begin(), prompt.ends_.end());
  for (const std::string_view separator : {"<|file_sep|>", "<file_sep>"}) {
    if (std::find(prompt.ends_.begin(), prompt.ends_.end(), separator) != prompt.ends_.end())
      prompt.file_separator_ = separator;
  }
  return prompt;
}

bool PromptText::HasMarker(std::string_view text) const {
  return BeforeMarkers(text).size() < text.size();
}

std::string_view PromptText::AfterMarkers(std::string_view text) const {
  for (const std::string& marker : markers_) {
    const size_t at = text.rfind(marker);
    if (at != std::string_view::npos) text.remove_prefix(at + marker.size());
  }
  return text;
}

std::string_view PromptText::BeforeMarkers(std::string_view text) const {
  for (const std::string& marker : markers_) text = text.substr(0, text.find(marker));
  return text;
}

std::string PromptText::Build(std::string_view name, std::string_view left, std::string_view right,
                              const model::FimOutline& outline,
                              std::span<const model::FimSnippet> snippets) const {
  const model::FimWindow window;
  const std::string_view left_window = model::LeftWindow(left, window.left_bytes);
  const std::string_view hidden = left.substr(0, left.size() - left_window.size());
  std::string shown_left;
  if (outline && !hidden.empty()) shown_left = outline(hidden, left_window);
  shown_left += left_window;
  const std::string_view shown_right = BeforeMarkers(model::RightWindow(right, window.right_bytes));
  if (HasMarker(name)) name = {};

  std::string prompt;
  for (const model::FimSnippet& snippet : snippets) {
    if (file_separator_.empty() || HasMarker(snippet.name) || HasMarker(snippet.text)) continue;
    prompt += file_separator_;
    prompt.append(snippet.name).append("\n").append(snippet.text);
  }
  for (std::string_view rest = template_; !rest.empty();) {
    const std::string_view slot = SlotAt(rest);
    if (slot == "{prefix}")
      prompt += AfterMarkers(shown_left);
    else if (slot == "{suffix}")
      prompt += shown_right;
    else if (slot == "{name}")
      prompt += name;
    else
      prompt += rest.front();
    rest.remove_prefix(std::max<size_t>(slot.size(), 1));
  }
  return prompt;
}

std::string PromptText::BuildBeginning(std::string_view text) const {
  return std::string(AfterMarkers(model::LeftWindow(text, kBeginningBytes)));
}

}  // namespace tenon::server
