#include "model/file/panel_key.h"

#include <algorithm>
#include <vector>

#include "model/file/gguf.h"
#include "model/file/hugging_face_folder.h"
#include "model/file/quantize.h"

namespace tenon::model {
namespace {

constexpr size_t kPrintedHeadBytes = size_t{1} << 20;
constexpr size_t kPrintedSamples = 32;
constexpr size_t kPrintedSampleBytes = 4096;

// What becomes of a sample of floats: whoever changes how they are quantized changes it.
std::vector<std::byte> QuantizedSample() {
  std::vector<float> sample;
  for (int i = 0; i < static_cast<int>(4 * kQ8Values); ++i)
    sample.push_back(static_cast<float>(i * i % 97 - 48) / static_cast<float>(i + 7));
  std::vector<std::byte> blocks(sample.size() / kQ8Values * kQ8Bytes);
  QuantizeToQ8_0(sample, blocks.data());
  return blocks;
}

}  // namespace

Hash128 PrintOf(std::span<const std::byte> file) {
  Hasher hasher;
  hasher.Add(file.subspan(0, std::min(file.size(), kPrintedHeadBytes)));
  for (size_t i = 1; i <= kPrintedSamples; ++i) {
    const size_t end = file.size() / kPrintedSamples * i;
    const size_t begin = end - std::min(end, kPrintedSampleBytes);
    hasher.Add(file.subspan(begin, end - begin));
  }
  return hasher.Result();
}

PanelKey PanelKeyOf(const GgufFile& model, uint64_t layout) {
  return {layout, model.size_bytes(), model.changed_ns(), PrintOf(model.bytes())};
}

PanelKey PanelKeyOf(const HuggingFaceFolder& model, uint64_t layout) {
  PanelKey key{layout};
  Hasher hasher;
  hasher.Add(QuantizedSample());
  for (const SafetensorsFile& file : *model.shards()) {
    key.model_bytes += file.bytes().size();
    key.model_changed_ns = std::max(key.model_changed_ns, file.changed_ns());
    hasher.AddNumber(file.bytes().size());
    hasher.AddNumber(file.changed_ns());
    hasher.AddNumber(PrintOf(file.bytes()));
  }
  // An index says which file a tensor is taken from.
  for (const auto& [name, stored] : model.tensors()) {
    hasher.AddText(name);
    hasher.AddNumber(stored.file - model.shards()->data());
  }
  key.model_print = hasher.Result();
  return key;
}

}  // namespace tenon::model
