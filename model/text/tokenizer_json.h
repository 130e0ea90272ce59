// A tokenizer from Hugging Face's tokenizer.json.
//
// The file is one JSON object. Its members say how models by byte-pair encoding (GPT-2, SmolLM2,
// StarCoder, Qwen2 and 3, Llama 2 and 3) encode text:
//
//   {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
//    "added_tokens": [{"id": 3, "content": "<|endoftext|>", "special": true}],
//    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}}
//
// With this file `abb` is the ids {2, 1}. An added token that is `special`, or named like a marker
// (marker_names.h), becomes a control token; any other added token is taken verbatim wherever it
// occurs in a text. A token that the post_processor puts before every text is the begin-of-text
// token. With `ignore_merges` a pre-token that is a token is that token. tokenizer_json_rules.h has
// the normalizers and pre-tokenizers.
//
// Where we differ: a `normalizer` of NFC is accepted and not run, because a Tokenizer must give
// the text's bytes back. Text that is in NFC, as nearly all code is, gets the same tokens.
// Everything else is refused; the message names the file, the place in it and the remedy.
// Source: https://huggingface.co/docs/tokenizers (the crate's serialisation is the format's only
// definition). Cost: docs/measured.md, for 151,669 tokens in 11 MB of JSON. Thread rule: pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"
#include "model/text/tokenizer.h"

namespace tenon::model {

// `path` is for messages. Errors: kFormat, the text is no tokenizer.json; kUnsupported, it encodes
// in a way that tenon does not know.
[[nodiscard]] tl::expected<Tokenizer, ModelError> ReadTokenizerJson(std::string_view text,
                                                                    const std::string& path,
                                                                    const ToldEnds& told = {});

}  // namespace tenon::model
