// Which comments and strings of the middle may end in the right context (lex/seam.h): every short
// left context, middle and right context against a naive reading of the whole text.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/byte_language.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/sampled.h"
#include "tests/constraint/short_texts.h"
#include "tests/oracle/toy_layout.h"

namespace tenon::constraint {
namespace {

using oracle::ToyKind;
using oracle::ToyPiece;

constexpr std::array kAllSeams = {Seam::kClosed, Seam::kLine, Seam::kRest, Seam::kOpen};

// The three parts of a text.
struct Parts {
  const std::string &left, &middle, &right;
  std::string Text() const { return left + middle + right; }
  size_t begin() const { return left.size(); }
  size_t end() const { return left.size() + middle.size(); }
  size_t line() const { return std::min(right.find('\n'), right.size()); }
};

// Is the beginning of a right context, of so many bytes, the rest of the terminal's lexeme and
// nothing else?
using IsRest = std::function<bool(const std::string& right, size_t bytes, const std::string& name)>;

// The seam rule, read off the lexemes of a valid text: all of them, or those that matter.
bool Keeps(const std::vector<ToyPiece>& pieces, const oracle::ToyModes& modes, const Parts& of,
           Seam seam, const IsRest& is_rest) {
  if (seam == Seam::kOpen) return true;
  std::vector<bool> ours;  // [mode on the stack] pushed by the middle, `%delimited`
  for (const ToyPiece& piece : pieces) {
    const auto action = modes.actions.find(piece.terminal->name);
    const std::string what = action == modes.actions.end() ? "" : action->second.first;
    const bool crosses =
        of.begin() <= piece.begin && piece.begin < of.end() && of.end() < piece.end;
    if (crosses && piece.terminal->delimited) {
      const bool ends_in_line =
          piece.terminal->kind == ToyKind::kToken && piece.end <= of.end() + of.line();
      if (seam == Seam::kClosed || what == "push") return false;
      if (!ends_in_line &&
          (seam == Seam::kLine || !is_rest(of.right, piece.end - of.end(), piece.terminal->name)))
        return false;
    }
    const bool written = !of.middle.empty() && piece.begin < of.end() && of.begin() < piece.end;
    if (what == "push") ours.push_back(piece.terminal->delimited && written);
    if (what == "pop") {
      if (crosses && ours.back()) return false;  // R would end the closer
      ours.pop_back();
    }
    if (of.end() <= piece.end) return std::find(ours.begin(), ours.end(), true) == ours.end();
  }
  return true;
}

// The lexemes of a text; nothing: it has none.
using ReadPieces = std::function<std::optional<std::vector<ToyPiece>>(const std::string&)>;

// IsRest by trial: each short beginning is put before R, and each short text behind.
class Rests {
 public:
  Rests(std::string alphabet, ReadPieces read)
      : alphabet_(std::move(alphabet)), read_(std::move(read)) {}

  bool operator()(const std::string& right, size_t bytes, const std::string& name) {
    const std::string rest = right.substr(0, bytes);
    const auto [at, fresh] = known_.try_emplace(right + '\0' + std::to_string(bytes) + name);
    if (fresh) at->second = EndsForGood(rest, name) && !EndsOwn(right, bytes);
    return at->second;
  }

 private:
  // The first lexeme of a text, where it is all of it.
  const oracle::ToyTerminal* Whole(const std::string& text) const {
    const auto pieces = read_(text);
    return pieces && pieces->size() == 1 ? pieces->front().terminal : nullptr;
  }
  bool EndsForGood(const std::string& rest, const std::string& name) const {
    const std::vector<std::string> more = ShortTexts(alphabet_, 2);
    for (const std::string& beginning : ShortTexts(alphabet_, 3)) {
      const std::string text = beginning + rest;
      const oracle::ToyTerminal* whole = beginning.empty() ? nullptr : Whole(text);
      if (!whole || whole->name != name) continue;
      if (std::none_of(more.begin(), more.end(), [&](const std::string& behind) {
            const auto pieces = read_(text + behind);
            return pieces && pieces->front().end > text.size();
          }))
        return true;
    }
    return false;
  }
  // R read from its beginning on, each time the longest lexeme; where there is none, from the next
  // line on.
  bool EndsOwn(const std::string& right, size_t bytes) const {
    size_t at = 0;
    while (at < bytes) {
      size_t length = right.size() - at;
      while (length > 0 && !Whole(right.substr(at, length))) --length;
      if (length == 0) {
        at = right.find_first_of("\r\n", at);
        if (at == std::string::npos) return false;
        ++at;
        continue;
      }
      if (at + length == bytes && Whole(right.substr(at, length))->delimited) return true;
      at += length;
    }
    return false;
  }

