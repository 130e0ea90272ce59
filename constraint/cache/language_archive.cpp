#include "constraint/cache/language_archive.h"

#include <utility>

#include "constraint/cache/language_fields.h"
#include "constraint/cache/soundness.h"

namespace tenon::constraint {

std::string BytesOf(const Language& language) {
  ArchiveWriter archive;
  archive(language.grammar, language.lexer, language.table);
  if (language.insertions) archive(*language.insertions);
  return archive.Take();
}

std::shared_ptr<const Language> LanguageFrom(std::string_view bytes, std::string path,
                                             GrammarKey key) {
  Grammar grammar;
  Lexer lexer = CacheFields<Lexer>::Empty();
  LrTable table;
  ArchiveReader archive(bytes);
  archive(grammar, lexer, table);
  std::unique_ptr<Insertions> insertions;
  if (grammar.insertion) {
    insertions = CacheFields<Insertions>::Empty();
    archive(*insertions);
  }
  if (!archive.Finished() || !IsSound(grammar) || !IsSound(lexer, grammar) ||
      !IsSound(table, grammar) || (insertions && !IsSound(*insertions, lexer)))
    return nullptr;
  CacheFields<Lexer>::Complete(lexer);
  grammar.path = std::move(path);
  return Language::Join(std::move(grammar), std::move(lexer), std::move(table), key,
                        std::move(insertions));
}

}  // namespace tenon::constraint
