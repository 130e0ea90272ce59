// A vocabulary from Hugging Face's tokenizer.json, and from whichever file a person names.
//
// Read is what byte-level BPE models have (GPT-2, SmolLM2, Qwen2 and 3, Llama 3 …): `model` of type BPE with `vocab` and `merges`,
// `added_tokens`, and a `pre_tokenizer` of ByteLevel, Split by an expression, and Digits, alone or in a Sequence. An added token that is
// `special` becomes a control token, another one is taken verbatim wherever it stands in a text.
// Where we differ: a `normalizer` of NFC is accepted and not run, because a tokenizer here must give the text's bytes back; text that
// is in NFC, as nearly all code is, gets the same tokens. Everything else is refused with the file and the place in it.
// Source: https://huggingface.co/docs/tokenizers (the crate's serialisation is the format's only definition).
// Cost: 151,669 tokens, 11 MB of JSON: docs/measured.md. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"
#include "model/tokenizer.h"

namespace tenon::model {

// `path` is for messages.
[[nodiscard]] tl::expected<Tokenizer, ModelError> ReadTokenizerJson(std::string_view text, const std::string& path);

// The tokenizer of a GGUF file or of a tokenizer.json, told apart by how the file begins.
[[nodiscard]] tl::expected<Tokenizer, ModelError> OpenTokenizer(const std::string& path);

}  // namespace tenon::model
