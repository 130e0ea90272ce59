// The room `inference`: a language model, token ids in, logits out.
//
//   model_family.h       the families of models, and what files call their sizes and tensors
//   open_model.h         a GGUF file or a Hugging Face folder, opened and checked
//   llama_config.h       the sizes of a model, from the file's metadata
//   llama_tensors.h      the tensors of its file, checked against the sizes
//   llama_weights.h      its weights, packed for products
//   kept_panels.h        weights in panels, kept in a file from run to run
//   llama_model.h        the whole model: weights, tokenizer, prompt format
//   inference_session.h  one text that a model continues, with its KV cache
//   engine.h             the two engines, and where they compute
//   forward_pass.h       the computation: a stretch of tokens through all layers, by our kernels;
//                        layer_products.h has its linear layers, attention.h its attention
//   torch_engine.h       the same computation by libtorch's operators, on the processor or a GPU
//   model_info.h         the contents of a model file in words, for the user
//
// Example: the three calls of a completion.
//
//   auto model = LlamaModel::Load("m.gguf", {});      // once: 0.3 to 1 s
//   auto session = (*model)->NewSession();
//   auto logits = session->Prefill(prompt, cancel);   // all tokens of the prompt
//   logits = session->Decode(token);                  // one more token, many times
//
// The logits are one number for each token of the vocabulary: the larger the number, the likelier
// the token comes next. The room `sampling` draws from them.
//
// This header is the room's face: other rooms include this header and no other of the room.
#pragma once

#include "model/inference/engine.h"
#include "model/inference/inference_session.h"
#include "model/inference/kept_panels.h"
#include "model/inference/llama_model.h"
#include "model/inference/model_info.h"
