#include "server/complete/prompt_surroundings.h"

#include <string>
#include <utility>

#include "server/complete/outline.h"

namespace tenon::server {
namespace {

// Lines that a prompt shows in front of its left window.
constexpr size_t kMaxOutlineBytes = 640;

ShownSnippets::Hidden HiddenOf(std::string_view left, std::string_view right) {
  const model::FimWindow window;
  left.remove_suffix(model::LeftWindow(left, window.left_bytes).size());
  right.remove_prefix(model::RightWindow(right, window.right_bytes).size());
  return {left, right};
}

}  // namespace

std::vector<model::FimSnippet> PromptSurroundings::Shown::snippets() const {
  std::vector<model::FimSnippet> shown;
  for (const Snippet& stretch : stretches) shown.push_back({stretch.source.name, stretch.text()});
  return shown;
}

PromptSurroundings::Shown PromptSurroundings::For(const CompletionRequest& request,
                                                  std::string_view left, std::string_view right,
                                                  bool shows_files, const std::stop_token& stop) {
  Shown shown;
  shown.outline = [imports = languages_->Imports(request.language_id)](std::string_view hidden,
                                                                       std::string_view window) {
    return Outline(hidden, window, imports, kMaxOutlineBytes);
  };
  if (shows_files)
    shown.stretches = snippets_.For(request, left, right, HiddenOf(left, right), stop);
  return shown;
}

}  // namespace tenon::server
