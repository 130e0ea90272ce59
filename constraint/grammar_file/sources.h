// The files that a grammar is made of: the file itself, and those that it imports.
//
// A grammar may build on another one: `%import "javascript.lark"` takes in all its definitions and
// directives. Example: `typescript.lark` imports `javascript.lark`, which imports nothing. Then
// there are two sources, number 0 and number 1; a FilePlace names its source by this number.
//
// An import names a file in the folder of the importing file or below it. A file that is imported
// twice, by two others, is read once and counts once. Refused with the place of the import: a file
// that imports itself, directly or through others; one that cannot be read; more than kMaxSources
// files; a file above kMaxSourceBytes.
//
// Differs from Lark, whose `%import` names single rules and whose paths have dots.
// Cost: each file is read and scanned once. Thread rule: a pure function but for the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/scanner.h"

namespace tenon::constraint {

inline constexpr size_t kMaxSources = 32;
inline constexpr size_t kMaxSourceBytes = size_t{64} << 20;

struct GrammarSource {
  std::string path;
  std::string text;
  std::vector<ScannedLexeme> lexemes;
  std::vector<uint32_t> imports;  // numbers of the sources that its imports name, in their order
};

// The text of a file. It is looked at before it is opened: the opening of a pipe waits, and a
// device may never end. Error: the reason and the remedy, to follow the file's name.
tl::expected<std::string, std::string> ReadSourceText(const std::filesystem::path& path);

// The sources of a grammar with this text; the first one is the grammar itself, at `path`. A text
// without imports reads no file. On an error, reported, those before it.
std::vector<GrammarSource> ReadSources(std::string_view text, std::string path, ErrorSink& errors);

// A text that tells two grammars apart, imported files included: the grammar's own text where it
// imports nothing.
std::string TextOfAll(const std::vector<GrammarSource>& sources);

// Is the lexeme at `at` the directive `%import` of a whole file?
bool ImportsFile(const std::vector<ScannedLexeme>& lexemes, size_t at);

}  // namespace tenon::constraint
