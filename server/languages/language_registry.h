// The languages that this installation knows: which grammar belongs to an LSP language id or to a
// file suffix. A grammar is compiled when it is first asked for.
//
// A folder holds grammar files and languages.json, which maps ids to them:
//   {"python": {"grammar": "python.lark", "suffixes": [".py", ".pyi"]},
//    "json": {"grammar": "json.lark", "suffixes": [".json"]}}
// With this folder "a.pyi" is in the language "python". More members of an entry:
//   "imports": ["import "]   the beginnings of lines that a prompt shows wherever the cursor is
//                            (outline.h)
//   "syntax": "python"       the name of the language's parser (server/syntax). An entry may have
//                            this alone, without a grammar.
//   "names": "a.scm"         a file with a query of the syntax: rules for the names that a text
//                            declares (server/syntax/name_query.h)
//   "otherwise": "syntax"    where the grammar proves nothing, neither of the file nor of a region,
//                            completions are judged by the syntax alone: for a language whose files
//                            hold more than the grammar reads, such as JSX in `.js`
//
// Cost: loading reads languages.json alone. The first Get of a language compiles its grammar, or
// reads it from the cache (docs/measured.md); later ones take a look-up.
// Thread rule: immutable but for the compiled languages. Any threads may ask for those at once,
// and each is compiled once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "tenon/language.h"

namespace tenon::server {

class LanguageRegistry {
 public:
  // `cache` keeps compiled languages. The error names the file, its fault and the
  // remedy.
  [[nodiscard]] static tl::expected<std::shared_ptr<const LanguageRegistry>, std::string> Load(
      const std::filesystem::path& folder, Cache cache = Cache());

  // The languages of this registry and more. Each path is a folder with a languages.json of its
  // own, or a grammar file: "recipe.lark" adds the language `recipe` with the suffix ".recipe". Of
  // equal ids or suffixes the latest counts.
  [[nodiscard]] tl::expected<std::shared_ptr<const LanguageRegistry>, std::string> With(
      const std::vector<std::string>& paths) const;

  [[nodiscard]] bool Knows(std::string_view language_id) const;
  // `language_id` where it is known, else the language of the path.
  [[nodiscard]] std::optional<std::string> Find(std::string_view language_id,
                                                const std::filesystem::path& path) const;
  // The language whose longest suffix ends the path; nothing where none does.
  [[nodiscard]] std::optional<std::string> IdForPath(const std::filesystem::path& path) const;
  [[nodiscard]] bool HasGrammar(std::string_view language_id) const;
  // Compiles at the first call. The error is the grammar's fault with its place, or that no
  // grammar has this id.
  [[nodiscard]] tl::expected<Language, std::string> Get(std::string_view language_id) const;

  // Where compiled languages are kept.
  [[nodiscard]] const Cache& cache() const { return cache_; }

  // How lines begin that bring in names of other files; empty where the language names none.
  [[nodiscard]] std::vector<std::string> Imports(std::string_view language_id) const;

  // The name of the language's parser; empty where it names none.
  [[nodiscard]] std::string Syntax(std::string_view language_id) const;
  // The file with the query of rules for names; empty where there is none.
  [[nodiscard]] std::filesystem::path NamesPath(std::string_view language_id) const;
  // Does the syntax judge where the grammar proves nothing?
  [[nodiscard]] bool HasSyntaxOtherwise(std::string_view language_id) const;

  [[nodiscard]] std::vector<std::string> Ids() const;
  // Of the languages that have a grammar.
  [[nodiscard]] std::vector<std::string> GrammarIds() const;
  // Empty where the language has no grammar.
  [[nodiscard]] std::filesystem::path GrammarPath(std::string_view language_id) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Entry {
    std::filesystem::path grammar;  // empty: none
    std::string syntax;             // empty: none
    std::filesystem::path names;    // empty: none
    bool syntax_otherwise = false;
    std::vector<std::string> suffixes;
    std::vector<std::string> imports;
    size_t rank = 0;  // how many paths were added before it
    std::once_flag once;
    // Written under `once`.
    tl::expected<Language, std::string> compiled = tl::unexpected(std::string());
  };

  std::filesystem::path folder_;
  Cache cache_;
  // Shared with the registries that were made of this one.
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
};

// The grammars folder to use: `wanted` where given, else <executable's
// folder>/../share/tenon/grammars, else the source tree's.
[[nodiscard]] std::filesystem::path FindGrammarFolder(
    const std::optional<std::filesystem::path>& wanted, const std::filesystem::path& executable);

}  // namespace tenon::server