  std::string alphabet_;
  ReadPieces read_;
  std::unordered_map<std::string, bool> known_;
};

// A language with its oracle.
struct Toy {
  std::string name, described, alphabet;
  std::shared_ptr<const Language> language;
  std::function<bool(const std::string&)> valid = {};
  // REQUIRES: the text is valid.
  std::function<bool(const Parts&, Seam)> keeps = {};
  size_t text_length = 0, left_length = 2, middle_length = 2, right_length = 3;
};

class SeamComparison {
 public:
  explicit SeamComparison(const Toy& toy) : toy_(toy) { FindShown(); }

  void Run() {
    const std::vector<std::string> lefts = ShortTexts(toy_.alphabet, toy_.left_length),
                                   middles = ShortTexts(toy_.alphabet, toy_.middle_length);
    for (const std::string& right : Sampled(ShortTexts(toy_.alphabet, toy_.right_length))) {
      GapCache cache(toy_.language);
      for (const std::string& left : lefts) {
        std::array<std::optional<GapState>, kSeams> opened;
        for (const Seam seam : kAllSeams)
          opened[static_cast<size_t>(seam)] =
              *cache.Open(left, right, GapPolicy{.seam = seam}, std::stop_token());
        for (const std::string& middle : middles) {
          bool narrower = false;
          for (const Seam seam : kAllSeams) {
            const bool viable =
                Compare(*opened[static_cast<size_t>(seam)], {left, middle, right}, seam);
            if (narrower && !viable) Wrong("less at a wider seam", {left, middle, right}, seam);
            narrower = viable;
          }
        }
      }
    }
    Confirm();
    std::cout << toy_.name << ": " << asked_ << " asked, " << viable_ << " viable, " << opened_
              << " of them by the seam alone, " << beyond_.size() << " beyond the bound, "
              << closed_ << " of " << tried_ << " of these closed\n";
    EXPECT_TRUE(opened_ > 0 || kEvery > 1);
    if (wrong_.empty()) return;
    std::string listed;
    for (size_t i = 0; i < std::min<size_t>(8, wrong_.size()); ++i) listed += wrong_[i] + "\n";
    ADD_FAILURE() << toy_.described << wrong_.size() << " disagreements:\n" << listed;
  }

 private:
  struct Question {
    std::string left, middle, right;
    Seam seam;
  };
  static std::string Key(const Parts& of, Seam seam) {
    return of.left + '\0' + of.middle + '\0' + of.right + static_cast<char>(seam);
  }
  void Wrong(const std::string& what, const Parts& of, Seam seam) {
    wrong_.push_back(what + ": " + Shown(of.left) + " " + Shown(of.middle) + " " + Shown(of.right) +
                     " at seam " + std::to_string(static_cast<int>(seam)));
  }
  bool Fits(const Parts& of, Seam seam) const {
    return toy_.valid(of.Text()) && toy_.keeps(of, seam);
  }
  // What valid texts of bounded length show.
  void FindShown() {
    for (const std::string& text : ShortTexts(toy_.alphabet, toy_.text_length)) {
      if (!toy_.valid(text)) continue;
      for (size_t i = 0; i <= std::min(toy_.left_length, text.size()); ++i) {
        for (size_t j = 0; j <= std::min(toy_.right_length, text.size() - i); ++j) {
          const std::string left = text.substr(0, i), right = text.substr(text.size() - j),
                            middle = text.substr(i, text.size() - i - j);
          for (const Seam seam : kAllSeams) {
            if (!toy_.keeps({left, middle, right}, seam)) continue;
            for (size_t n = 0; n <= std::min(toy_.middle_length, middle.size()); ++n)
              shown_.insert(Key({left, middle.substr(0, n), right}, seam));
          }
        }
      }
    }
  }
  // Is the middle viable?
  bool Compare(const GapState& opened, const Parts& of, Seam seam) {
    ++asked_;
    GapState state = opened;
    const bool viable = state.viable() && (of.middle.empty() || state.Accept(of.middle));
    viable_ += viable;
    const bool shown = shown_.contains(Key(of, seam));
    if (shown && !viable) Wrong("missed", of, seam);
    if (viable && !shown) beyond_.push_back({of.left, of.middle, of.right, seam});
    if (viable && seam != Seam::kClosed && !shown_.contains(Key(of, Seam::kClosed))) ++opened_;
    if (viable && state.Member() != Fits(of, seam)) Wrong("member", of, seam);
    if (!viable && Fits(of, seam)) Wrong("member missed", of, seam);
    return viable;
  }
  // Claims beyond the bound: a closing text or a search shows each.
  void Confirm() {
    std::mt19937 random(20261125);
    std::shuffle(beyond_.begin(), beyond_.end(), random);
    const std::vector<std::string> more = ShortTexts(toy_.alphabet, 5);
    for (size_t i = 0; i < std::min<size_t>(400 / kEvery, beyond_.size()); ++i) {
      const auto& [left, middle, right, seam] = beyond_[i];
      ++tried_;
      GapState state = OpenGap(toy_.language, left, right, GapPolicy{.seam = seam});
      ASSERT_TRUE(state.viable() && (middle.empty() || state.Accept(middle)));
      if (const auto closing = FindClosing(state)) {
        ++closed_;
        const std::string whole = middle + closing->text;
        if (!Fits({left, whole, right}, seam))
          Wrong("closing " + Shown(whole), {left, middle, right}, seam);
        continue;
      }
      const bool found = std::any_of(more.begin(), more.end(), [&](const std::string& rest) {
        const std::string whole = middle + rest;
        return Fits({left, whole, right}, seam);
      });
      if (!found) Wrong("not confirmed", {left, middle, right}, seam);
    }
    EXPECT_GE(closed_ * 10, tried_ * 9);
  }

