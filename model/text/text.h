// The room `text`: text to the token ids that a model reads, and its tokens back to bytes.
//
//   pre_tokenizer.h   text -> pieces ("pre-tokens"), by the model's regular expressions
//   byte_alphabet.h   bytes <-> the printable spelling that vocabularies use for them
//   tokenizer.h       text -> token ids by byte-pair encoding or sentencepiece, and ids -> bytes
//   sentencepiece_model.h, sentencepiece_vocabulary.h   the vocabularies of sentencepiece
//   tokenizer_json.h  a tokenizer from Hugging Face's tokenizer.json
//   hugging_face_tokenizer.h   the tokenizer of a Hugging Face folder
//   open_tokenizer.h  a tokenizer from any file by its path
//   fim.h             left and right context -> the prompt that makes a model fill in the middle
//
// Example: the cursor stands in `def f(a):⏎    return |⏎`. FimFormat::BuildPrompt lays the two
// contexts out as
//
//   <fim_prefix>def f(a):⏎    return <fim_suffix>⏎<fim_middle>
//
// where the names in <> are single tokens and the contexts are encoded by Tokenizer::Encode. The
// tokens that the model draws next are the middle; Tokenizer::Bytes gives their bytes.
//
// This header is the room's face: other rooms include this header and no other of the room. (The
// tests of the vocabulary spell tokens by byte_alphabet.h; nothing else outside needs it.)
// Thread rule: everything is immutable once made.
#pragma once

#include "model/text/fim.h"
#include "model/text/hugging_face_tokenizer.h"
#include "model/text/open_tokenizer.h"
#include "model/text/tokenizer.h"
#include "model/text/tokenizer_json.h"
