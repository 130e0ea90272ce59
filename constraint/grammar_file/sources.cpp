#include "constraint/grammar_file/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

namespace fs = std::filesystem;

class SourceReader {
 public:
  explicit SourceReader(ErrorSink& errors) : errors_(errors) {}

  std::vector<GrammarSource> Run(std::string_view text, std::string path) {
    Add(std::string(text), std::move(path));
    return std::move(sources_);
  }

 private:
  // Adds a source and those that it imports. The number of the source.
  uint32_t Add(std::string text, std::string path) {
    const auto number = static_cast<uint32_t>(sources_.size());
    errors_.NameFile(number, path);
    std::vector<ScannedLexeme> lexemes = Scan(text, errors_, number);
    sources_.push_back({std::move(path), std::move(text), {}, {}});
    open_.push_back(number);
    for (size_t at = 0; at < lexemes.size() && !errors_.failed(); ++at) {
      if (!ImportsFile(lexemes, at)) continue;
      if (const auto imported = Import(number, lexemes[at + 1]))
        sources_[number].imports.push_back(*imported);
    }
    open_.pop_back();
    sources_[number].lexemes = std::move(lexemes);
    return number;
  }

  std::optional<uint32_t> Import(uint32_t from, const ScannedLexeme& name) {
    const auto refuse = [&](GrammarErrorCode code, std::string message) {
      errors_.Fail(code, name.place, std::move(message));
      return std::nullopt;
    };
    const fs::path relative = fs::path(name.text).lexically_normal();
    if (name.text.empty() || relative.is_absolute() || *relative.begin() == "..") {
      return refuse(GrammarErrorCode::kMechanism,
                    fmt::format("'{}' does not lie in the folder of this file or below it: put "
                                "the grammar there and name it so",
                                name.text));
    }
    const std::string path =
        (fs::path(sources_[from].path).parent_path() / relative).lexically_normal().string();
    for (uint32_t i = 0; i < sources_.size(); ++i) {
      if (fs::path(sources_[i].path).lexically_normal() != path) continue;
      if (std::find(open_.begin(), open_.end(), i) == open_.end()) return i;
      return refuse(GrammarErrorCode::kUnsupported,
                    fmt::format("'{}' is being read already, so the imports go in a circle: take "
                                "this one out",
                                name.text));
    }
    if (sources_.size() == kMaxSources) {
      return refuse(
          GrammarErrorCode::kTooLarge,
          fmt::format("a grammar is made of {} files at most: join some of them", kMaxSources));
    }
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      return refuse(GrammarErrorCode::kUndefined,
                    fmt::format("there is no file '{}': the path counts from the folder of the "
                                "importing file",
                                path));
    }
    auto text = ReadSourceText(path);
    if (!text)
      return refuse(GrammarErrorCode::kUndefined, fmt::format("'{}' {}", path, text.error()));
    return Add(*std::move(text), path);
  }

  ErrorSink& errors_;
  std::vector<GrammarSource> sources_;
  std::vector<uint32_t> open_;  // the source that is being read, and those that import it
};

}  // namespace

tl::expected<std::string, std::string> ReadSourceText(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored) &&
      (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) > kMaxSourceBytes)) {
    return tl::unexpected(
        fmt::format("is not a file of at most {} bytes; name a grammar file", kMaxSourceBytes));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) return tl::unexpected(std::string("cannot be read; name a grammar file"));
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

bool ImportsFile(const std::vector<ScannedLexeme>& lexemes, size_t at) {
  return lexemes[at].kind == ScannedKind::kDirective && lexemes[at].text == "import" &&
         at + 1 < lexemes.size() && lexemes[at + 1].kind == ScannedKind::kString;
}

std::vector<GrammarSource> ReadSources(std::string_view text, std::string path, ErrorSink& errors) {
  return SourceReader(errors).Run(text, std::move(path));
}

std::string TextOfAll(const std::vector<GrammarSource>& sources) {
  std::string all = sources.empty() ? "" : sources[0].text;
  for (size_t i = 1; i < sources.size(); ++i)
    all += fmt::format("\n%source {} {}\n", sources[i].text.size(), sources[i].text);
  return all;
}

}  // namespace tenon::constraint
