// What goes wrong with a model: a kind for the program, a sentence for the user.
//
// The sentence names the file, the place in it where there is one, and what to do. Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::model {

enum class ModelErrorCode : uint8_t {
  kFile,         // cannot be opened or read
  kFormat,       // not a whole, consistent GGUF file
  kUnsupported,  // a file of a kind that tenon does not run
  kTooLong,      // more tokens than the context holds
  kCancelled,    // the caller's stop token asked to stop
};

struct ModelError {
  ModelErrorCode code = ModelErrorCode::kFormat;
  std::string message;
};

}  // namespace tenon::model
