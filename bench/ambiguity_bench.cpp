// Processor time of very ambiguous texts: one JSON object a line (bench/row.h), each of texts of `e: e "+" e | e e | "(" e ")" | "x"`.
//
//   tenon_ambiguity_bench [--levels N...] [--terms N...]
//
// nested_N: N brackets in one another, each of whose contents can be grouped in several ways, and the gap amid them.
// flat_N: a right context of N times "+xxx" behind an "x", without a bracket. Its rows are those of nested_N:
//
//   nested_N_check     ms   the whole text
//   nested_N_left      ms   opening a gap in the middle, without a right context
//   nested_N_gap       ms   opening it with the other half as right context
//   nested_N_member    ms   does the middle close that gap?
//   nested_N_token     us   may a token come next there?
//   nested_N_mask      us   the mask there, of every text of at most 3 letters; the first is met for the first time
//   nested_N_closing   ms   a verified closing text
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/row.h"
#include "constraint/gap/gap_state.h"
#include "constraint/mask/masker.h"

namespace {

using tenon::bench::Row;
using tenon::constraint::GapState;
using tenon::constraint::Language;
using tenon::constraint::Masker;
using tenon::constraint::MaskStore;

constexpr std::string_view kGrammar = "start: e\ne: e \"+\" e | e e | \"(\" e \")\" | \"x\"\n";

std::vector<std::string> Vocabulary() {
  std::vector<std::string> tokens{""};
  for (size_t length = 0, begin = 0; length < 3; ++length) {
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

// False: something that is valid was refused.
bool Measure(const std::shared_ptr<const Language>& language, const std::shared_ptr<const MaskStore>& store,
             const std::string& prefix, const std::string& left, const std::string& right) {
  const auto row = [&](const char* name, const char* unit) {
    return Row(prefix + name, unit, unit == std::string("ms") ? 1e3 : 1e6);
  };
  Row check = row("check", "ms"), left_row = row("left", "ms"), gap = row("gap", "ms"), member = row("member", "ms"),
      token = row("token", "us"), mask = row("mask", "us"), closing = row("closing", "ms");
  bool right_answers = true;
  for (int i = 0; i < 5; ++i) {
    const auto whole = check.Time([&] { return Check(*language, left + right, tenon::constraint::Strength::kAccept); });
    const GapState alone = left_row.Time([&] { return OpenGap(language, left, "", {}); });
    GapState state = gap.Time([&] { return OpenGap(language, left, right, {}); });
    right_answers = right_answers && whole.valid && alone.viable() && state.viable();
    right_answers = right_answers && member.Time([&] { return state.Member(); });
    Masker masker(store, state);
    for (const char* written : {"", "+", "x", "(", "x+x", ")"}) {
      if (*written != 0) right_answers = right_answers && token.Time([&] { return state.Check(written); });
      right_answers = right_answers && state.Accept(written);
      mask.Time([&] { return masker.Of(state).Count(); });
    }
    right_answers = right_answers && state.Accept("+");
    right_answers = right_answers && closing.Time([&] { return FindClosing(state); }).has_value();
  }
  for (Row* timed : {&check, &left_row, &gap, &member, &token, &mask, &closing}) timed->Print();
  return right_answers;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Time of deeply ambiguous brackets"};
  std::vector<size_t> levels{10, 100, 1000};
  std::vector<size_t> terms{10, 100};
  app.add_option("--levels", levels, "how many brackets are nested");
  app.add_option("--terms", terms, "how many terms follow the gap without a bracket");
  CLI11_PARSE(app, argc, argv);
  const auto language = Language::Compile(kGrammar, "ambiguous.lark");
  if (!language) return 1;
  const auto store =
      MaskStore::Build(*language, std::make_shared<const tenon::constraint::TokenVocabulary>(Vocabulary()));
  for (const size_t n : levels) {
    const std::string times = std::to_string(n) + "_";
    if (Measure(*language, store, "nested_" + times, Repeated("(x+xx", n), Repeated("x+xx)", n))) continue;
    std::fprintf(stderr, "%zu levels: a valid text was refused\n", n);
    return 1;
  }
  for (const size_t n : terms) {
    if (Measure(*language, store, "flat_" + std::to_string(n) + "_", "x", Repeated("+xxx", n))) continue;
    std::fprintf(stderr, "%zu terms: a valid text was refused\n", n);
    return 1;
  }
  return 0;
}
