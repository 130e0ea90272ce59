#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

using constraint::GapState;

constexpr size_t kLongestCutBytes = 100;
constexpr size_t kKeystrokeLines = 10'000;
constexpr int kRunsAtTop = 9;

// A word with the blank before it, or one other byte: about as long as a vocabulary's tokens.
std::string_view NextPiece(std::string_view text) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  size_t n = text[0] == ' ' ? 1 : 0;
  while (n < text.size() && is_word(text[n])) ++n;
  return text.substr(0, std::max<size_t>(n, 1));
}

// The stages of a gap, on text that was cut from it.
struct GapStages {
  Timings closing{"closing", TimeUnit::kMilliseconds};
  Timings check{"check_token", TimeUnit::kMicroseconds};
  Timings accept{"accept_token", TimeUnit::kMicroseconds};
  Timings member{"member", TimeUnit::kMicroseconds};

  void Fill(GapState gap, std::string_view cut) {
    closing.Time([&gap] { return constraint::FindClosing(gap); });
    while (!cut.empty()) {
      const std::string_view piece = NextPiece(cut);
      check.Time([&] { return gap.Check(piece); });
      if (!accept.Time([&] { return gap.Accept(piece); })) return;
      member.Time([&gap] { return gap.Member(); });
      cut.remove_prefix(piece.size());
    }
  }
  void Print(const Invocation& invocation) const {
    for (const Timings* row : {&check, &accept, &member, &closing}) {
      if (!row->empty()) PrintRow(invocation, row->Row());
    }
  }
};

// Opens gaps of up to 100 bytes at random places.
void OpenGaps(const Invocation& invocation, const BenchOptions& options, const Language& language,
              std::string_view text, GapStages* stages) {
  const auto& compiled = Internals::Of(language);
  Timings setup("gap_setup", TimeUnit::kMilliseconds);
  Timings per_right("gap_setup_per_10_kb_right", TimeUnit::kMilliseconds);
  std::mt19937 random(options.seed);
  size_t viable = 0;
  for (size_t i = 0; i < options.gaps; ++i) {
    const size_t length = 1 + random() % std::min(kLongestCutBytes, text.size() - 1);
    const size_t begin = random() % (text.size() - length);
    const std::string_view right = text.substr(begin + length);
    const GapState gap =
        setup.Time([&] { return OpenGap(compiled, text.substr(0, begin), right, {}); });
    // Short right contexts say nothing about the cost of long ones.
    if (right.size() >= 10'000)
      per_right.Add(setup.last_taken() * 1e4 / static_cast<double>(right.size()));
    if (!gap.viable()) continue;
    ++viable;
    if (stages) stages->Fill(gap, text.substr(begin, length));
  }
  for (Timings* row : {&setup, &per_right}) {
    if (row->empty()) continue;
    row->Note("file_bytes", text.size());
    row->Note("viable", viable);
    PrintRow(invocation, row->Row());
  }
}

// The file again and again until it has `bytes`; nothing where that is no valid file, as for a
// language of one value.
std::optional<std::string> Grown(const Language& language, const std::string& text, size_t bytes) {
  std::string grown;
  while (grown.size() < bytes) grown += text;
  if (!language.Check(grown).valid) return std::nullopt;
  return grown;
}

// Opens a gap in the first line of texts of 10 KB to 1 MB: nearly all of them is right context.
void OpenAtTop(const Invocation& invocation, const Language& language, const std::string& text) {
  const auto& compiled = Internals::Of(language);
  for (const size_t kb : {10, 100, 300, 1000}) {
    const auto grown = Grown(language, text, kb * 1000);
    if (!grown) return;
    Timings row(fmt::format("gap_setup_{}_kb", kb), TimeUnit::kMilliseconds);
    const std::string_view whole = *grown;
    // A cut at a line's beginning, where most right contexts begin.
    const size_t line = whole.find('\n', whole.size() - std::min(whole.size(), kb * 1000));
    const std::string_view right = whole.substr(line == std::string_view::npos ? 0 : line + 1);
    for (int i = 0; i < kRunsAtTop; ++i) row.Time([&] { return OpenGap(compiled, "", right, {}); });
    row.Note("right_bytes", right.size());
    PrintRow(invocation, row.Row());
  }
}

// The file again and again until it has kKeystrokeLines lines, where that is a valid file; else
// the file.
std::string LinesGrown(const Language& language, const std::string& text) {
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines == 0 || lines >= kKeystrokeLines) return text;
  const auto grown = Grown(language, text, text.size() * ((kKeystrokeLines + lines - 1) / lines));
  return grown ? *grown : text;
}

}  // namespace

int BenchGap(const Invocation& invocation, const BenchOptions& options,
             const BenchSubject& subject) {
  Timings compile("compile_cold", TimeUnit::kMilliseconds);
  const auto language = compile.Time([&subject] { return subject.Compile(); });
  if (!language) return invocation.Fail(language.error());
  PrintRow(invocation, compile.Row());
  if (subject.text.size() < 2)
    return invocation.Fail(fmt::format("{}: too short for gaps", options.file));
  Timings check("check_file", TimeUnit::kMilliseconds);
  const TextCheck checked = check.Time([&] { return language->Check(subject.text); });
  if (!checked.valid)
    return invocation.Fail(NotValid(options, checked.offset_bytes, checked.message));
  check.Note("file_bytes", subject.text.size());
  PrintRow(invocation, check.Row());
  const double before = ResidentMb();
  GapStages stages;
  OpenGaps(invocation, options, *language, subject.text, &stages);
  stages.Print(invocation);
  for (const size_t bytes : {100'000, 200'000, 500'000, 1'000'000}) {
    if (bytes < subject.text.size()) continue;
    const auto grown = Grown(*language, subject.text, bytes);
    if (!grown) break;
    BenchOptions fewer = options;
    fewer.gaps = std::max<size_t>(1, options.gaps * 100'000 / bytes);
    OpenGaps(invocation, fewer, *language, *grown, nullptr);
  }
  OpenAtTop(invocation, *language, subject.text);
  PrintRow(invocation, ValueRow("resident", "MB", ResidentMb() - before));
  BenchKeystrokes(invocation, *language, LinesGrown(*language, subject.text));
  return kExitDone;
}

}  // namespace tenon::server