  const Toy& toy_;
  std::unordered_set<std::string> shown_;
  std::vector<Question> beyond_;
  std::vector<std::string> wrong_;
  size_t asked_ = 0, viable_ = 0, opened_ = 0, tried_ = 0, closed_ = 0;
};

class DelimitedLexers : public testing::TestWithParam<ByteConfig> {};

TEST_P(DelimitedLexers, AgreeWithTheOracleAtEverySeam) {
  const ByteLanguage bytes(GetParam());
  ASSERT_TRUE(bytes.language()) << bytes.error().ToString() << "\n" << bytes.Describe();
  Toy toy{bytes.config().name, bytes.Describe(), bytes.config().alphabet, bytes.language()};
  toy.valid = [&](const std::string& text) { return bytes.Valid(text); };
  Rests rests(toy.alphabet, [&](const std::string& text) { return bytes.lexer().Pieces(text); });
  toy.keeps = [&](const Parts& of, Seam seam) {
    return Keeps(*bytes.lexer().Pieces(of.Text()), bytes.config().modes, of, seam, std::ref(rests));
  };
  toy.text_length = bytes.config().text_length;
  while (std::pow(toy.alphabet.size(), toy.text_length) > (kEvery > 1 ? 2e4 : 3e5))
    --toy.text_length;
  if (toy.alphabet.size() > 5) toy.middle_length = 1;
  SeamComparison(toy).Run();
}

INSTANTIATE_TEST_SUITE_P(GapSeam, DelimitedLexers, testing::ValuesIn(DelimitedConfigs()));

// In the indented language strings may hold line ends, and comments end before one.
TEST(GapSeam, AgreesWithTheOracleInAnIndentedLanguage) {
  for (const char* alphabet : {"xi\n \"", "xi\n #"}) {
    const oracle::ToyLayout layout(alphabet, oracle::ToyBlocks::kFile);
    auto compiled = Language::Compile(layout.ToLark(), "indented.lark");
    ASSERT_TRUE(compiled) << compiled.error().ToString();
    Toy toy{alphabet, layout.ToLark(), alphabet, *compiled};
    toy.valid = [&](const std::string& text) { return layout.Valid(text); };
    const oracle::ToyTerminal string{"STR", "", ToyKind::kToken, true},
        comment{"COM", "", ToyKind::kSkip, true};
    // A string ends for good, a comment never does.
    const IsRest is_rest = [](const std::string& right, size_t bytes, const std::string& name) {
      return name == "STR" && right.find('"') + 1 == bytes;
    };
    toy.keeps = [&](const Parts& of, Seam seam) {
      const std::string text = of.Text();
      std::vector<ToyPiece> pieces;
      for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '"' && text[at] != '#') continue;
        const bool quoted = text[at] == '"';
        const size_t end =
            std::min(text.find(quoted ? '"' : '\n', at + 1), text.size() - quoted) + quoted;
        pieces.push_back({at, end, quoted ? &string : &comment});
        at = end - 1;
      }
      return Keeps(pieces, {}, of, seam, is_rest);
    };
    toy.text_length = kEvery > 1 ? 6 : 7;
    SeamComparison(toy).Run();
  }
}

class SeamExamples : public testing::Test {
 protected:
  // The middle is taken byte by byte and then closes the gap.
  bool Fits(const std::string& left, const std::string& middle, const std::string& right,
            Seam seam) const {
    GapState state = OpenGap(language_, left, right, GapPolicy{.seam = seam});
    for (const char c : middle) {
      if (!state.Accept(std::string(1, c))) return false;
    }
    return state.Member();
  }
  std::shared_ptr<const Language> language_ = *Language::Compile(R"lark(
start: call+
call: NAME "(" [arguments] ")" ";"
arguments: argument ("," argument)*
argument: NAME | STRING | LONG
NAME: /[a-z]+/
STRING: /"[^"\n]*"/
LONG: /'[^']*'/
COMMENT: /#[^\n]*/
BLANKS: /[ \n]+/
%ignore BLANKS
%ignore COMMENT
%delimited COMMENT STRING LONG
)lark",
                                                                 "calls.lark");
};

