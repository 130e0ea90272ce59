#include "tests/grammars/shipped_language.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "tests/source_path.h"

namespace tenon::grammars {

const constraint::Language& ShippedLanguage(const std::string& file) {
  static std::map<std::string, std::shared_ptr<const constraint::Language>> compiled;
  auto at = compiled.find(file);
  if (at != compiled.end()) return *at->second;
  const std::string path = SourcePath("grammars/") + file;
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  auto language = constraint::Language::Compile(text.str(), path);
  if (!language) {
    std::cerr << language.error().message << " (" << path << ':' << language.error().line << ")\n";
    std::abort();
  }
  return *compiled.emplace(file, *language).first->second;
}

bool Closes(const constraint::Language& language, std::string_view left, std::string_view middle,
            std::string_view right) {
  const std::shared_ptr<const constraint::Language> shared(std::shared_ptr<void>(), &language);
  const constraint::GapState opened =
      constraint::OpenGap(shared, left, right, constraint::GapPolicy{});
  constraint::GapState state = opened;
  for (const char c : middle) {
    if (!state.Accept(std::string(1, c))) return false;
  }
  return constraint::ClosesInContext(opened, state);
}

}  // namespace tenon::grammars
