// The failures that a user can cause or repair: a code for the program, a sentence for the user.
//
// The sentence names the file, the place in the file where there is one, and the remedy.
// Example: a file that ends too early gives {kFormat, "m.gguf: at byte 24: the file ends within a
// metadata key; the file is damaged, fetch it again"}.
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::model {

enum class ModelErrorCode : uint8_t {
  kFile,         // the file cannot be opened or read
  kFormat,       // the file is damaged: not a whole, consistent file of its format
  kUnsupported,  // the file is of a kind that tenon does not run
  kTooLong,      // more tokens than the context holds
  kCancelled,    // the caller's stop token asked to stop
};

struct ModelError {
  ModelErrorCode code = ModelErrorCode::kFormat;
  std::string message;
};

}  // namespace tenon::model
