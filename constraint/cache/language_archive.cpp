#include "constraint/cache/language_archive.h"

#include <utility>

#include "constraint/cache/language_fields.h"
#include "constraint/cache/soundness.h"

namespace tenon::constraint {

std::string BytesOf(const Language& language) {
  ArchiveWriter archive;
  archive(language.grammar, language.lexer, language.table);
  return archive.Take();
}

std::shared_ptr<const Language> LanguageFrom(std::string_view bytes, std::string path,
                                             GrammarKey key) {
  Grammar grammar;
  Lexer lexer = CacheFields<Lexer>::Empty();
  LrTable table;
  ArchiveReader archive(bytes);
  archive(grammar, lexer, table);
  if (!archive.Finished() || !IsSound(grammar) || !IsSound(lexer, grammar) ||
      !IsSound(table, grammar))
    return nullptr;
  CacheFields<Lexer>::Complete(lexer);
  grammar.path = std::move(path);
  return Language::Join(std::move(grammar), std::move(lexer), std::move(table), key);
}

}  // namespace tenon::constraint
