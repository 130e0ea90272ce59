// A parser of this repository's languages.json.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

#include "server/syntax/syntax_registry.h"

namespace tenon::server {

inline const TSLanguage* ShippedSyntax(const char* language_id) {
  const auto languages =
      LanguageRegistry::Load(std::filesystem::path(TENON_SOURCE_DIR) / "grammars");
  const SyntaxRegistry registry(*languages, {TENON_BUILT_SYNTAXES});
  const auto language = registry.Get(language_id);
  EXPECT_TRUE(language.has_value()) << language.error();
  return language.value_or(nullptr);
}

}  // namespace tenon::server
