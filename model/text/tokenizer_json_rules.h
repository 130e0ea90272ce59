// The rules of a tokenizer.json by which a text is changed and cut before its pairs are merged.
//
// Two kinds of BPE are told apart by them. Byte-level BPE has a pre_tokenizer that ends in
// ByteLevel. BPE of characters (character_bpe.h) writes a space as ▁ instead, by a normalizer or by
// the pre_tokenizer Metaspace:
//
//   "normalizer": {"type": "Sequence", "normalizers": [
//     {"type": "Prepend", "prepend": "▁"},
//     {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}
//
// Source: as of tokenizer_json.h. Inside the room only; included by sources alone.
// Cost: none to speak of. Thread rule: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "model/model_error.h"
#include "model/text/tokenizer.h"

namespace tenon::model {

// The file is damaged, or of a kind that tenon does not read. `what` does not name it.
inline tl::unexpected<ModelError> BrokenTokenizer(std::string what) {
  return tl::unexpected(ModelError{ModelErrorCode::kFormat, std::move(what)});
}
inline tl::unexpected<ModelError> UnsupportedTokenizer(std::string what) {
  return tl::unexpected(ModelError{ModelErrorCode::kUnsupported, std::move(what)});
}

struct TokenizerRules {
  PreTokenizer pre_tokenizer;
  // BPE begins with characters; nothing: with bytes.
  std::optional<SpaceBefore> characters;
};

// root: the whole file. Errors: kFormat and kUnsupported, without the file's name.
[[nodiscard]] tl::expected<TokenizerRules, ModelError> ReadTokenizerRules(
    const nlohmann::json& root);

// The name of the token that `post_processor` puts before every text; nothing where it puts none.
[[nodiscard]] std::optional<std::string> TokenBeforeEveryText(const nlohmann::json& root);

}  // namespace tenon::model
