#include "model/text/tokenizer_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tenon::model {
namespace {

using nlohmann::json;

// Far above any real vocabulary: a file with a larger id is broken.
constexpr size_t kMaxTokens = 4'000'000;
// What is read of a tokenizer nests six levels.
constexpr int kMaxDepth = 32;

tl::unexpected<ModelError> Broken(std::string what) {
  return tl::unexpected(ModelError{ModelErrorCode::kFormat, std::move(what)});
}
tl::unexpected<ModelError> Unsupported(std::string what) {
  return tl::unexpected(ModelError{ModelErrorCode::kUnsupported, std::move(what)});
}

// The member, or null where there is none.
const json& Member(const json& object, const char* name) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

bool IsTrue(const json& object, const char* name) {
  const json& member = Member(object, name);
  return member.is_boolean() && member.get<bool>();
}

std::string_view TextOf(const json& value) {
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                           : std::string_view();
}

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
      return Broken("pre_tokenizer: a Sequence without its list 'pretokenizers'");
    for (const json& part : parts) {
      if (TextOf(Member(part, "type")) == "Sequence")
        return Unsupported("pre_tokenizer: a Sequence within a Sequence");
      if (auto read = ReadCutter(part, patterns, bytes); !read) return read;
    }
    return {};
  }
  if (type == "ByteLevel") {
    if (IsTrue(cutter, "add_prefix_space"))
      return Unsupported("pre_tokenizer: ByteLevel with add_prefix_space, which adds to the text");
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
      return Unsupported("pre_tokenizer: a Split other than by a Regex, Isolated and not inverted");
    patterns.emplace_back(TextOf(pattern));
    return {};
  }
  return Unsupported(
      fmt::format("pre_tokenizer '{}'; known are Sequence, ByteLevel, Digits, Split", type));
}

tl::expected<PreTokenizer, ModelError> ReadPreTokenizer(const json& root) {
  std::vector<std::string> patterns;
  bool bytes = false;
  if (auto read = ReadCutter(Member(root, "pre_tokenizer"), patterns, bytes); !read)
    return tl::unexpected(std::move(read.error()));
  if (!bytes) return Unsupported("pre_tokenizer: no ByteLevel; only byte-level BPE is read");
  return PreTokenizer::ForPatterns(patterns);
}

tl::expected<void, ModelError> Place(const json& id, std::string_view name, TokenKind kind,
                                     std::vector<TokenizerParts::Entry>& tokens) {
  if (!id.is_number_unsigned() || id.get<uint64_t>() >= kMaxTokens)
    return Broken(fmt::format("token '{}': its id must be a number below {}", name, kMaxTokens));
  const size_t at = id.get<size_t>();
  // Ids without an entry stand for no text.
  if (at >= tokens.size()) tokens.resize(at + 1, {std::string_view(), TokenKind::kUnused});
  if (!tokens[at].name.empty() && tokens[at].name != name)
    return Broken(fmt::format("two tokens have id {}: '{}' and '{}'", at, tokens[at].name, name));
  tokens[at] = {name, kind};
  return {};
}

tl::expected<void, ModelError> ReadTokens(const json& root,
                                          std::vector<TokenizerParts::Entry>& tokens) {
  const json& vocabulary = Member(Member(root, "model"), "vocab");
  if (!vocabulary.is_object() || vocabulary.empty())
    return Broken("model.vocab is missing or empty");
  tokens.reserve(vocabulary.size());
  for (auto entry = vocabulary.begin(); entry != vocabulary.end(); ++entry) {
    if (auto placed = Place(entry.value(), entry.key(), TokenKind::kNormal, tokens); !placed)
      return placed;
  }
  const json& added = Member(root, "added_tokens");
  if (!added.is_null() && !added.is_array()) return Broken("added_tokens is no list");
  for (const json& token : added) {
    const json& content = Member(token, "content");
    if (TextOf(content).empty()) return Broken("an entry of added_tokens has no content");
    const bool special = IsTrue(token, "special");
    if (!special &&
        (IsTrue(token, "lstrip") || IsTrue(token, "rstrip") || IsTrue(token, "single_word")))
      return Unsupported(
          fmt::format("added token '{}' is not taken as it stands in a text", TextOf(content)));
    const TokenKind kind = special ? TokenKind::kControl : TokenKind::kUserDefined;
    if (auto placed = Place(Member(token, "id"), TextOf(content), kind, tokens); !placed)
      return placed;
  }
  return {};
}

