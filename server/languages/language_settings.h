// The settings that name something of a language: are there such names?
//
// Example: {"levels": {"python": "since_9", "pyton": "since_3_12"}} has two faults: Python's
// grammar has no level since_9, and no language is called pyton. Both entries are taken out, and so
// Python is completed at its default level.
//
// {"grammars": ["/home/me/recipe.lark", "/none"]} has one fault: the path /none is neither a
// grammar file nor a folder of grammars. The language `recipe` is there.
//
// Cost: the grammar of each language in `levels` is compiled once, or read from the cache.
// A path in `grammars` costs reading its languages.json. Thread rule: pure functions.
#pragma once

#include <vector>

#include "server/languages/language_registry.h"
#include "server/settings/setting_layers.h"

namespace tenon::server {

// Takes the wrong entries out of the setting `levels`. A grammar that does not compile keeps its
// entry: who completes in the language tells that fault.
[[nodiscard]] std::vector<SettingFault> TakeOutWrongLevels(const LanguageRegistry& languages,
                                                           Settings& settings);

// Takes the paths out of the setting `grammars` that LanguageRegistry::With cannot add.
[[nodiscard]] std::vector<SettingFault> TakeOutWrongGrammars(const LanguageRegistry& languages,
                                                             Settings& settings);

}  // namespace tenon::server
