#include <algorithm>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"
#include "server/syntax/syntax_registry.h"
#include "server/syntax/syntax_tree.h"

namespace tenon::server {
namespace {

constexpr size_t kLines = 10'000;
constexpr int kRuns = 9;

// The file again and again until it has kLines lines.
std::string Grown(const std::string& text) {
  std::string grown;
  auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  for (size_t have = 0; have < kLines; have += std::max<size_t>(lines, 1)) grown += text;
  return grown;
}

// Types `a` at random places, each into the text before it, and parses after each key.
void TypeInto(const Invocation& invocation, const BenchOptions& options, const char* name,
              const TSLanguage* language, std::string text) {
  std::optional<SyntaxTree> tree = SyntaxTree::Parse(language, text);
  if (!tree) return;
  Timings edit(name, TimeUnit::kMilliseconds);
  Timings count("error_count", TimeUnit::kMicroseconds);
  std::mt19937 random(options.seed);
  for (size_t i = 0; i < options.gaps && tree; ++i) {
    text.insert(random() % text.size(), "a");
    tree = edit.Time([&] { return SyntaxTree::Parse(language, text, &*tree); });
    if (tree) (void)count.Time([&] { return tree->error_count(); });
  }
  edit.Note("file_bytes", text.size());
  PrintRow(invocation, edit.Row());
  if (!count.empty()) PrintRow(invocation, count.Row());
}

}  // namespace

int BenchSyntax(const Invocation& invocation, const BenchOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  const auto id = Invocation::LanguageOf(**languages, options.language, options.file);
  if (!id) return invocation.Fail(id.error());
  const auto file = ReadFile(options.file);
  if (!file) return invocation.Fail(file.error());
  if (file->empty()) return invocation.Fail(fmt::format("{}: too short for keys", options.file));
  const SyntaxRegistry syntaxes(*languages, invocation.SyntaxFolders());
  PrintHead(invocation);
  Timings load("load_module", TimeUnit::kMilliseconds);
  const auto language = load.Time([&] { return syntaxes.Get(*id); });
  if (!language) return invocation.Fail(language.error());
  PrintRow(invocation, load.Row());
  const std::string text = Grown(*file);
  Timings whole("parse_10000_lines", TimeUnit::kMilliseconds);
  const double before = ResidentMb();
  std::optional<SyntaxTree> tree;
  for (int i = 0; i < kRuns; ++i) {
    tree.reset();
    tree = whole.Time([&] { return SyntaxTree::Parse(*language, text); });
  }
  whole.Note("file_bytes", text.size());
  PrintRow(invocation, whole.Row());
  PrintRow(invocation, ValueRow("tree", "MB", ResidentMb() - before));
  TypeInto(invocation, options, "parse_after_a_key", *language, text);
  return kExitDone;
}

}  // namespace tenon::server
