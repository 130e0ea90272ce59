#include "model/text/tokenizer_json_rules.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "model/json_text.h"
#include "model/text/sentencepiece_model.h"

namespace tenon::model {
namespace {

using nlohmann::json;

// GPT-2's expression, by which ByteLevel cuts text unless use_regex is false.
constexpr const char* kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Appends the expressions of one pre-tokenizer. Sets `bytes` where it meets a ByteLevel.
tl::expected<void, ModelError> ReadCutter(const json& cutter, std::vector<std::string>& patterns,
                                          bool& bytes) {
  const std::string_view type = TextOf(Member(cutter, "type"));
  if (type == "Sequence") {
    const json& parts = Member(cutter, "pretokenizers");
    if (!parts.is_array())
      return BrokenTokenizer("pre_tokenizer: a Sequence without its list 'pretokenizers'");
    for (const json& part : parts) {
      if (TextOf(Member(part, "type")) == "Sequence")
        return UnsupportedTokenizer("pre_tokenizer: a Sequence within a Sequence");
      if (auto read = ReadCutter(part, patterns, bytes); !read) return read;
    }
    return {};
  }
  if (type == "ByteLevel") {
    if (IsTrue(cutter, "add_prefix_space"))
      return UnsupportedTokenizer(
          "pre_tokenizer: ByteLevel with add_prefix_space, which adds to the text");
    // The crate takes a missing use_regex for true.
    const json& use_regex = Member(cutter, "use_regex");
    if (!use_regex.is_boolean() || use_regex.get<bool>()) patterns.emplace_back(kByteLevelPattern);
    bytes = true;
    return {};
  }
  if (type == "Digits") {
    patterns.emplace_back(IsTrue(cutter, "individual_digits") ? R"(\p{N})" : R"(\p{N}+)");
    return {};
  }
  if (type == "Split") {
    const json& pattern = Member(Member(cutter, "pattern"), "Regex");
    if (!pattern.is_string() || TextOf(Member(cutter, "behavior")) != "Isolated" ||
        IsTrue(cutter, "invert"))
      return UnsupportedTokenizer(
          "pre_tokenizer: a Split other than by a Regex, Isolated and not inverted");
    patterns.emplace_back(TextOf(pattern));
    return {};
  }
  return UnsupportedTokenizer(
      fmt::format("pre_tokenizer '{}'; known are Sequence, ByteLevel, Digits, Split", type));
}

tl::expected<PreTokenizer, ModelError> ReadByteLevel(const json& pre_tokenizer) {
  std::vector<std::string> patterns;
  bool bytes = false;
  if (auto read = ReadCutter(pre_tokenizer, patterns, bytes); !read)
    return tl::unexpected(std::move(read.error()));
  if (!bytes) {
    return UnsupportedTokenizer(
        "pre_tokenizer: no ByteLevel; BPE is read with ByteLevel, or with model.byte_fallback and "
        "\u2581 for spaces");
  }
  return PreTokenizer::ForPatterns(patterns);
}

// What the normalizers do.
struct Changes {
  bool prepends_space = false;  // written as U+2581
  bool replaces_spaces = false;
};

// Normalizers that say nothing, or NFC, change no text here.
tl::expected<void, ModelError> ReadNormalizer(const json& normalizer, bool nested,
                                              Changes& changes) {
  if (normalizer.is_null()) return {};
  const std::string_view type = TextOf(Member(normalizer, "type"));
  if (type == "NFC") return {};
  if (type == "Sequence" && !nested) {
    for (const json& part : Member(normalizer, "normalizers")) {
      if (auto read = ReadNormalizer(part, true, changes); !read) return read;
    }
    return {};
  }
  if (type == "Prepend" && TextOf(Member(normalizer, "prepend")) == kSpaceMark) {
    changes.prepends_space = true;
    return {};
  }
  if (type == "Replace" && TextOf(Member(Member(normalizer, "pattern"), "String")) == " " &&
      TextOf(Member(normalizer, "content")) == kSpaceMark) {
    changes.replaces_spaces = true;
    return {};
  }
  return UnsupportedTokenizer(
      fmt::format("normalizer '{}' changes texts; NFC is accepted, and Prepend and Replace that "
                  "write a space as \u2581",
                  type));
}

// The space that a Metaspace puts before a text. Where it cuts at spaces, too, its words are longer
// than any cut: that is refused.
tl::expected<SpaceBefore, ModelError> ReadMetaspace(const json& pre_tokenizer) {
  const json& split = Member(pre_tokenizer, "split");
  if (TextOf(Member(pre_tokenizer, "replacement")) != kSpaceMark || !split.is_boolean() ||
      split.get<bool>())
    return UnsupportedTokenizer("pre_tokenizer: Metaspace is read with \u2581 and with split off");
  const std::string_view scheme = TextOf(Member(pre_tokenizer, "prepend_scheme"));
  return scheme == "never"   ? SpaceBefore::kNever
         : scheme == "first" ? SpaceBefore::kFirstUnlessThere
                             : SpaceBefore::kUnlessThere;
}

tl::expected<SpaceBefore, ModelError> ReadCharacterRules(const json& root, const Changes& changes) {
  const json& pre_tokenizer = Member(root, "pre_tokenizer");
  const SpaceBefore prepended = changes.prepends_space ? SpaceBefore::kAlways : SpaceBefore::kNever;
  if (TextOf(Member(pre_tokenizer, "type")) == "Metaspace" && !changes.prepends_space)
    return ReadMetaspace(pre_tokenizer);
  // Gemma cuts at spaces, of which no normalized text has any.
  const bool cuts_nothing = TextOf(Member(pre_tokenizer, "type")) == "Split" &&
                            TextOf(Member(Member(pre_tokenizer, "pattern"), "String")) == " ";
  if (changes.replaces_spaces && (pre_tokenizer.is_null() || cuts_nothing)) return prepended;
  return UnsupportedTokenizer(
      fmt::format("model.byte_fallback is on: spaces must be written as \u2581, by a normalizer "
                  "or by a pre_tokenizer Metaspace, not by '{}'",
                  TextOf(Member(pre_tokenizer, "type"))));
}

}  // namespace

tl::expected<TokenizerRules, ModelError> ReadTokenizerRules(const json& root) {
  Changes changes;
  if (auto read = ReadNormalizer(Member(root, "normalizer"), false, changes); !read)
    return tl::unexpected(std::move(read.error()));
  if (IsTrue(Member(root, "model"), "byte_fallback")) {
    auto characters = ReadCharacterRules(root, changes);
    if (!characters) return tl::unexpected(std::move(characters.error()));
    return TokenizerRules{*PreTokenizer::ForPatterns({}), *characters};
  }
  if (changes.prepends_space || changes.replaces_spaces)
    return UnsupportedTokenizer("normalizer: spaces as \u2581 without model.byte_fallback");
  auto pre_tokenizer = ReadByteLevel(Member(root, "pre_tokenizer"));
  if (!pre_tokenizer) return tl::unexpected(std::move(pre_tokenizer.error()));
  return TokenizerRules{*std::move(pre_tokenizer), std::nullopt};
}

std::optional<std::string> TokenBeforeEveryText(const json& root) {
  const json& processor = Member(root, "post_processor");
  const std::vector<json> one = {processor};
  const json& parts = Member(processor, "processors");
  for (const json& part : parts.is_array() ? parts.get<std::vector<json>>() : one) {
    const json& single = Member(part, "single");
    if (TextOf(Member(part, "type")) != "TemplateProcessing" || !single.is_array() ||
        single.empty())
      continue;
    const std::string_view name = TextOf(Member(Member(single[0], "SpecialToken"), "id"));
    if (!name.empty()) return std::string(name);
  }
  return std::nullopt;
}

}  // namespace tenon::model
