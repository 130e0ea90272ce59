#include "server/bench/bench_subject.h"

#include <utility>

#include <fmt/format.h>

#include "model/text/text.h"
#include "server/decode/mask_stores.h"

namespace tenon::server {

tl::expected<BenchSubject, std::string> BenchSubject::Read(const Invocation& invocation,
                                                           const BenchOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return tl::unexpected(languages.error());
  const auto id = Invocation::LanguageOf(**languages, options.language, options.file);
  if (!id) return tl::unexpected(id.error());
  if (!(*languages)->HasGrammar(*id)) {
    return tl::unexpected(fmt::format("no language with a grammar is called '{}'; known are {}",
                                      *id, fmt::join((*languages)->GrammarIds(), ", ")));
  }
  BenchSubject subject;
  subject.grammar_path = (*languages)->GrammarPath(*id).string();
  auto grammar = ReadFile(subject.grammar_path);
  if (!grammar) return tl::unexpected(std::move(grammar.error()));
  subject.grammar = *std::move(grammar);
  if (!options.file.empty()) {
    auto text = ReadFile(options.file);
    if (!text) return tl::unexpected(std::move(text.error()));
    subject.text = *std::move(text);
  }
  if (options.what == "gap" && !options.tokenizer) return subject;
  const auto path = invocation.TokenizerPath(options.tokenizer);
  if (!path) return tl::unexpected(path.error());
  const auto tokenizer = model::OpenTokenizer(*path);
  if (!tokenizer) return tl::unexpected(tokenizer.error().message);
  subject.vocabulary = VocabularyOf(*tokenizer);
  size_t spelled = 0;
  for (const TokenId token : tokenizer->Encode(subject.text, false)) {
    subject.tokens.push_back(token);
    spelled += subject.vocabulary.Bytes(token).size();
  }
  if (spelled != subject.text.size()) {
    return tl::unexpected(
        fmt::format("{}: the vocabulary has no tokens for {} bytes of this file; take another file",
                    options.file, subject.text.size() - spelled));
  }
  return subject;
}

tl::expected<Language, std::string> BenchSubject::Compile() const {
  auto language = Language::Compile(grammar, grammar_path);
  if (!language) return tl::unexpected(language.error().ToString());
  return *std::move(language);
}

std::string NotValid(const BenchOptions& options, size_t offset_bytes, const std::string& message) {
  return fmt::format("{}: not valid at byte {}: {}; take a file that 'tenon check' finds valid",
                     options.file, offset_bytes, message);
}

}  // namespace tenon::server
