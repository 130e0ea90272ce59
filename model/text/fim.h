// The prompt that makes a model fill in the middle: the layout of the left and the right context.
//
// A model continues a text to the right. A model that was trained to fill in the middle knows
// marker tokens that say which part of its prompt is left and which is right of the gap. Example:
// for `x = |⏎print(x)` a model of the StarCoder family is asked with
//
//   <fim_prefix>x = <fim_suffix>⏎print(x)<fim_middle>
//
// and continues with a middle such as `1`, then an end token such as <|endoftext|>.
//
// A format is a template. StarCoder's is `<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>`:
// {prefix} is the left context, {suffix} the right one, {name} (not in this template) the file's
// base name, and everything else must be markers of the vocabulary or newlines. The contexts are
// encoded as plain text, so no text of a user's file can act as a marker. An adapter brings its own
// template (llama_model.h). Else the format of a model is the first of
//   1. the file's own metadata (`tenon.fim.template`, `tenon.fim.end`),
//   2. token ids named in the metadata (`tokenizer.ggml.fim_pre_token_id`, ...),
//   3. a known format whose markers the vocabulary has,
//   4. the fallback for models without such training: the right context first, then the left.
//
// The windows. A prompt shows only a window of each context. Where a template has the left context
// last, typing appends to the prompt, and the KV cache of everything before the new tokens is
// reused, as long as the window begins at the same place. The beginning of the left window
// therefore moves in steps of a quarter of the window, not with each key.
//
// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle"
// (prefix-suffix-middle and suffix-prefix-middle); the models' cards.
// Cost: the encoding of 5 KB. Thread rule: immutable values, pure functions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/model_error.h"
#include "model/text/tokenizer.h"
#include "tenon/token_id.h"

namespace tenon::model {

// The most bytes of each context that a prompt shows. The default is wider than the windows that
// our adapters were trained on, and better by every measure
// (docs/measured_completion.md, "Completion quality").
struct FimWindow {
  size_t left_bytes = 4096;
  size_t right_bytes = 1024;
};

// Text to show in front of the left window `shown`, where `hidden` comes before it. Example: the
// imports of a file, in a prompt that shows its last function. More than a line or two should
// depend on the window's beginning alone, so that typing keeps it.
using FimOutline = std::function<std::string(std::string_view hidden, std::string_view shown)>;

// A stretch of another file, to be shown in front of this one.
struct FimSnippet {
  std::string_view name;  // base name of its file
  std::string_view text;  // whole lines
};

// A format that models share, by its name.
struct KnownFimFormat {
  std::string name;
  std::string fim_template;
  std::vector<std::string> ends;  // tokens that end the middle; a vocabulary may lack some of them
};
// In the order in which a vocabulary is compared with them.
[[nodiscard]] const std::vector<KnownFimFormat>& KnownFimFormats();

struct FimPrompt {
  std::vector<TokenId> tokens;
  // Any of these ends the middle.
  std::vector<TokenId> end_tokens;
};

// Is the token one of them?
[[nodiscard]] bool IsOneOf(TokenId token, const std::vector<TokenId>& tokens);

class FimFormat {
 public:
  // The format of a model. Error: kUnsupported, the file's own template is wrong or names a marker
  // that its vocabulary lacks.
  static tl::expected<FimFormat, ModelError> Detect(const GgufFile& file,
                                                    const Tokenizer& tokenizer);
  // The format of a template. ends: names of the tokens that end the middle; the vocabulary's
  // end-of-text token always does. Error: kUnsupported, the vocabulary lacks a marker or an end.
  static tl::expected<FimFormat, ModelError> FromTemplate(std::string name,
                                                          std::string_view fim_template,
                                                          const std::vector<std::string>& ends,
                                                          const Tokenizer& tokenizer);

  // "tenon" (the file's own), "from-metadata", "starcoder", "qwen2.5-coder", ...,
  // "right-context-first" (the fallback).
  const std::string& name() const { return name_; }
  // True where the model was trained to fill in the middle.
  bool trained() const { return trained_; }
  const std::vector<TokenId>& end_tokens() const { return end_tokens_; }
  // False: snippets of other files have no place in its prompts.
  bool shows_files() const { return file_separator_.has_value(); }

  // A prompt of at most budget_tokens (more only where the markers alone need more). The windows
  // shrink until the prompt fits, and the first snippets go before they do. name: the file's base
  // name. outline: asked where a left window hides something.
  FimPrompt BuildPrompt(const Tokenizer& tokenizer, std::string_view name, std::string_view left,
                        std::string_view right, size_t budget_tokens,
                        const FimOutline& outline = {}, const FimWindow& window = {},
                        std::span<const FimSnippet> snippets = {}) const;

 private:
  enum class Slot { kMarkers, kName, kLeft, kRight };
  struct Part {
    Slot slot = Slot::kMarkers;
    std::vector<TokenId> markers;
    TextPlace place = TextPlace::kInside;
  };
  FimFormat() = default;
  // The steps of Detect, in their order. Nothing: the next one is tried.
  static std::optional<FimFormat> FromMarkerIds(const GgufFile& file, const Tokenizer& tokenizer);
  static std::optional<FimFormat> FromKnown(const KnownFimFormat& known,
                                            const Tokenizer& tokenizer);
  static FimFormat WithoutTraining(const Tokenizer& tokenizer);
  // The steps of FromTemplate. Each returns what is wrong; nothing: all is right.
  std::optional<std::string> AddParts(std::string_view fim_template, const Tokenizer& tokenizer);
  std::optional<std::string> AddEnds(const std::vector<std::string>& ends,
                                     const Tokenizer& tokenizer);
  // Snippets as the model was shown the files of a repository: each after the separator, its name
  // and a line end. Nothing where the format knows no separator.
  std::vector<TokenId> LayFiles(const Tokenizer& tokenizer,
                                std::span<const FimSnippet> snippets) const;
  std::vector<TokenId> Lay(const Tokenizer& tokenizer, std::string_view name, std::string_view left,
                           std::string_view right) const;

  std::string name_;
  bool trained_ = false;
  std::vector<Part> parts_;
  std::vector<TokenId> end_tokens_;
  std::optional<TokenId> file_separator_;
};

// The end of `left`, at most max_bytes: from the start of a line where there is one, and from the
// same line start while several keys are typed. Never begins within a code point.
std::string_view LeftWindow(std::string_view left, size_t max_bytes);
// The beginning of `right`, at most max_bytes: whole lines where possible, else whole code points.
std::string_view RightWindow(std::string_view right, size_t max_bytes);

}  // namespace tenon::model
