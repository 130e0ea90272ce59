// The prompt that makes a model fill in the middle: how left and right context are laid out among its markers.
//
// Each format is a template such as `<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>`: {prefix} is the left
// context, {suffix} the right one, {name} the file's base name, all else are markers of the vocabulary. Contexts
// are encoded as plain text, so nothing in a user's file can act as a marker. A file's own metadata
// (`tenon.fim.template`, `tenon.fim.end`) comes first, then token ids named in the metadata
// (`tokenizer.ggml.fim_pre_token_id` ...), then a known format whose markers the vocabulary has, then the
// fallback for models without such training: the right context first, then the left.
//
// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle" (prefix-suffix-
// middle and suffix-prefix-middle); the models' cards. With the left context last, typing only appends to the
// prompt and the KV cache of everything before stays; the left window therefore moves in steps, not with each key.
// Cost: that of encoding 2 KB. Thread rule: immutable values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/gguf.h"
#include "model/model_error.h"
#include "model/tokenizer.h"

namespace tenon::model {

// How much of the buffer a prompt shows, in bytes. The default is what the default model was trained on.
struct FimWindow {
  size_t left_bytes = 1400;
  size_t right_bytes = 700;
};

struct FimPrompt {
  std::vector<TokenId> tokens;
  // Any of these ends the middle.
  std::vector<TokenId> end_tokens;
};

class FimFormat {
 public:
  // The format of a model. Error: the file's own template names a marker that its vocabulary lacks.
  static tl::expected<FimFormat, ModelError> Detect(const GgufFile& file, const Tokenizer& tokenizer);
  // A format by template, for a user's configuration. Ends are marker names; one the vocabulary lacks is an error.
  static tl::expected<FimFormat, ModelError> FromTemplate(std::string name, std::string_view fim_template,
                                                          const std::vector<std::string>& ends,
                                                          const Tokenizer& tokenizer);

  // "tenon", "starcoder", "qwen2.5-coder", ..., "right-context-first" (the fallback).
  const std::string& name() const { return name_; }
  // The model was trained to fill in the middle.
  bool trained() const { return trained_; }
  const std::vector<TokenId>& end_tokens() const { return end_tokens_; }

  // A prompt of at most budget_tokens (more only where the markers alone need more). Both contexts are cut at
  // line starts where a line is short enough to allow it: left keeps its end, right its beginning.
  FimPrompt BuildPrompt(const Tokenizer& tokenizer, std::string_view name, std::string_view left,
                        std::string_view right, size_t budget_tokens, const FimWindow& window = {}) const;

 private:
  enum class Slot { kMarkers, kName, kLeft, kRight };
  struct Part {
    Slot slot = Slot::kMarkers;
    std::vector<TokenId> markers;
  };
  FimFormat() = default;
  std::vector<TokenId> Lay(const Tokenizer& tokenizer, std::string_view name, std::string_view left,
                           std::string_view right) const;

  std::string name_;
  bool trained_ = false;
  std::vector<Part> parts_;
  std::vector<TokenId> end_tokens_;
};

// The last part of `left` that a window of max_bytes shows: begins at a line start if there is one, and at the
// same one for several keys typed in a row.
std::string_view LeftWindow(std::string_view left, size_t max_bytes);
// The first part of `right`, whole lines where possible.
std::string_view RightWindow(std::string_view right, size_t max_bytes);

}  // namespace tenon::model
