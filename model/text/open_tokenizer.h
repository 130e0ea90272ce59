// A tokenizer from whichever file a user names: a GGUF file, a tokenizer.json of Hugging Face or a
// tokenizer.model of sentencepiece.
//
// A GGUF file is recognised by its first four bytes, a tokenizer.model by its first byte, which is
// the tag of its first token and is never followed by a JSON object. A tokenizer.model says
// nothing about a begin-of-text token, so none is added unless `told` says so. A GGUF file says all
// itself.
//
// Source: tokenizer.h, tokenizer_json.h, sentencepiece_model.h. Cost: theirs. Thread rule: pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"
#include "model/text/tokenizer.h"

namespace tenon::model {

// Errors: kFile, the file cannot be opened; those of Tokenizer::FromGguf, ReadTokenizerJson and
// ReadTokenizerModel.
[[nodiscard]] tl::expected<Tokenizer, ModelError> OpenTokenizer(const std::string& path,
                                                                const ToldEnds& told = {});

// `path` is for messages. Error: kFormat, the bytes are no vocabulary of sentencepiece, or none
// that can be run.
[[nodiscard]] tl::expected<Tokenizer, ModelError> ReadTokenizerModel(std::string_view bytes,
                                                                     const std::string& path,
                                                                     const ToldEnds& told = {});

}  // namespace tenon::model
