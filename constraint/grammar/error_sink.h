// Where the parts of the reader leave what is wrong: the first error stands, later ones are its consequences.
//
// Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "constraint/grammar/grammar_error.h"

namespace tenon::constraint {

struct Place {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
};

class ErrorSink {
 public:
  explicit ErrorSink(std::string path) : path_(std::move(path)) {}

  void Fail(GrammarErrorCode code, Place place, std::string message) {
    if (!first_) first_ = GrammarError{code, path_, place.line, place.column, std::move(message)};
  }
  bool failed() const { return first_.has_value(); }
  const GrammarError& error() const { return *first_; }  // REQUIRES: failed()

 private:
  std::string path_;
  std::optional<GrammarError> first_;
};

}  // namespace tenon::constraint
