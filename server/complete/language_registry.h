// The languages that this installation knows: which grammar belongs to an LSP language id or a file suffix, compiled when first
// asked for.
//
// A folder holds grammar files and languages.json, which maps ids to them:
//   {"python": {"grammar": "python.lark", "suffixes": [".py", ".pyi"]}, "json": {"grammar": "json.lark", "suffixes": [".json"]}}
// Cost: loading reads languages.json alone; the first Get of a language compiles its grammar (docs/measured.md), later ones take
// a look-up. Thread rule: immutable but for the compiled languages, which any threads may ask for at once; each is compiled once.
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

namespace tenon::constraint {
struct Language;
}

namespace tenon::server {

class LanguageRegistry {
 public:
  using LanguagePtr = std::shared_ptr<const constraint::Language>;

  // The error names the file, what is wrong with it and what to do.
  [[nodiscard]] static tl::expected<std::shared_ptr<const LanguageRegistry>, std::string> Load(
      const std::filesystem::path& folder);

  [[nodiscard]] bool Knows(std::string_view language_id) const;
  // The language whose longest suffix ends the path; nothing where none does.
  [[nodiscard]] std::optional<std::string> IdForPath(const std::filesystem::path& path) const;
  // Compiles at the first call. The error is the grammar's fault with its place, or that no grammar has this id.
  [[nodiscard]] tl::expected<LanguagePtr, std::string> Get(std::string_view language_id) const;

  [[nodiscard]] std::vector<std::string> Ids() const;
  [[nodiscard]] std::filesystem::path GrammarPath(std::string_view language_id) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Entry {
    std::filesystem::path grammar;
    std::vector<std::string> suffixes;
    std::once_flag once;
    tl::expected<LanguagePtr, std::string> compiled;  // written under `once`
  };

  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries_;
};

// The grammars folder to use: `wanted` where given, else <executable's folder>/../share/tenon/grammars, else the source tree's.
[[nodiscard]] std::filesystem::path FindGrammarFolder(const std::optional<std::filesystem::path>& wanted,
                                                      const std::filesystem::path& executable);

}  // namespace tenon::server
