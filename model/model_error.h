// The failures that a user can cause or repair: a code for the program, a sentence for the user.
//
// The sentence names the file, the place in the file where there is one, and the remedy.
// Example: a file that ends too early gives {kFormat, "m.gguf: at byte 24: the file ends within a
// metadata key; the file is damaged, fetch it again"}.
// A sentence may quote a file that is not trusted, so its control characters are replaced, and a
// long one is cut (printable.h).
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/printable.h"

namespace tenon::model {

enum class ModelErrorCode : uint8_t {
  kFile,         // the file cannot be opened or read
  kFormat,       // the file is damaged: not a whole, consistent file of its format
  kUnsupported,  // the file is of a kind that tenon does not run
  kTooLong,      // more tokens than the context holds
  kCancelled,    // the caller's stop token asked to stop
};

struct ModelError {
  ModelError() = default;
  ModelError(ModelErrorCode error_code, std::string_view sentence)
      : code(error_code), message(Printable(sentence)) {}

  ModelErrorCode code = ModelErrorCode::kFormat;
  std::string message;
};

}  // namespace tenon::model
