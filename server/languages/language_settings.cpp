#include "server/languages/language_settings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "server/files/read_file.h"
#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// What is wrong with an entry of `levels`; nothing where it is right, or cannot be told.
std::optional<std::string> FaultOfLevel(const LanguageRegistry& languages,
                                        const std::string& language, const std::string& level) {
  if (!languages.Knows(language)) {
    return fmt::format("'levels' names the language '{}', which is not known{}", language,
                       NearestHint(language, languages.Ids()));
  }
  if (!languages.HasGrammar(language))
    return fmt::format("'levels' names '{}', a language without a grammar and levels", language);
  const auto compiled = languages.Get(language);
  if (!compiled || compiled->FindLevel(level)) return std::nullopt;
  const std::vector<std::string> known = compiled->levels();
  if (known.empty())
    return fmt::format("'levels' names '{}', a language whose grammar has no levels", language);
  return fmt::format("'levels' gives '{}' the level '{}', which is none of {}{}", language, level,
                     fmt::join(known, ", "), NearestHint(level, known));
}

// What is wrong with a path of `grammars`; nothing where it can be added.
std::optional<std::string> FaultOfGrammars(const LanguageRegistry& languages,
                                           const std::string& path) {
  std::error_code ignored;
  const bool is_grammar = fs::path(path).extension() == ".lark" && !fs::is_directory(path, ignored);
  if (!is_grammar && !fs::exists(fs::path(path) / "languages.json", ignored)) {
    return fmt::format(
        "'grammars' names {}, which is neither a grammar file NAME.lark nor a folder with a "
        "languages.json",
        path);
  }
  const auto fault = [](const std::string& why) { return "'grammars': " + why; };
  if (is_grammar) {
    const auto text = ReadFile(path);
    return text ? std::nullopt : std::optional(fault(text.error()));
  }
  const auto added = languages.With({path});
  return added ? std::nullopt : std::optional(fault(added.error()));
}

}  // namespace

std::vector<SettingFault> TakeOutWrongLevels(const LanguageRegistry& languages,
                                             Settings& settings) {
  std::vector<SettingFault> faults;
  std::erase_if(settings.levels, [&](const auto& entry) {
    auto fault = FaultOfLevel(languages, entry.first, entry.second);
    if (!fault) return false;
    faults.push_back({"levels", *std::move(fault)});
    return true;
  });
  return faults;
}

std::vector<SettingFault> TakeOutWrongGrammars(const LanguageRegistry& languages,
                                               Settings& settings) {
  std::vector<SettingFault> faults;
  std::erase_if(settings.grammars, [&](const std::string& path) {
    auto fault = FaultOfGrammars(languages, path);
    if (!fault) return false;
    faults.push_back({"grammars", *std::move(fault)});
    return true;
  });
  return faults;
}

}  // namespace tenon::server