TEST_F(SeamExamples, AStringOfTheLineIsBegunAtTheSeamOfTheLine) {
  EXPECT_FALSE(Fits("f(", "\"a ", "tenon\");", Seam::kClosed));
  EXPECT_TRUE(Fits("f(", "\"a ", "tenon\");", Seam::kLine));
  EXPECT_TRUE(Fits("f(\"a", "\", \"", "tenon\"); g();", Seam::kLine));
  EXPECT_TRUE(Fits("f(", "'", "tenon'\n);", Seam::kLine));
  // What ends in a later line, or hides code, waits for the open seam.
  for (const auto& [middle, right] : {std::pair("'", "tenon\n');"), std::pair(");#", "tenon \n")}) {
    EXPECT_FALSE(Fits("f(", middle, right, Seam::kLine));
    EXPECT_TRUE(Fits("f(", middle, right, Seam::kOpen));
  }
}

TEST_F(SeamExamples, WhatCanOnlyBeARestIsBegunAtItsSeam) {
  EXPECT_FALSE(Fits("f(", "'", "a\nb');", Seam::kLine));
  EXPECT_TRUE(Fits("f(", "'", "a\nb');", Seam::kRest));
  // A comment that its line ends is none: the middle would hide the rest of the line.
  EXPECT_FALSE(Fits("f(a", ");#", "tenon \n", Seam::kRest));
  EXPECT_TRUE(Fits("f(", "\"a ", "tenon\");", Seam::kRest)) << "as at the seam of the line";

  const auto language = Language::Compile(R"lark(
start: call+
call: NAME "(" NAME ")" ";"
NAME: /[a-z]+/
COMMENT: /<[^>]*>/
BLANKS: /[ \n]+/
%ignore BLANKS
%ignore COMMENT
%delimited COMMENT
)lark",
                                          "comments.lark");
  ASSERT_TRUE(language);
  const auto viable = [&](const std::string& right, Seam seam) {
    return OpenGap(*language, "f(a);", right, GapPolicy{.seam = seam}).viable();
  };
  EXPECT_FALSE(viable("no code\n> g(b);", Seam::kLine));
  EXPECT_TRUE(viable("no code\n> g(b);", Seam::kRest));
  EXPECT_FALSE(viable("no code\n<c> g(b);", Seam::kRest)) << "its own comment ends there";
  EXPECT_TRUE(viable("no code\n<c> g(b);", Seam::kOpen));
  EXPECT_FALSE(viable("no ' code\n<c> g(b);", Seam::kRest)) << "the next line is read";
  EXPECT_TRUE(viable("no ' code <c> g(b);", Seam::kRest));
}

TEST_F(SeamExamples, AWitnessBeginsTheString) {
  for (const auto& [seam, right, text] :
       {std::tuple(Seam::kLine, "tenon two\");", "\""), std::tuple(Seam::kOpen, "a\nb');", "'"),
        std::tuple(Seam::kOpen, "no code\n);", "#")}) {
    const GapState closed = OpenGap(language_, "f(", right, GapPolicy{});
    EXPECT_FALSE(closed.viable()) << right;
    const auto closing = FindClosing(OpenGap(language_, "f(", right, GapPolicy{.seam = seam}));
    ASSERT_TRUE(closing) << right;
    EXPECT_EQ(closing->text, text);
  }
}

// One cache opens a gap at one seam after another, while states of the first are still held.
TEST_F(SeamExamples, ACacheKeepsTheSeamsApart) {
  GapCache cache(language_);
  const std::stop_token never;
  const std::string right = "tenon\");";
  for (const std::string left : {"f(", "f(a, ", "f("}) {
    const auto closed = *cache.Open(left, right, GapPolicy{}, never);
    const auto line = *cache.Open(left, right, GapPolicy{.seam = Seam::kLine}, never);
    const auto again = *cache.Open(left, right, GapPolicy{}, never);
    EXPECT_FALSE(closed.viable());
    EXPECT_TRUE(line.viable());
    EXPECT_TRUE(line.Check("\"a"));
    EXPECT_FALSE(line.Check("]"));
    EXPECT_FALSE(again.viable());
  }
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(cache.Open("f(", "x\");", GapPolicy{.seam = Seam::kLine}, stop.get_token()));
  EXPECT_TRUE(cache.Open("f(", "x\");", GapPolicy{.seam = Seam::kLine}, never)->viable());
}

}  // namespace
}  // namespace tenon::constraint
