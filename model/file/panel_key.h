// The key of a panel file (panel_file.h): which model it was made of, by which layout of panels.
//
// A panel file is used for a model whose key it has, and for no other. Reading a whole model to
// tell whether it has changed would take as long as laying it out. So the key has the size and the
// time of change of the model's file, and its *print*: a hash of its first MiB and of 32 samples.
// Example: a model is fetched anew. The time of change differs, and the panels are made again.
//
// A Hugging Face folder is a model of several files, whose floats become blocks before they are
// panels. Its key has the files' bytes in all, the latest time of change, and a hash of the same
// facts of every file and of the way in which floats become blocks.
//
// Source: ours. Cost: reads about 1.1 MiB of each file. Thread rule: values, pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/file/hash128.h"

namespace tenon::model {

class GgufFile;
class HuggingFaceFolder;

struct PanelKey {
  uint64_t layout = 0;  // PanelLayout (kernels/panel_matrix.h)
  uint64_t model_bytes = 0;
  int64_t model_changed_ns = 0;  // since 1970
  Hash128 model_print = {};

  friend bool operator==(const PanelKey&, const PanelKey&) = default;
};
// The hash of a file's first MiB and of 32 samples of 4 KiB: files of the same size and time that
// are not the same differ in it, but for a damaged one.
[[nodiscard]] Hash128 PrintOf(std::span<const std::byte> file);
// The key of panel files of this model. REQUIRES: it was opened by its path.
[[nodiscard]] PanelKey PanelKeyOf(const GgufFile& model, uint64_t layout);
[[nodiscard]] PanelKey PanelKeyOf(const HuggingFaceFolder& model, uint64_t layout);

}  // namespace tenon::model
