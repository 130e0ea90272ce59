// A fault of a grammar file: its place, and its remedy.
//
// A grammar file is written by a person, so a mistake in it is an ordinary outcome and not a bug.
// Every step that finds one reports it to an `ErrorSink`, and the reader returns the first report;
// the later ones are consequences.
// Example: line 3 of `lists.lark` reads `list: item ("," itme)*`. The reader answers
//
//   lists.lark:3:17: the rule 'itme' is not defined
//
// Cost: none where nothing is wrong. Thread rule: `GrammarError` is a value; a sink belongs to one
// call of ReadGrammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tenon::constraint {

// A place in a grammar file. Example: the `B` of the two lines `a: "b"` and `B: "c"` stands at line
// 2, column 1.
struct FilePlace {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
};

enum class GrammarErrorCode : uint8_t {
  kSyntax,         // not in the Lark dialect that docs/grammars.md lists
  kUnsupported,    // Lark has it, tenon refuses it: templates, %extend, look-around
  kUndefined,      // a name without definition
  kRedefined,      // a name with two definitions
  kEmptyTerminal,  // a terminal that matches the empty text
  kUnproductive,   // a rule that derives no text (in the accepted or in the emitted language)
  kUnreachable,    // a rule or terminal that the start rule never uses
  kMechanism,      // a directive with wrong arguments
  kTooLarge,       // a limit on states or rules was reached
};

struct GrammarError {
  GrammarErrorCode code;
  std::string path;
  uint32_t line = 0;             // from 1; 0: the whole file
  uint32_t column = 0;           // from 1, in characters
  std::string message;           // found, expected, and the remedy
  std::string ToString() const;  // path:line:col: message
};

// Keeps the first error of a grammar file.
class ErrorSink {
 public:
  explicit ErrorSink(std::string path) : path_(std::move(path)) {}

  void Fail(GrammarErrorCode code, FilePlace place, std::string message) {
    if (!first_) first_ = GrammarError{code, path_, place.line, place.column, std::move(message)};
  }
  bool failed() const { return first_.has_value(); }
  const GrammarError& error() const { return *first_; }  // REQUIRES: failed()

 private:
  std::string path_;
  std::optional<GrammarError> first_;
};

}  // namespace tenon::constraint
