// The tokenizer of a model in a Hugging Face folder.
//
// It is the folder's tokenizer.json, else its tokenizer.model of sentencepiece. The ids of the
// tokens that end a text are those of generation_config.json, else of config.json:
// `eos_token_id`, one id or a list, all of which end a model's text. A text is begun by a
// token where tokenizer_config.json has `add_bos_token`, or the tokenizer.json has such a rule.
//
// Example: Llama 3 has "eos_token_id": [128001, 128009] in its generation_config.json. The first is
// eos(), both are end_tokens().
//
// Source: https://huggingface.co/docs/transformers (generation, tokenizers).
// Cost: as of tokenizer_json.h. Thread rule: pure functions.
#pragma once

#include <tl/expected.hpp>

#include "model/file/file.h"
#include "model/model_error.h"
#include "model/text/tokenizer.h"

namespace tenon::model {

// Errors: kFile, the folder has no tokenizer; those of ReadTokenizerJson and ReadTokenizerModel.
[[nodiscard]] tl::expected<Tokenizer, ModelError> OpenTokenizerOf(const HuggingFaceFolder& folder);

}  // namespace tenon::model
