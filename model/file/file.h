// The room `file`: files of models and adapters, read and checked, and their stored weights turned
// to floats; and files of weights in panels, which tenon writes itself.
//
//   gguf.h         a model's metadata and its tensors, mapped into memory
//   mapped_file.h  a file mapped into memory
//   tensor_type.h  the types of stored tensors, and their sizes
//   dequantize.h   rows of a stored tensor -> floats
//   half.h         16-bit floats -> floats
//   safetensors.h  the tensors of a safetensors file, mapped into memory
//   safetensors_index.h   which of several safetensors files has which tensor
//   json_values.h  the values of a configuration in JSON
//   hugging_face_folder.h   a model as a folder of such files
//   quantize.h     floats -> blocks of Q8_0
//   peft_adapter.h a LoRA adapter: matrices of low rank that are added to a model's
//   panel_file.h   a model's weights in panels, kept from run to run; panel_writer.h writes them,
//                  and panel_key.h says which model they are of
//
// Example: GgufFile::Open("m.gguf") maps the file; file.Integer("llama.block_count") is 30;
// file.FindTensor("token_embd.weight") has the bytes of the embedding, and DequantizeRows writes
// the row of one token as floats.
//
// A model file comes from anywhere and is not trusted. The room checks the structure of the file:
// counts, sizes, offsets. Whoever reads a metadata value checks the range of the value.
//
// This header is the room's face: other rooms include this header and no other of the room.
// Thread rule: everything is immutable once made.
#pragma once

#include "model/file/dequantize.h"
#include "model/file/gguf.h"
#include "model/file/half.h"
#include "model/file/hash128.h"
#include "model/file/hugging_face_folder.h"
#include "model/file/json_values.h"
#include "model/file/mapped_file.h"
#include "model/file/panel_file.h"
#include "model/file/panel_key.h"
#include "model/file/panel_writer.h"
#include "model/file/peft_adapter.h"
#include "model/file/quantize.h"
#include "model/file/safetensors.h"
#include "model/file/safetensors_index.h"
#include "model/file/tensor_type.h"
