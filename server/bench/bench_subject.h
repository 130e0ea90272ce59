// The subject of a benchmark: a grammar's text, a file, and the file's tokens.
//
// Example: `tenon bench masks --file a.py` reads the grammar of Python, a.py, and the tokens of
// a.py in the vocabulary of the default model.
// Thread rule: plain values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/bench/bench_command.h"
#include "tenon/language.h"
#include "tenon/token_id.h"
#include "tenon/vocabulary.h"

namespace tenon::server {

struct BenchSubject {
  std::string grammar_path;
  std::string grammar;
  std::string text;  // of the file
  // Empty where the benchmark needs no tokenizer.
  Vocabulary vocabulary{std::span<const std::string>()};
  std::vector<TokenId> tokens;  // of the text, whole and in order

  // Without a file in the options the text is empty. The error names the file that is wrong and the
  // remedy.
  [[nodiscard]] static tl::expected<BenchSubject, std::string> Read(const Invocation& invocation,
                                                                    const BenchOptions& options);
  // Without a cache.
  [[nodiscard]] tl::expected<Language, std::string> Compile() const;
};

// A sentence for a file that its grammar refuses.
[[nodiscard]] std::string NotValid(const BenchOptions& options, size_t offset_bytes,
                                   const std::string& message);

[[nodiscard]] int BenchMasks(const Invocation& invocation, const BenchOptions& options,
                             const BenchSubject& subject);
// Masks of `options.regex`: of every state of its automaton, then of random texts.
[[nodiscard]] int BenchExpression(const Invocation& invocation, const BenchOptions& options);
[[nodiscard]] int BenchStore(const Invocation& invocation, const BenchSubject& subject);
// The cost of a keystroke while some lines of `text` are typed anew.
void BenchKeystrokes(const Invocation& invocation, const Language& language,
                     const std::string& text);
// Of texts of an ambiguous grammar; the options name no file.
[[nodiscard]] int BenchAmbiguity(const Invocation& invocation, const BenchOptions& options);
// Of the invocation's model.
[[nodiscard]] int BenchModel(const Invocation& invocation, const BenchOptions& options);
// Of the invocation's model, and a file's text alone.
[[nodiscard]] int BenchLsp(const Invocation& invocation, const BenchOptions& options);
// Of the parser of a file's language; needs no grammar.
[[nodiscard]] int BenchSyntax(const Invocation& invocation, const BenchOptions& options);
[[nodiscard]] int BenchGap(const Invocation& invocation, const BenchOptions& options,
                           const BenchSubject& subject);

}  // namespace tenon::server
