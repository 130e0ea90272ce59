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
#include <vector>

namespace tenon::constraint {

// A place in a grammar file. Example: the `B` of the two lines `a: "b"` and `B: "c"` stands at line
// 2, column 1.
struct FilePlace {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
  uint32_t file = 0;    // 0: the grammar's own file; else one that it imports
};

enum class GrammarErrorCode : uint8_t {
  kSyntax,         // not in the Lark dialect that docs/grammars.md lists
  kUnsupported,    // Lark has it, tenon refuses it: templates, look-around
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

// Keeps the first error of a grammar, and knows the paths of its files.
class ErrorSink {
 public:
  explicit ErrorSink(std::string path) : paths_{std::move(path)} {}

  // The path of the file that places call by this number. REQUIRES: the numbers come in order.
  void NameFile(uint32_t file, const std::string& path) {
    if (file == paths_.size()) paths_.push_back(path);
  }
  const std::string& PathOf(FilePlace place) const { return paths_[place.file]; }

  void Fail(GrammarErrorCode code, FilePlace place, std::string message) {
    if (!first_)
      first_ = GrammarError{code, PathOf(place), place.line, place.column, std::move(message)};
  }
  bool failed() const { return first_.has_value(); }
  const GrammarError& error() const { return *first_; }  // REQUIRES: failed()

 private:
  std::vector<std::string> paths_;  // [file]
  std::optional<GrammarError> first_;
};

}  // namespace tenon::constraint