// A merge is a pair of texts, or one text with a space between the two parts. Pairs are joined to
// one text, which `joined` owns.
tl::expected<std::vector<std::string_view>, ModelError> ReadMergeLines(
    const json& root, std::vector<std::string>& joined) {
  const json& merges = Member(Member(root, "model"), "merges");
  if (!merges.is_array()) return Broken("model.merges is missing");
  std::vector<std::string_view> lines;
  lines.reserve(merges.size());
  joined.reserve(merges.size());
  for (const json& merge : merges) {
    if (merge.is_string()) {
      lines.push_back(TextOf(merge));
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
               merge[1].is_string()) {
      lines.push_back(
          joined.emplace_back(fmt::format("{} {}", TextOf(merge[0]), TextOf(merge[1]))));
    } else {
      return Broken(fmt::format("merge {} is no pair of texts", lines.size()));
    }
  }
  return lines;
}

tl::expected<void, ModelError> CheckModel(const json& root) {
  const json& model = Member(root, "model");
  if (!model.is_object()) return Broken("no member 'model'; is it a tokenizer.json?");
  const std::string_view type = TextOf(Member(model, "type"));
  if (type != "BPE" && !(type.empty() && Member(model, "merges").is_array()))
    return Unsupported(fmt::format("tokenizer '{}'; tenon reads byte-level BPE", type));
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!TextOf(Member(model, affix)).empty())
      return Unsupported(fmt::format("model.{} is not empty", affix));
  }
  for (const char* flag : {"byte_fallback", "ignore_merges"}) {
    if (IsTrue(model, flag)) return Unsupported(fmt::format("model.{} is on", flag));
  }
  const json& normalizer = Member(root, "normalizer");
  if (!normalizer.is_null() && TextOf(Member(normalizer, "type")) != "NFC")
    return Unsupported(fmt::format("normalizer '{}' changes texts; NFC alone is accepted",
                                   TextOf(Member(normalizer, "type"))));
  return {};
}

tl::expected<Tokenizer, ModelError> Read(const json& root) {
  if (auto fine = CheckModel(root); !fine) return tl::unexpected(std::move(fine.error()));
  auto splitter = ReadPreTokenizer(root);
  if (!splitter) return tl::unexpected(std::move(splitter.error()));
  TokenizerParts parts(*std::move(splitter));
  if (auto read = ReadTokens(root, parts.tokens); !read)
    return tl::unexpected(std::move(read.error()));
  std::vector<std::string> joined;
  auto merges = ReadMergeLines(root, joined);
  if (!merges) return tl::unexpected(std::move(merges.error()));
  parts.merges = *std::move(merges);
  auto tokenizer = Tokenizer::FromParts(std::move(parts));
  if (!tokenizer) return Broken(std::move(tokenizer.error()));
  return *std::move(tokenizer);
}

}  // namespace

tl::expected<Tokenizer, ModelError> ReadTokenizerJson(std::string_view text,
                                                      const std::string& path) {
  bool too_deep = false;
  const auto watch_depth = [&too_deep](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;
  };
  const json root = json::parse(text.begin(), text.end(), watch_depth, false);
  if (root.is_discarded() || too_deep) {
    const std::string what =
        too_deep ? fmt::format("more than {} brackets are nested", kMaxDepth) : "not valid JSON";
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat, fmt::format("{}: {}; fetch it anew", path, what)});
  }
  return Read(root).map_error([&path](ModelError error) {
    error.message = fmt::format("{}: {}", path, error.message);
    return error;
  });
}

}  // namespace tenon::model
