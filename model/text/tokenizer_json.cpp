#include "model/text/tokenizer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/json_text.h"
#include "model/text/marker_names.h"
#include "model/text/sentencepiece_model.h"
#include "model/text/tokenizer_json_rules.h"

namespace tenon::model {
namespace {

using nlohmann::json;

// Far above any real vocabulary: a file with a larger id is broken.
constexpr size_t kMaxTokens = 4'000'000;
// What is read of a tokenizer nests six levels.
constexpr int kMaxDepth = 32;

// One above the largest id that a list of so many tokens may have: few ids are left out.
size_t IdLimit(size_t tokens) { return std::min(kMaxTokens, 4 * tokens + 65'536); }

tl::expected<void, ModelError> Place(const json& id, std::string_view name, TokenKind kind,
                                     size_t id_limit, std::vector<TokenizerParts::Entry>& tokens) {
  if (!id.is_number_unsigned() || id.get<uint64_t>() >= id_limit)
    return BrokenTokenizer(
        fmt::format("token '{}': its id must be a number below {}", name, id_limit));
  const size_t at = id.get<size_t>();
  // Ids without an entry stand for no text.
  if (at >= tokens.size()) tokens.resize(at + 1, {std::string_view(), TokenKind::kUnused});
  if (!tokens[at].name.empty() && tokens[at].name != name)
    return BrokenTokenizer(
        fmt::format("two tokens have id {}: '{}' and '{}'", at, tokens[at].name, name));
  tokens[at] = {name, kind};
  return {};
}

tl::expected<void, ModelError> ReadTokens(const json& root,
                                          std::vector<TokenizerParts::Entry>& tokens) {
  const json& vocabulary = Member(Member(root, "model"), "vocab");
  if (!vocabulary.is_object() || vocabulary.empty())
    return BrokenTokenizer("model.vocab is missing or empty");
  tokens.reserve(vocabulary.size());
  const json& added = Member(root, "added_tokens");
  if (!added.is_null() && !added.is_array()) return BrokenTokenizer("added_tokens is no list");
  const size_t limit = IdLimit(vocabulary.size() + added.size());
  const bool bytes = IsTrue(Member(root, "model"), "byte_fallback");
  const std::string_view unknown =
      bytes ? TextOf(Member(Member(root, "model"), "unk_token")) : std::string_view();
  for (auto entry = vocabulary.begin(); entry != vocabulary.end(); ++entry) {
    const TokenKind kind = bytes && NamedByte(entry.key())   ? TokenKind::kByte
                           : bytes && entry.key() == unknown ? TokenKind::kUnknown
                                                             : TokenKind::kNormal;
    if (auto placed = Place(entry.value(), entry.key(), kind, limit, tokens); !placed)
      return placed;
  }
  for (const json& token : added) {
    const std::string_view content = TextOf(Member(token, "content"));
    if (content.empty()) return BrokenTokenizer("an entry of added_tokens has no content");
    const bool control = IsTrue(token, "special") || IsMarkerName(content);
    if (!control &&
        (IsTrue(token, "lstrip") || IsTrue(token, "rstrip") || IsTrue(token, "single_word")))
      return UnsupportedTokenizer(
          fmt::format("added token '{}' is not taken as it stands in a text", content));
    const TokenKind kind = bytes && content == unknown ? TokenKind::kUnknown
                           : control                   ? TokenKind::kControl
                                                       : TokenKind::kUserDefined;
    if (auto placed = Place(Member(token, "id"), content, kind, limit, tokens); !placed)
      return placed;
  }
  return {};
}

// A merge is a pair of texts, or one text with a space between the two parts. Pairs are joined to
// one text, which `joined` owns.
tl::expected<std::vector<std::string_view>, ModelError> ReadMergeLines(
    const json& root, std::vector<std::string>& joined) {
  const json& merges = Member(Member(root, "model"), "merges");
  if (!merges.is_array()) return BrokenTokenizer("model.merges is missing");
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
      return BrokenTokenizer(fmt::format("merge {} is no pair of texts", lines.size()));
    }
  }
  return lines;
}

tl::expected<void, ModelError> CheckModel(const json& root) {
  const json& model = Member(root, "model");
  if (!model.is_object()) return BrokenTokenizer("no member 'model'; is it a tokenizer.json?");
  const std::string_view type = TextOf(Member(model, "type"));
  if (type != "BPE" && !(type.empty() && Member(model, "merges").is_array()))
    return UnsupportedTokenizer(fmt::format("tokenizer '{}'; tenon reads byte-level BPE", type));
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!TextOf(Member(model, affix)).empty())
      return UnsupportedTokenizer(fmt::format("model.{} is not empty", affix));
  }
  return {};
}

// The ends that the reader was told. A token that the file puts before every text is the
// begin-of-text token, whatever the reader was told.
TextEnds EndsOf(const json& root, const ToldEnds& told,
                const std::vector<TokenizerParts::Entry>& tokens) {
  TextEnds ends{told.eos, told.bos, false, told.also_end};
  const auto before = TokenBeforeEveryText(root);
  const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const auto& entry) {
    return before && entry.name == *before && entry.kind == TokenKind::kControl;
  });
  const bool begins = found != tokens.end();
  if (begins) ends.bos = TokenId{static_cast<uint32_t>(found - tokens.begin())};
  ends.add_bos = ends.bos && told.add_bos.value_or(begins);
  return ends;
}

tl::expected<Tokenizer, ModelError> Read(const json& root, const ToldEnds& told) {
  if (auto fine = CheckModel(root); !fine) return tl::unexpected(std::move(fine.error()));
  auto rules = ReadTokenizerRules(root);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  TokenizerParts parts(std::move(rules->pre_tokenizer));
  parts.characters = rules->characters;
  parts.whole_tokens_first = IsTrue(Member(root, "model"), "ignore_merges");
  if (parts.whole_tokens_first && parts.characters)
    return UnsupportedTokenizer("model.ignore_merges and model.byte_fallback are both on");
  if (auto read = ReadTokens(root, parts.tokens); !read)
    return tl::unexpected(std::move(read.error()));
  std::vector<std::string> joined;
  auto merges = ReadMergeLines(root, joined);
  if (!merges) return tl::unexpected(std::move(merges.error()));
  parts.merges = *std::move(merges);
  parts.ends = EndsOf(root, told, parts.tokens);
  auto tokenizer = Tokenizer::FromParts(std::move(parts));
  if (!tokenizer) return BrokenTokenizer(std::move(tokenizer.error()));
  return *std::move(tokenizer);
}

}  // namespace

tl::expected<Tokenizer, ModelError> ReadTokenizerJson(std::string_view text,
                                                      const std::string& path,
                                                      const ToldEnds& told) {
  const auto place = [&path](ModelError error) {
    const bool damaged = error.code == ModelErrorCode::kFormat;
    error.message = fmt::format(
        "{}: {}; {}", path, error.message,
        damaged ? "fetch it anew" : "take a model of another tokenizer, or its GGUF file");
    return error;
  };
  const auto root =
      ParseJson(text, {.path = path, .max_depth = kMaxDepth, .has_unique_keys = false});
  if (!root) return tl::unexpected(root.error());
  return Read(*root, told).map_error(place);
}

}  // namespace tenon::model
