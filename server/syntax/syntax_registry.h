// The parsers of the languages that tree-sitter reads, loaded when a file first needs them.
//
// languages.json names a language's parser: {"rust": {"syntax": "rust", "suffixes": [".rs"]}}. It
// lies in a module, rust.so, whose function tree_sitter_rust returns the tables. A module is a
// program's code, and a languages.json may come with a workspace: so an entry gives a name alone,
// and modules are loaded from the folders that the installation and the user have for them.
//
// Cost: the first Get of a language loads its module, under a millisecond
// (docs/measured_editing.md); later ones take a look-up. A loaded module stays until the process
// ends, because trees point into it.
// Thread rule: any threads at once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>
#include <tl/expected.hpp>

#include "server/languages/language_registry.h"
#include "server/syntax/name_query.h"

namespace tenon::server {

class SyntaxRegistry {
 public:
  // `folders`: where modules are looked for, the first that has one counts.
  SyntaxRegistry(std::shared_ptr<const LanguageRegistry> languages,
                 std::vector<std::filesystem::path> folders);

  // Never a null pointer. The error says what is wrong and with which file: the language names no
  // parser, no folder has the module, it cannot be loaded, it lacks the function, or its tables
  // have a format that this build does not read.
  [[nodiscard]] tl::expected<const TSLanguage*, std::string> Get(
      std::string_view language_id) const;

  // The rules of the language for declared names; a null pointer where languages.json
  // names no query of them. The error names the query's file and its fault, or is that of Get.
  using Names = tl::expected<std::shared_ptr<const NameQuery>, std::string>;
  [[nodiscard]] Names NamesOf(std::string_view language_id) const;

 private:
  using Loaded = tl::expected<const TSLanguage*, std::string>;
  [[nodiscard]] Loaded Load(const std::string& name) const;

  std::shared_ptr<const LanguageRegistry> languages_;
  std::vector<std::filesystem::path> folders_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Loaded, std::less<>> loaded_;  // by name; guarded by mutex_
  mutable std::map<std::string, Names, std::less<>> names_;    // by language; guarded by mutex_
};

// The folders with modules: `user`, then <executable's folder>/../share/tenon/syntax, or the
// build's where that is not there.
[[nodiscard]] std::vector<std::filesystem::path> SyntaxFolders(
    const std::filesystem::path& user, const std::filesystem::path& executable);

}  // namespace tenon::server
