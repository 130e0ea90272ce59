// Time of the constraint's stages on real files: one JSON object a line, {"name", "unit", "p50", "p90", "p99", "max", "count"}.
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
// Gaps are asked under the seam rule, as completion does; those where nothing may be written are counted in gap_setup alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "constraint/gap/gap_state.h"

namespace {

using tenon::constraint::GapState;
using tenon::constraint::Language;
using Clock = std::chrono::steady_clock;

class Row {
 public:
  Row(std::string name, std::string unit, double per_second)
      : name_(std::move(name)), unit_(std::move(unit)), scale_(per_second) {}
  template <typename Work>
  auto Time(Work work) {
    const auto start = Clock::now();
    auto result = work();
    values_.push_back(std::chrono::duration<double>(Clock::now() - start).count() * scale_);
    return result;
  }
  void Print() {
    if (values_.empty()) return;
    std::sort(values_.begin(), values_.end());
    const auto at = [&](double share) {
      return values_[static_cast<size_t>(share * static_cast<double>(values_.size() - 1))];
    };
    std::printf("%s\n", nlohmann::json{{"name", name_},
                                       {"unit", unit_},
                                       {"p50", at(0.5)},
                                       {"p90", at(0.9)},
                                       {"p99", at(0.99)},
                                       {"max", at(1)},
                                       {"count", values_.size()}}
                            .dump()
                            .c_str());
  }

 private:
  std::string name_, unit_;
  double scale_;
  std::vector<double> values_;
};

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
      GapState gap = setup.Time([&] { return GapState::Open(language, text.substr(0, begin), text.substr(end), {}); });
      if (!gap.viable()) continue;
      closing.Time([&] { return gap.Close(); });
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
