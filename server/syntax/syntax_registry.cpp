#include "server/syntax/syntax_registry.h"

#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "server/files/read_file.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

tl::expected<const TSLanguage*, std::string> LoadFile(const fs::path& path,
                                                      const std::string& name) {
  // Not closed: trees point into what the module holds.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr)
    return tl::unexpected(fmt::format("{}: cannot be loaded: {}", path.string(), dlerror()));
  const std::string symbol = "tree_sitter_" + name;
  void* const address = dlsym(module, symbol.c_str());
  if (address == nullptr)
    return tl::unexpected(
        fmt::format("{}: has no function {}; the file's name must be that of "
                    "its parser",
                    path.string(), symbol));
  const TSLanguage* const language = reinterpret_cast<const TSLanguage* (*)()>(address)();
  const uint32_t abi = ts_language_abi_version(language);
  if (abi < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || abi > TREE_SITTER_LANGUAGE_VERSION)
    return tl::unexpected(fmt::format(
        "{}: made for version {} of tree-sitter's tables, and this build reads {} to {}; generate "
        "the parser with another tree-sitter",
        path.string(), abi, TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION,
        TREE_SITTER_LANGUAGE_VERSION));
  return language;
}

SyntaxRegistry::Names ReadNames(const TSLanguage* language, const fs::path& path) {
  const auto text = ReadFile(path);
  if (!text) {
    return tl::unexpected(fmt::format(
        "{}; languages.json names it: put it there or take \"names\" out", text.error()));
  }
  auto names = NameQuery::Read(language, *text);
  if (!names) return tl::unexpected(fmt::format("{}: {}", path.string(), names.error()));
  return std::make_shared<const NameQuery>(*std::move(names));
}

}  // namespace

SyntaxRegistry::SyntaxRegistry(std::shared_ptr<const LanguageRegistry> languages,
                               std::vector<fs::path> folders)
    : languages_(std::move(languages)), folders_(std::move(folders)) {}

tl::expected<const TSLanguage*, std::string> SyntaxRegistry::Get(
    std::string_view language_id) const {
  const std::string name = languages_->Syntax(language_id);
  if (name.empty())
    return tl::unexpected(fmt::format("languages.json names no syntax of '{}'", language_id));
  const std::lock_guard lock(mutex_);
  const auto found = loaded_.find(name);
  return found != loaded_.end() ? found->second : loaded_.emplace(name, Load(name)).first->second;
}

SyntaxRegistry::Names SyntaxRegistry::NamesOf(std::string_view language_id) const {
  const fs::path path = languages_->NamesPath(language_id);
  if (path.empty()) return nullptr;
  const auto language = Get(language_id);
  if (!language) return tl::unexpected(language.error());
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(language_id);
  if (found != names_.end()) return found->second;
  return names_.emplace(language_id, ReadNames(*language, path)).first->second;
}

SyntaxRegistry::Loaded SyntaxRegistry::Load(const std::string& name) const {
  std::vector<std::string> tried;
  for (const fs::path& folder : folders_) {
    const fs::path path = folder / (name + ".so");
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return LoadFile(path, name);
    tried.push_back(path.string());
  }
  return tl::unexpected(
      fmt::format("the syntax '{}' is not installed: there is no {}", name,
                  tried.empty() ? name + ".so" : fmt::format("{}", fmt::join(tried, " and no "))));
}

std::vector<fs::path> SyntaxFolders(const fs::path& user, const fs::path& executable) {
  std::vector<fs::path> folders;
  if (!user.empty()) folders.push_back(user);
  const fs::path installed = executable.parent_path().parent_path() / "share" / "tenon" / "syntax";
  std::error_code ignored;
#ifdef TENON_BUILT_SYNTAXES
  if (!fs::is_directory(installed, ignored)) {
    folders.emplace_back(TENON_BUILT_SYNTAXES);
    return folders;
  }
#endif
  folders.push_back(installed);
  return folders;
}

}  // namespace tenon::server
