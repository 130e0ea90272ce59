// Processor time of the constraint's stages on real files: one JSON object a line, {"name", "unit", "p50", "p90", "p99", "max", "count"}.
//
//   tenon_gap_bench GRAMMAR.lark FILE... [--gaps N] [--seed S]
//
//   compile_cold   ms   a grammar text to lexer and tables
//   check_file     ms   a whole file; also its throughput, MB/s
//   gap_setup      ms   opening a gap of up to 100 bytes: both contexts read, viability decided
//   check_token    us   is a piece of the text that was cut (a word with its blank, or a sign) allowed next?
//   accept_token   us   it comes next
//   member         us   does the middle close the gap now?
//   closing        ms   a verified closing text from the empty middle
//   gap_setup_N_kb ms   opening a gap in the first line of N KB of the files, one after another
//   keystroke      ms   after each keystroke of a typing script in 10,000 lines of them: the gap opened from what is kept
//   keystroke_cold ms   after every 25th of them: the same gap opened from nothing
// Gaps are asked under the seam rule, as completion does; those where nothing may be written are counted in gap_setup alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "bench/row.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/gap_state.h"

namespace {

using tenon::bench::Clock;
using tenon::bench::Row;
using tenon::constraint::GapState;
using tenon::constraint::Language;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A word with the blank before it, or one other byte: about what a vocabulary's tokens are.
std::string_view NextPiece(std::string_view text) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  size_t n = text[0] == ' ' ? 1 : 0;
  while (n < text.size() && is_word(text[n])) ++n;
  return text.substr(0, std::max<size_t>(n, 1));
}

// The files one after another, as often as it takes; `enough` says when. Only those whose sequence is a valid text are used.
template <typename Enough>
std::string Concatenate(const Language& language, const std::vector<std::string>& files, Enough enough) {
  std::vector<std::string> valid;
  for (const std::string& path : files) {
    const std::string text = ReadAll(path) + "\n";
    if (text.find("__future__") != std::string::npos) continue;
    if (Check(language, text + text, tenon::constraint::Strength::kAccept).valid) valid.push_back(text);
  }
  std::string all;
  for (size_t i = 0; !valid.empty() && !enough(all); ++i) all += valid[i % valid.size()];
  return all;
}

void MeasureSetups(const std::shared_ptr<const Language>& language, const std::vector<std::string>& files) {
  for (size_t kb : {10, 100, 300, 1000}) {
    Row row("gap_setup_" + std::to_string(kb) + "_kb", "ms", 1e3);
    std::string text = Concatenate(*language, files, [&](const std::string& all) { return all.size() > kb * 1000; });
    if (text.empty()) return;
    text.resize(text.rfind("\n\n\n", kb * 1000) + 1);  // most files part their top-level statements so
    for (int i = 0; i < 9; ++i) row.Time([&] { return OpenGap(language, "x = ", text, {}); });
    row.Print();
  }
}

// What a person types: brackets and quotes are closed by the editor and typed over, line ends indented.
constexpr std::string_view kTyped =
    "\nif value is not None and len(items) > 3:\nresult = compute(items[0], \"name\", key=lambda e: e[1])\n"
    "print(f(\"{}\".format(result)), {'a': [1, 2]})\n# a remark, it's short\nfor i in range(10):\nreturn other[i](x)\n";

void MeasureKeystrokes(const std::shared_ptr<const Language>& language, const std::vector<std::string>& files) {
  Row kept("keystroke", "ms", 1e3), cold("keystroke_cold", "ms", 1e3);
  constexpr std::ptrdiff_t kLines = 10'000;
  const std::string text = Concatenate(
      *language, files, [&](const std::string& all) { return std::count(all.begin(), all.end(), '\n') >= kLines; });
  if (text.empty()) return;
  tenon::constraint::GapCache cache(language);
  int strokes = 0;
  for (size_t place : {text.size() / 10, text.size() / 2, text.size() * 9 / 10}) {
    const size_t line = text.rfind('\n', place);
    std::string left = text.substr(0, line), right = text.substr(line);
    std::string indent;
    const auto open = [&] {
      kept.Time([&] { return cache.Open(left, right, {}, {})->viable(); });
      if (++strokes % 25 == 0) cold.Time([&] { return OpenGap(language, left, right, {}).viable(); });
    };
    open();
    for (const char c : kTyped) {
      const std::string_view opening = "([{\"'", closing = ")]}\"'";
      if (!right.empty() && c == right[0] && closing.find(c) != std::string_view::npos) {
        left += c;
        right.erase(0, 1);
      } else {
        left += c;
        if (c == '\n') left += "    ";
        if (const size_t kind = opening.find(c); kind != std::string_view::npos) right.insert(0, 1, closing[kind]);
      }
      open();
    }
  }
  kept.Print();
  cold.Print();
}

int Run(const std::string& grammar_path, const std::vector<std::string>& files, int gaps, unsigned seed) {
  Row compile("compile_cold", "ms", 1e3), check("check_file", "ms", 1e3), setup("gap_setup", "ms", 1e3),
      token("check_token", "us", 1e6), accept("accept_token", "us", 1e6), member("member", "us", 1e6),
      closing("closing", "ms", 1e3);
  std::shared_ptr<const Language> language;
  const std::string grammar = ReadAll(grammar_path);
  for (int i = 0; i < 5; ++i) {
    auto compiled = compile.Time([&] { return Language::Compile(grammar, grammar_path); });
    if (!compiled) {
      std::fprintf(stderr, "%s\n", compiled.error().ToString().c_str());
      return 1;
    }
    language = *compiled;
  }
  std::mt19937 random(seed);
  double bytes = 0, seconds = 0;
  for (const std::string& path : files) {
    const std::string text = ReadAll(path);
    if (text.size() < 200) continue;
    const auto start = Clock::now();
    if (!check.Time([&] { return Check(*language, text, tenon::constraint::Strength::kAccept); }).valid) continue;
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    bytes += static_cast<double>(text.size());
    for (int i = 0; i < gaps; ++i) {
      const size_t begin = random() % (text.size() - 100), end = begin + 1 + random() % 100;
      GapState gap = setup.Time([&] { return OpenGap(language, text.substr(0, begin), text.substr(end), {}); });
      if (!gap.viable()) continue;
      closing.Time([&] { return FindClosing(gap); });
      for (size_t at = begin; at < end;) {
        const std::string_view piece = NextPiece(std::string_view(text).substr(at, end - at));
        token.Time([&] { return gap.Check(piece); });
        if (!accept.Time([&] { return gap.Accept(piece); })) break;
        member.Time([&] { return gap.Member(); });
        at += piece.size();
      }
    }
  }
  for (Row* row : {&compile, &check, &setup, &token, &accept, &member, &closing}) row->Print();
  if (seconds > 0)
    std::printf(
        "%s\n",
        nlohmann::json{{"name", "check_throughput"}, {"unit", "MB/s"}, {"p50", bytes / 1e6 / seconds}}.dump().c_str());
  MeasureSetups(language, files);
  MeasureKeystrokes(language, files);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Time of the constraint's stages on real files"};
  std::string grammar;
  std::vector<std::string> files;
  int gaps = 20;
  unsigned seed = 1;
  app.add_option("grammar", grammar, "a grammar file")->required()->check(CLI::ExistingFile);
  app.add_option("files", files, "files of its language")->required()->check(CLI::ExistingFile);
  app.add_option("--gaps", gaps, "gaps a file");
  app.add_option("--seed", seed, "of the gaps");
  CLI11_PARSE(app, argc, argv);
  return Run(grammar, files, gaps, seed);
}
