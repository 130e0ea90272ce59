// A parser of this repository's languages.json.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

#include "server/syntax/syntax_registry.h"
#include "tests/source_path.h"

namespace tenon::server {

inline const TSLanguage* ShippedSyntax(const char* language_id) {
  const auto languages = LanguageRegistry::Load(SourcePath("grammars"));
  const SyntaxRegistry registry(*languages, {SyntaxesFolder()});
  const auto language = registry.Get(language_id);
  EXPECT_TRUE(language.has_value()) << language.error();
  return language.value_or(nullptr);
}

}  // namespace tenon::server
