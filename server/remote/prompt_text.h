// A fill-in-the-middle prompt as text, for a server that turns text into tokens itself.
//
// The formats are those of model/text/fim.h, by name or as a template. Example: for
// `x = |⏎print(x)` the format "qwen2.5-coder" gives
//
//   <|fim_prefix|>x = <|fim_suffix|>⏎print(x)<|fim_middle|>
//
// and what is written of the middle already is appended: so a server goes on after it.
//
// A server takes the text of a marker for the marker, wherever it stands. So no marker may come
// from a file: the left window, with the outline before it, begins after its last one, the right
// window ends before its first one, and snippets and names with a marker are left out.
//
// Cost: linear in the windows, and that of the outline. Thread rule: immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "model/text/text.h"

namespace tenon::server {

class PromptText {
 public:
  // The error lists the known names.
  [[nodiscard]] static tl::expected<PromptText, std::string> Named(std::string_view format);

  // name: the file's base name. outline: asked where a left window hides something.
  [[nodiscard]] std::string Build(std::string_view name, std::string_view left,
                                  std::string_view right, const model::FimOutline& outline,
                                  std::span<const model::FimSnippet> snippets) const;
  // The end of a text that is written on.
  [[nodiscard]] std::string BuildBeginning(std::string_view text) const;
  // Texts of tokens that end the middle.
  [[nodiscard]] const std::vector<std::string>& ends() const { return ends_; }
  // False: snippets of other files have no place in its prompts.
  [[nodiscard]] bool shows_files() const { return !file_separator_.empty(); }

 private:
  PromptText() = default;
  [[nodiscard]] bool HasMarker(std::string_view text) const;
  // `text` after its last marker, before its first one.
  [[nodiscard]] std::string_view AfterMarkers(std::string_view text) const;
  [[nodiscard]] std::string_view BeforeMarkers(std::string_view text) const;

  std::string template_;
  std::vector<std::string> ends_;
  std::vector<std::string> markers_;  // all of the template, and the ends
  std::string file_separator_;
};

}  // namespace tenon::server
