#include "server/languages/language_registry.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "protocol/json_text.h"
#include "server/files/read_file.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

tl::expected<std::string, std::string> ReadWhole(const fs::path& path, std::string_view remedy) {
  auto text = ReadFile(path);
  if (!text) return tl::unexpected(fmt::format("{}; {}", text.error(), remedy));
  return text;
}

tl::expected<Language, std::string> CompileFile(const fs::path& path, const Cache& cache) {
  const auto text = ReadWhole(path, "languages.json names it: put it there or take the entry out");
  if (!text) return tl::unexpected(text.error());
  return Language::Compile(*text, path.string(), cache).map_error([](const Error& error) {
    return error.ToString();
  });
}

using Texts = tl::expected<std::vector<std::string>, std::string>;

// The texts of a member of an entry, none where it is missing; the error is its fault. `what` and
// `example`: one of them.
Texts ReadTexts(const json& entry, const char* member, const char* what, const char* example) {
  std::vector<std::string> texts;
  if (!entry.contains(member)) return texts;
  if (!entry[member].is_array())
    return tl::unexpected(fmt::format("\"{}\" must be an array", member));
  for (const json& text : entry[member]) {
    if (!text.is_string() || text.get_ref<const std::string&>().empty())
      return tl::unexpected(fmt::format("every {} must be a text such as \"{}\"", what, example));
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

// What is wrong with an entry's grammar and syntax; it needs one of them.
std::optional<std::string> FaultOf(const json& entry) {
  const auto text = [&entry](const char* member) {
    return entry.contains(member) && entry[member].is_string();
  };
  if (!entry.is_object() || (!text("grammar") && !text("syntax")) ||
      (entry.contains("grammar") && !text("grammar"))) {
    return "it must be an object with \"grammar\": \"FILE\" or \"syntax\": \"NAME\"";
  }
  if (entry.contains("otherwise") &&
      !(entry["otherwise"] == "syntax" && text("grammar") && text("syntax"))) {
    return "\"otherwise\" must be \"syntax\", beside a \"grammar\" and a \"syntax\"";
  }
  if (entry.contains("names") && !(text("names") && text("syntax")))
    return "\"names\" must be a file such as \"names.scm\", beside a \"syntax\"";
  if (!entry.contains("syntax")) return std::nullopt;
  constexpr const char* kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (!text("syntax") || entry["syntax"].get_ref<const std::string&>().empty() ||
      entry["syntax"].get_ref<const std::string&>().find_first_not_of(kNameCharacters) !=
          std::string::npos) {
    return "\"syntax\" must be a name of small letters, digits and _, such as \"c_sharp\"";
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::shared_ptr<const LanguageRegistry>, std::string> LanguageRegistry::Load(
    const fs::path& folder, Cache cache) {
  const fs::path path = folder / "languages.json";
  const auto text = ReadWhole(path, "name the folder with the grammars by --grammars");
  if (!text) return tl::unexpected(text.error());
  const json languages = protocol::ParseJson(*text).value_or(json());
  if (!languages.is_object()) {
    return tl::unexpected(
        fmt::format("{}: not a JSON object of languages, such as "
                    "{{\"python\": {{\"grammar\": \"python.lark\", \"suffixes\": [\".py\"]}}}}",
                    path.string()));
  }
  auto registry = std::make_shared<LanguageRegistry>();
  registry->folder_ = folder;
  registry->cache_ = std::move(cache);
  for (const auto& [id, value] : languages.items()) {
    const auto fault = [&, id = id](const std::string& what) {
      return tl::unexpected(fmt::format("{}: language '{}': {}", path.string(), id, what));
    };
    if (auto wrong = FaultOf(value)) return fault(*wrong);
    auto suffixes = ReadTexts(value, "suffixes", "suffix", ".py");
    if (!suffixes) return fault(suffixes.error());
    auto imports = ReadTexts(value, "imports", "import", "import ");
    if (!imports) return fault(imports.error());
    auto entry = std::make_shared<Entry>();
    if (value.contains("grammar")) entry->grammar = folder / value["grammar"].get<std::string>();
    entry->syntax = value.value("syntax", "");
    if (value.contains("names")) entry->names = folder / value["names"].get<std::string>();
    entry->syntax_otherwise = value.contains("otherwise");
    entry->suffixes = *std::move(suffixes);
    entry->imports = *std::move(imports);
    registry->entries_.emplace(id, std::move(entry));
  }
  return registry;
}

tl::expected<std::shared_ptr<const LanguageRegistry>, std::string> LanguageRegistry::With(
    const std::vector<std::string>& paths) const {
  auto registry = std::make_shared<LanguageRegistry>(*this);
  size_t rank = 0;
  for (const auto& [id, entry] : entries_) rank = std::max(rank, entry->rank);
  for (const fs::path path : paths) {
    ++rank;
    if (path.extension() == ".lark") {
      auto entry = std::make_shared<Entry>();
      entry->grammar = path;
      entry->suffixes = {"." + path.stem().string()};
      entry->rank = rank;
      registry->entries_.insert_or_assign(path.stem().string(), std::move(entry));
      continue;
    }
    const auto added = Load(path);
    if (!added) return tl::unexpected(added.error());
    for (const auto& [id, entry] : (*added)->entries_) {
      entry->rank = rank;
      registry->entries_.insert_or_assign(id, entry);
    }
  }
  return registry;
}

std::optional<std::string> LanguageRegistry::Find(std::string_view language_id,
                                                  const fs::path& path) const {
  return Knows(language_id) ? std::optional<std::string>(language_id) : IdForPath(path);
}

bool LanguageRegistry::Knows(std::string_view language_id) const {
  return entries_.find(language_id) != entries_.end();
}

std::optional<std::string> LanguageRegistry::IdForPath(const fs::path& path) const {
  const std::string name = path.filename().string();
  std::optional<std::string> found;
  std::pair<size_t, size_t> best;  // the suffix's length, the rank of its language
  for (const auto& [id, entry] : entries_) {
    for (const std::string& suffix : entry->suffixes) {
      if (!name.ends_with(suffix) || std::pair(suffix.size(), entry->rank) <= best) continue;
      found = id;
      best = {suffix.size(), entry->rank};
    }
  }
  return found;
}

tl::expected<Language, std::string> LanguageRegistry::Get(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  if (found == entries_.end()) {
    return tl::unexpected(fmt::format("no grammar for language '{}'; {} lists those there are",
                                      language_id, (folder_ / "languages.json").string()));
  }
  Entry& entry = *found->second;
  if (entry.grammar.empty())
    return tl::unexpected(
        fmt::format("language '{}' has no grammar of tenon's, only a syntax", language_id));
  std::call_once(entry.once, [&] { entry.compiled = CompileFile(entry.grammar, cache_); });
  return entry.compiled;
}

std::vector<std::string> LanguageRegistry::Imports(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  return found == entries_.end() ? std::vector<std::string>() : found->second->imports;
}

bool LanguageRegistry::HasGrammar(std::string_view language_id) const {
  return !GrammarPath(language_id).empty();
}

std::string LanguageRegistry::Syntax(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  return found == entries_.end() ? std::string() : found->second->syntax;
}

fs::path LanguageRegistry::NamesPath(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  return found == entries_.end() ? fs::path() : found->second->names;
}

bool LanguageRegistry::HasSyntaxOtherwise(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  return found != entries_.end() && found->second->syntax_otherwise;
}

std::vector<std::string> LanguageRegistry::Ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries_) ids.push_back(id);
  return ids;
}

std::vector<std::string> LanguageRegistry::GrammarIds() const {
  std::vector<std::string> ids = Ids();
  std::erase_if(ids, [this](const std::string& id) { return !HasGrammar(id); });
  return ids;
}

fs::path LanguageRegistry::GrammarPath(std::string_view language_id) const {
  const auto found = entries_.find(language_id);
  return found == entries_.end() ? fs::path() : found->second->grammar;
}

fs::path FindGrammarFolder(const std::optional<fs::path>& wanted, const fs::path& executable) {
  if (wanted) return *wanted;
  std::error_code ignored;
  const fs::path installed =
      executable.parent_path().parent_path() / "share" / "tenon" / "grammars";
  if (fs::exists(installed / "languages.json", ignored)) return installed;
#ifdef TENON_SOURCE_GRAMMARS
  return fs::path(TENON_SOURCE_GRAMMARS);
#else
  return installed;
#endif
}

}  // namespace tenon::server
