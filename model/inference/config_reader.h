// Reads the numbers of a model's configuration, from a GGUF file's metadata or a config.json, and
// keeps the first fault: so a caller reads all of them and looks at error() once.
//
// Example: of the metadata {"llama.block_count": 30}, Positive("llama.block_count") is 30. Then
// Positive("llama.embedding_length") is 1, and error() is "metadata llama.embedding_length is
// missing".
//
// Trust: a file comes from anywhere. Each number is checked before it is used; RequirePossible
// checks the sizes against one another.
// Source: ours. Inside the room only. Cost: a look-up a number. Thread rule: one thread at a time.
// REQUIRES: the file, or the values, outlive the reader.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"

namespace tenon::model {

class ConfigReader {
 public:
  explicit ConfigReader(const GgufFile& file);
  explicit ConfigReader(const JsonValues& values);

  // 1 to 2^24. `otherwise`: of a file that does not have the number; absent: it must.
  int Positive(const std::string& key, std::optional<int64_t> otherwise = {});
  // A number above zero that a float can hold.
  float PositiveReal(const std::string& key, std::optional<double> otherwise = {});
  // Keeps `what` as the fault unless `holds`.
  void Require(bool holds, const std::string& what);

  // The first fault, without the file's name and the remedy; nothing: there was none.
  const std::optional<std::string>& error() const { return error_; }

 private:
  void Fail(std::string what);

  const char* what_;  // the numbers are, for a message
  std::function<std::optional<int64_t>(const std::string&)> integer_;
  std::function<std::optional<double>(const std::string&)> real_;
  std::optional<std::string> error_;
};

// Requires sizes that fit together: heads that share keys evenly, rotations within a head, rows of
// activations that can be counted in 32 bits.
void RequirePossible(const LlamaConfig& config, ConfigReader& in);

// LlamaConfig::score_scale where scores are divided by the root of `divisor`.
float ScaleOfScores(float divisor);

// LlamaConfig::sees_all where every so-manieth layer sees all positions.
std::vector<bool> EverySeesAll(const LlamaConfig& config, int every);

}  // namespace tenon::model
