#include "server/languages/language_settings.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

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

}  // namespace tenon::server
