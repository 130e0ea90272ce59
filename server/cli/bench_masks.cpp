#include <algorithm>

#include <fmt/format.h>

#include "constraint/gap/gap_state.h"
#include "server/cli/bench_subject.h"
#include "server/cli/measurement.h"

namespace tenon::server {
namespace {

using constraint::GapState;
using LanguagePtr = std::shared_ptr<const constraint::Language>;

// With a right context the file is replayed in windows of at most this many tokens, each one gap. A window ends where its gap can be
// closed: not inside a string or comment that begins in it, which tenon would not leave open.
constexpr size_t kWindowTokens = 100;
constexpr size_t kShortestWindow = 20;

// One way through the file: the rows of a side, and what could not be written as tenon writes.
class Replay {
 public:
  Replay(LanguagePtr language, const BenchSubject& subject, std::string side)
      : language_(std::move(language)),
        subject_(subject),
        side_(std::move(side)),
        check_("check_token", TimeUnit::kMicroseconds),
        accept_("accept_token", TimeUnit::kMicroseconds) {
    begins_.reserve(subject.tokens.size() + 1);
    size_t at = 0;
    for (const uint32_t token : subject.tokens) {
      begins_.push_back(at);
      at += subject.vocabulary[token].size();
    }
    begins_.push_back(at);
  }

  // Replays the tokens [first, last) into the gap between the text before them and `right`. A token that may stand there but that
  // tenon would not write belongs to the left context of what follows; where nothing may be written at all, more and more tokens
  // are skipped until something may.
  void Run(size_t first, size_t last, std::string_view right) {
    size_t skip = 1;
    for (size_t i = first; i < last; i += skip, skip = std::min(2 * skip, kMostSkipped)) {
      auto state = Open(i, right);
      const size_t from = i;
      while (i < last && state.viable() && Step(state, i)) ++i;
      if (i == last) return;
      if (i > from) skip = 1;
      refused_ += std::min(skip, last - i);
    }
  }

  void RunWindow(size_t first) {
    const std::string_view text = subject_.text;
    for (size_t tokens = kWindowTokens; tokens >= kShortestWindow; tokens -= kShortestWindow) {
      const size_t last = std::min(subject_.tokens.size(), first + tokens);
      const std::string_view right = text.substr(begins_[last]);
      if (Open(first, right).viable()) return Run(first, last, right);
    }
    ++closed_;
  }

  void Print(const Session& session) {
    for (Samples* row : {&check_, &accept_}) {
      if (row->empty()) continue;
      row->Note("context", side_);
      PrintRow(session, row->Row());
    }
    nlohmann::json refused = CountRow("refused", refused_);
    refused["context"] = side_;
    if (closed_ > 0) refused["windows_left_out"] = closed_;
    PrintRow(session, refused);
  }
  [[nodiscard]] double accept_ms() const { return accept_.total() / 1e3; }

 private:
  static constexpr size_t kMostSkipped = 64;

  // False: the token may not be written.
  bool Step(GapState& state, size_t token) {
    const std::string_view bytes = subject_.vocabulary[subject_.tokens[token]];
    check_.Time([&] { return state.Check(bytes); });
    return accept_.Time([&] { return state.Accept(bytes); });
  }

  GapState Open(size_t token, std::string_view right) {
    return GapState::Open(language_, std::string_view(subject_.text).substr(0, begins_[token]), right, {});
  }

  LanguagePtr language_;
  const BenchSubject& subject_;
  std::string side_;
  std::vector<size_t> begins_;  // [token of the text] its first byte; one more at the end
  Samples check_, accept_;
  size_t refused_ = 0;  // tokens that tenon would not write
  size_t closed_ = 0;   // windows
};

}  // namespace

int BenchMasks(const Session& session, const BenchOptions& options, const BenchSubject& subject) {
  const double before = ResidentMb();
  Samples compile("compile_cold", TimeUnit::kMilliseconds);
  const auto language = compile.Time([&subject] { return subject.Compile(); });
  if (!language) return session.Fail(language.error());
  PrintRow(session, compile.Row());
  const auto checked = Check(**language, subject.text, constraint::Strength::kAccept);
  if (!checked.valid) {
    return session.Fail(fmt::format("{}: not valid at byte {}: {}; take a file that 'tenon check' finds valid",
                                    options.file, checked.offset_bytes, checked.message));
  }
  PrintRow(session, CountRow("tokens", subject.tokens.size()));
  const size_t count = subject.tokens.size();
  Replay left(*language, subject, "left");
  left.Run(0, count, "");
  left.Print(session);
  PrintRow(session, ValueRow("resident", "MB", ResidentMb() - before));

  Replay both(*language, subject, "both");
  const size_t windows = (count + kWindowTokens - 1) / kWindowTokens;
  const size_t step = std::max<size_t>(1, windows / std::max<size_t>(1, options.gaps));
  for (size_t i = 0; i < windows; i += step) both.RunWindow(i * kWindowTokens);
  both.Print(session);
  return kDone;
}

}  // namespace tenon::server
