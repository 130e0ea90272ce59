#include <algorithm>

#include <fmt/format.h>

#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"
#include "constraint/mask/mask.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

using constraint::GapState;
using constraint::Masker;
using StorePtr = std::shared_ptr<const constraint::MaskStore>;

// With a right context the file is replayed in windows of at most this many tokens, each one gap.
// A window ends where its gap can be closed: not inside a string or comment that begins in it,
// which tenon would not leave open.
constexpr size_t kWindowTokens = 100;
constexpr size_t kShortestWindow = 20;

// One way through the file: the rows of a side, and the tokens that tenon would not write.
class Replay {
 public:
  Replay(std::shared_ptr<const constraint::Language> language, StorePtr store,
         const BenchSubject& subject, const std::string& side)
      : language_(std::move(language)),
        store_(std::move(store)),
        subject_(subject),
        side_(side),
        mask_("mask_" + side, TimeUnit::kMicroseconds),
        first_("mask_" + side + "_first", TimeUnit::kMicroseconds),
        again_("mask_" + side + "_again", TimeUnit::kMicroseconds),
        check_("check_token", TimeUnit::kMicroseconds),
        accept_("accept_token", TimeUnit::kMicroseconds) {
    begins_.reserve(subject.tokens.size() + 1);
    size_t at = 0;
    for (const TokenId token : subject.tokens) {
      begins_.push_back(at);
      at += subject.vocabulary.Bytes(token).size();
    }
    begins_.push_back(at);
  }

  // Replays the tokens [first, last) into the gap between the text before them and `right`. A
  // token that may stand there but that tenon would not write belongs to the left context of what
  // follows; where nothing may be written at all, more and more tokens are skipped until something
  // may.
  void Run(size_t first, size_t last, std::string_view right) {
    size_t skip = 1;
    for (size_t i = first; i < last; i += skip, skip = std::min(2 * skip, kMaxSkipped)) {
      auto state = Open(i, right);
      const size_t from = i;
      if (state.viable()) {
        Masker masker(store_, state);
        while (i < last && Step(state, masker, i)) ++i;
      }
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

  void Print(const Invocation& invocation) {
    for (Timings* row : {&mask_, &first_, &again_, &check_, &accept_}) {
      if (row->empty()) continue;
      row->Note("context", side_);
      PrintRow(invocation, row->Row());
    }
    nlohmann::json refused = CountRow("refused", refused_);
    refused["context"] = side_;
    if (closed_ > 0) refused["windows_left_out"] = closed_;
    PrintRow(invocation, refused);
  }
  // Of masks and of taking the tokens.
  [[nodiscard]] double pass_ms() const { return (mask_.total() + accept_.total()) / 1e3; }
  // Places where the mask and the check of the token disagree: a fault of the program.
  [[nodiscard]] size_t disagreements() const { return disagreements_; }

 private:
  static constexpr size_t kMaxSkipped = 64;

  // False: the token may not be written.
  bool Step(GapState& state, Masker& masker, size_t token) {
    const TokenId id = subject_.tokens[token];
    const std::string_view bytes = subject_.vocabulary.Bytes(id);
    const auto work = [&masker] { return masker.statistics().made + masker.statistics().walked; };
    const size_t before = work();
    const constraint::TokenMask* mask = mask_.Time([&] { return &masker.Of(state); });
    (work() > before ? first_ : again_).Add(mask_.last_taken());
    const bool allowed = mask->Allows(id);
    if (check_.Time([&] { return state.Check(bytes); }) != allowed) ++disagreements_;
    return accept_.Time([&] { return state.Accept(bytes); });
  }

  GapState Open(size_t token, std::string_view right) {
    return OpenGap(language_, std::string_view(subject_.text).substr(0, begins_[token]), right, {});
  }

  std::shared_ptr<const constraint::Language> language_;
  StorePtr store_;
  const BenchSubject& subject_;
  std::string side_;
  std::vector<size_t> begins_;    // [token of the text] its first byte; one more at the end
  Timings mask_, first_, again_;  // all; the ones put together anew; the ones remembered
  Timings check_, accept_;
  size_t refused_ = 0;  // tokens that tenon would not write
  size_t closed_ = 0;   // windows
  size_t disagreements_ = 0;
};

}  // namespace

int BenchMasks(const Invocation& invocation, const BenchOptions& options,
               const BenchSubject& subject) {
  const double before = ResidentMb();
  Timings grammar("compile_grammar", TimeUnit::kMilliseconds),
      store_build("compile_store", TimeUnit::kMilliseconds);
  const auto compiled = grammar.Time([&subject] { return subject.Compile(); });
  if (!compiled) return invocation.Fail(compiled.error());
  const auto& language = Internals::Of(*compiled);
  const StorePtr store = store_build.Time(
      [&] { return constraint::MaskStore::Build(language, Internals::Of(subject.vocabulary)); });
  const TextCheck checked = compiled->Check(subject.text);
  if (!checked.valid)
    return invocation.Fail(NotValid(options, checked.offset_bytes, checked.message));
  const double compile_ms = grammar.total() + store_build.total();
  PrintRow(invocation, grammar.Row());
  PrintRow(invocation, store_build.Row());
  PrintRow(invocation, ValueRow("compile_cold", "ms", compile_ms));
  PrintRow(invocation, CountRow("tokens", subject.tokens.size()));
  PrintRow(invocation, CountRow("vocabulary", subject.vocabulary.size()));

  Replay left(language, store, subject, "left");
  left.Run(0, subject.tokens.size(), "");
  left.Print(invocation);
  PrintRow(invocation, ValueRow("compile_and_first_pass", "ms", compile_ms + left.pass_ms()));
  PrintRow(invocation, ValueRow("resident", "MB", ResidentMb() - before));

  Replay both(language, store, subject, "both");
  const size_t windows = (subject.tokens.size() + kWindowTokens - 1) / kWindowTokens;
  const size_t step = std::max<size_t>(1, windows / std::max<size_t>(1, options.gaps));
  for (size_t i = 0; i < windows; i += step) both.RunWindow(i * kWindowTokens);
  both.Print(invocation);
  const size_t disagreements = left.disagreements() + both.disagreements();
  if (disagreements == 0) return kExitDone;
  return invocation.Fail(fmt::format(
      "{} masks differ from the check of their token: this is a fault of tenon, please report it",
      disagreements));
}

}  // namespace tenon::server
