// A language: a grammar, compiled once, with which texts are checked and gaps are opened.
//
// The grammar is a text in the Lark dialect of docs/grammars.md. Example: the lists of digits.
//
//   auto lists = tenon::Language::Compile(R"(
//       start: "[" [DIGIT ("," DIGIT)*] "]"
//       DIGIT: /[0-9]/
//   )", "lists.lark");
//   lists->Check("[1,2]").valid         // true
//   lists->Check("[1,,2]").offset_bytes // 3: `[1,` begins a list, `[1,,` begins none
//
// Two languages lie in one grammar. Texts that a person may have written are *accepted*. Texts that
// a program may write are *emitted*: a subset, by the directive `%emit`. Example: a JSON string may
// hold the escape `\ud83d`, half a character; it is accepted and never emitted. Newer syntax of a
// language stands in *levels* (`%levels`): texts with it are always accepted, and emitted only at
// that level or a later one.
//
// Source: DeRemer and Pennello, Efficient Computation of LALR(1) Look-Ahead Sets, 1982; Tomita,
// Efficient Parsing for Natural Language, 1986. Cost: compiling Python's grammar takes some tenths
// of a second, see cache.h; a check is linear in the text for grammars without conflicts.
// Thread rule: immutable, any threads; copies share one compiled language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/cache.h"
#include "tenon/error.h"
#include "tenon/export.h"

namespace tenon {

namespace constraint {
struct Language;
}

// kAccept: everything that the language allows. kEmit: the subset that a program writes.
enum class Strength : uint8_t { kAccept, kEmit };

// How new the syntax of emitted text may be: the first `included` of the grammar's levels. Found by
// Language::FindLevel. Without one only syntax of no level is emitted.
struct Level {
  uint32_t included = 0;
  auto operator<=>(const Level&) const = default;
};

struct TextCheck {
  bool valid = false;
  size_t offset_bytes = 0;  // where the text stops being the beginning of a valid one
  std::string message;      // the text found there, and the terminals expected; empty when valid
};

struct FileCheck {
  TextCheck check;
  std::string text;  // the file in UTF-8, or its part that could be decoded; offsets count in it
};

// The size of a compiled language.
struct LanguageCounts {
  size_t terminals = 0;
  size_t lr_terminals = 0;  // pairs of a terminal and a condition on where it may stand
  size_t nonterminals = 0;
  size_t rules = 0;  // without empty right sides
  size_t parser_states = 0;
  size_t parser_states_split_off = 0;  // copies that LR(1) needs beyond LALR(1)
  size_t lexer_states = 0;
  size_t conflicts = 0;
};

// A place where the parser follows several readings: each is told by a shortest text of terminals
// that leads there. Harmless but for the time that many readings cost.
struct Conflict {
  std::string next;  // the terminal that the parser sees; "the end"
  struct Reading {
    std::string after;  // terminals read so far: "IF expression statement"
    std::string item;   // the rule in progress, a dot where the readings part
  };
  std::vector<Reading> readings;
};

// A construct whose parts can be completed where the text around them is broken, by `%region`
// (docs/grammar_directives.md): texts that stand in for what is around the parts, or left out.
struct RegionRule {
  std::string node;                  // the kind of a node of a tree-sitter tree
  std::vector<std::string> parents;  // kinds of the node or construct around it; none: any
  std::string token;                 // a token that the node around it has; empty: any
  std::string before, after, filler;
};

// A part of a grammar that is taken though it is seldom meant: a rule that derives itself, a
// terminal that is never emitted.
struct GrammarNote {
  std::string path;     // of the grammar, or of a file that it imports
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
  std::string message;
};

class TENON_API Language {
 public:
  // `path` names the text in messages, and imports count from its folder. Error: the place in the
  // grammar, and the remedy.
  [[nodiscard]] static Result<Language> Compile(std::string_view grammar, std::string path,
                                                const Cache& cache = Cache());
  [[nodiscard]] static Result<Language> FromFile(const std::filesystem::path& path,
                                                 const Cache& cache = Cache());
  // The texts that a regular expression matches as a whole. Error: the place in the pattern.
  [[nodiscard]] static Result<Language> FromRegex(std::string_view pattern);

  // Is `text`, in UTF-8, a whole valid file? `level` counts for kEmit alone.
  [[nodiscard]] TextCheck Check(std::string_view text, Strength strength = Strength::kAccept,
                                Level level = {}) const;
  // The same of a file's bytes: where they declare an encoding they are decoded first.
  [[nodiscard]] FileCheck CheckFile(std::string bytes, Strength strength = Strength::kAccept,
                                    Level level = {}) const;

  // Names of the grammar's levels, each includes those before it: "3.10", "3.11".
  [[nodiscard]] std::vector<std::string> levels() const;
  // Error: the grammar has no level of this name, and which it has. The empty name: no level.
  [[nodiscard]] Result<Level> FindLevel(std::string_view name) const;

  // In the order of the grammar: the first that fits a node counts.
  [[nodiscard]] std::vector<RegionRule> regions() const;
  [[nodiscard]] LanguageCounts counts() const;
  // The first `most` conflicts, with examples. Cost: milliseconds each in a grammar of Python's
  // size.
  [[nodiscard]] std::vector<Conflict> Conflicts(size_t most) const;
  // In the order of the text. Error: as Compile.
  [[nodiscard]] static Result<std::vector<GrammarNote>> NotesOn(std::string_view grammar,
                                                                std::string path);
  // Was it made by FromRegex?
  bool is_expression() const;
  // Was it read from the cache?
  bool from_cache() const { return from_cache_; }
  // Is it a copy of the same compiled language?
  bool operator==(const Language& other) const { return compiled_ == other.compiled_; }

 private:
  friend struct Internals;
  Language(std::shared_ptr<const constraint::Language> compiled, bool from_cache)
      : compiled_(std::move(compiled)), from_cache_(from_cache) {}
  std::shared_ptr<const constraint::Language> compiled_;
  bool from_cache_ = false;
};

}  // namespace tenon
