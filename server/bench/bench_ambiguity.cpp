#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/mask/mask.h"
#include "constraint/reading/reading.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

using constraint::GapState;
using constraint::Masker;
using constraint::MaskStore;

// Sums and sequences of the same terms: each can be grouped in as many ways as there are trees.
constexpr std::string_view kGrammar = "start: e\ne: e \"+\" e | e e | \"(\" e \")\" | \"x\"\n";
constexpr size_t kMaxTokenBytes = 3;
constexpr int kRuns = 5;
// Written one after another before the mask of each is taken.
constexpr const char* kWritten[] = {"", "+", "x", "(", "x+x", ")"};

// Every text of at most kMaxTokenBytes letters.
std::vector<std::string> SmallVocabulary() {
  std::vector<std::string> tokens{""};
  for (size_t length = 0, begin = 0; length < kMaxTokenBytes; ++length) {
    const size_t end = tokens.size();
    for (; begin < end; ++begin) {
      for (char c : std::string_view("(x+)")) tokens.push_back(tokens[begin] + c);
    }
  }
  return tokens;
}

std::string Repeated(const std::string& part, size_t times) {
  std::string text;
  for (; times > 0; --times) text += part;
  return text;
}

// One text, cut in its middle.
class AmbiguousText {
 public:
  AmbiguousText(std::string name, std::string left, std::string right)
      : name_(std::move(name)), left_(std::move(left)), right_(std::move(right)) {}

  // False: something that is valid was refused.
  bool Measure(const std::shared_ptr<const constraint::Language>& language,
               const std::shared_ptr<const MaskStore>& store) {
    bool valid = true;
    for (int i = 0; i < kRuns; ++i) {
      valid &=
          check_
              .Time([&] { return Check(*language, left_ + right_, constraint::Strength::kAccept); })
              .valid;
      valid &= alone_.Time([&] { return OpenGap(language, left_, "", {}); }).viable();
      GapState state = gap_.Time([&] { return OpenGap(language, left_, right_, {}); });
      valid &= member_.Time([&] { return state.Member(); });
      Masker masker(store, state);
      for (const char* written : kWritten) {
        if (*written != 0) valid &= token_.Time([&] { return state.Check(written); });
        valid &= state.Accept(written);
        mask_.Time([&] { return masker.Of(state).Count(); });
      }
      valid &= state.Accept("+");
      valid &= closing_.Time([&] { return constraint::FindClosing(state); }).has_value();
    }
    return valid;
  }
  void Print(const Invocation& invocation) const {
    for (const Timings* row : {&check_, &alone_, &gap_, &member_, &token_, &mask_, &closing_})
      PrintRow(invocation, row->Row());
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_, left_, right_;
  Timings check_{name_ + "_check", TimeUnit::kMilliseconds},
      alone_{name_ + "_left", TimeUnit::kMilliseconds},
      gap_{name_ + "_gap", TimeUnit::kMilliseconds},
      member_{name_ + "_member", TimeUnit::kMilliseconds},
      token_{name_ + "_token", TimeUnit::kMicroseconds},
      mask_{name_ + "_mask", TimeUnit::kMicroseconds},
      closing_{name_ + "_closing", TimeUnit::kMilliseconds};
};

}  // namespace

int BenchAmbiguity(const Invocation& invocation, const BenchOptions& options) {
  const auto language = constraint::Language::Compile(kGrammar, "ambiguous.lark");
  if (!language) return invocation.Fail(language.error().ToString());
  const auto store = MaskStore::Build(
      *language, std::make_shared<const constraint::TokenVocabulary>(SmallVocabulary()));
  std::vector<AmbiguousText> texts;
  for (const size_t n : options.levels)
    texts.emplace_back(fmt::format("nested_{}", n), Repeated("(x+xx", n), Repeated("x+xx)", n));
  for (const size_t n : options.terms)
    texts.emplace_back(fmt::format("flat_{}", n), "x", Repeated("+xxx", n));
  PrintHead(invocation);
  for (AmbiguousText& text : texts) {
    if (!text.Measure(*language, store))
      return invocation.Fail(
          fmt::format("{}: a valid text was refused; this is a bug of tenon", text.name()));
    text.Print(invocation);
  }
  return kExitDone;
}

}  // namespace tenon::server
