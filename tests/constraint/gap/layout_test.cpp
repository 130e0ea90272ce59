// Viability and membership in an indented language: all short contexts against every short text,
// and longer random files cut and changed.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/sampled.h"
#include "tests/oracle/toy_layout.h"

namespace tenon::constraint {
namespace {

using oracle::ToyBlocks;
using oracle::ToyLayout;

struct Tally {
  size_t pairs = 0, viable = 0, missed = 0, beyond = 0, tried = 0, unconfirmed = 0,
         wrong_member = 0;
  std::vector<std::string> wrong;

  friend std::ostream& operator<<(std::ostream& out, const Tally& t) {
    return out << t.pairs << " pairs, " << t.viable << " viable, missed " << t.missed
               << ", beyond the length bound " << t.beyond << ", of these tried " << t.tried
               << ", not confirmed " << t.unconfirmed << ", member wrong " << t.wrong_member;
  }
};

std::shared_ptr<const Language> Compile(const ToyLayout& toy) {
  auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString()) << "\n" << toy.ToLark();
  return compiled ? *compiled : nullptr;
}

void Report(const ToyLayout& toy, std::vector<std::string> wrong) {
  if (wrong.empty()) return;
  std::sort(wrong.begin(), wrong.end(),
            [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  std::string listed;
  for (size_t i = 0; i < std::min<size_t>(8, wrong.size()); ++i) listed += wrong[i] + "\n";
  ADD_FAILURE() << toy.grammar().text() << wrong.size() << " disagreements:\n" << listed;
}

// Some W of at most `most` pieces that closes the gap.
bool SearchByPieces(const ToyLayout& toy, const std::string& left, const std::string& right,
                    const std::vector<std::string>& pieces, size_t most) {
  std::vector<std::string> middles{""};
  for (size_t count = 0, begin = 0; count <= most; ++count) {
    size_t end = middles.size();
    for (size_t i = begin; i < end; ++i) {
      if (toy.Valid(left + middles[i] + right)) return true;
      if (count == most) continue;
      for (const std::string& piece : pieces) middles.push_back(middles[i] + piece);
    }
    begin = end;
  }
  return false;
}

enum class Confirmed { kYes, kNo, kWrong };

Confirmed Confirm(const std::shared_ptr<const Language>& language, const ToyLayout& toy,
                  const std::string& left, const std::string& right,
                  const std::vector<std::string>& pieces, size_t most) {
  for (bool emit : {false, true}) {
    auto closing = FindClosing(OpenGap(language, left, right, GapPolicy{.emit = emit}));
    if (closing)
      return toy.Valid(left + closing->text + right) ? Confirmed::kYes : Confirmed::kWrong;
  }
  return SearchByPieces(toy, left, right, pieces, most) ? Confirmed::kYes : Confirmed::kNo;
}

struct Exhaustive {
  std::string alphabet;
  size_t text_length, left_length, right_length;
  std::vector<std::string> pieces;
};

const std::vector<Exhaustive>& Alphabets() {
  static const std::vector<Exhaustive> all = {
      {"xi\n ", 9, 4, 4, {"x", "i", "\n", " ", "\n ", "\n  ", "\n   ", "x\n", "i\n", "i\n "}},
      {"xi\n #", 7, 3, 3, {"x", "i\n", "\n", " ", "#", "i\n x\n", "i\n x", "x\n", "x#"}},
      {"xi(\n) ", 7, 3, 3, {"x", "i\n ", "\n", " ", "(", ")", "()", "i\n  ", "x\n", "(x"}},
      {"x\"i\n ", 7, 3, 3, {"x", "i\n ", "\n", " ", "\"", "\"\n", "x\n", "  "}},
      {"xi\n \\", 7, 3, 3, {"x", "i\n ", "\n", " ", "\\", "x\n", "x\\", "  "}},
      {"xie\n ", 7, 3, 3, {"x", "i\n x\n", "e\n ", "\n", " ", "x\n", "\n ", "i\n "}},
  };
  return all;
}

Tally CompareAllShort(const Exhaustive& config, ToyBlocks blocks, std::mt19937& random) {
  Tally tally;
  ToyLayout toy(config.alphabet, blocks);
  auto language = Compile(toy);
  if (!language) return tally;
  std::unordered_set<std::string> shown;
  for (const std::string& text : toy.AllTexts(config.text_length)) {
    if (!toy.Valid(text)) continue;
    for (size_t i = 0; i <= std::min(config.left_length, text.size()); ++i) {
      for (size_t j = 0; j <= std::min(config.right_length, text.size() - i); ++j) {
        shown.insert(text.substr(0, i) + '\0' + text.substr(text.size() - j));
      }
    }
  }
  std::vector<std::pair<std::string, std::string>> beyond;
  std::vector<std::string> lefts = toy.AllTexts(config.left_length);
  for (const std::string& right : Sampled(toy.AllTexts(config.right_length))) {
    GapQuestions questions(language, right);
    for (const std::string& left : lefts) {
      ++tally.pairs;
      bool viable = questions.Viable(left), is_shown = shown.contains(left + '\0' + right);
      tally.viable += viable;
      if (viable && !is_shown) beyond.emplace_back(left, right);
      if (is_shown && !viable) {
        ++tally.missed;
        tally.wrong.push_back("missed " + Shown(left) + " | " + Shown(right));
      }
      if (questions.Member(left) != toy.Valid(left + right)) {
        ++tally.wrong_member;
        tally.wrong.push_back("member wrong " + Shown(left) + " | " + Shown(right));
      }
    }
  }
  tally.beyond = beyond.size();
  std::shuffle(beyond.begin(), beyond.end(), random);
  beyond.resize(std::min(beyond.size(), (200 + kEvery - 1) / kEvery));
  for (const auto& [left, right] : beyond) {
    ++tally.tried;
    Confirmed answer = Confirm(language, toy, left, right, config.pieces, 4);
    if (answer == Confirmed::kYes) continue;
    ++tally.unconfirmed;
    tally.wrong.push_back((answer == Confirmed::kNo ? "not confirmed " : "closing text is wrong ") +
                          Shown(left) + " | " + Shown(right));
  }
  Report(toy, tally.wrong);
  return tally;
}

TEST(GapLayout, AllShortContextsAgreeWithTheOracle) {
  std::mt19937 random(20240611);
  size_t viable = 0;
  for (ToyBlocks blocks : {ToyBlocks::kFile, ToyBlocks::kOne, ToyBlocks::kLast}) {
    for (const Exhaustive& config : Alphabets()) {
      SCOPED_TRACE(Shown(config.alphabet));
      Tally tally = CompareAllShort(config, blocks, random);
      std::cout << Shown(config.alphabet) << ": " << tally << "\n";
      viable += tally.viable;
    }
  }
  EXPECT_GT(viable, 30000u / kEvery / 2);
}

// Longer files: what may close a gap is put together from these.
std::vector<std::string> PiecesFor(const ToyLayout& toy) {
  std::vector<std::string> all{"x",  "i", " ",   "\n",  "(",     ")",     "\"", "#",
                               "\\", "e", "x\n", "i\n", "x\n\n", "\"x\"", "()"};
  auto blanks = [](size_t n) { return std::string(n, ' '); };
  for (size_t n = 0; n < 7; ++n) {
    all.push_back("\n" + blanks(n) + "x");
    all.push_back("\n" + blanks(n) + "i");
    if (n > 0) all.push_back("\n" + blanks(n));
    if (n > 1) all.push_back(blanks(n));
    all.push_back("i\n" + blanks(n + 1));
  }
  for (size_t n = 0; n < 5; ++n) {
    for (size_t m = 1; m < 4; ++m) {
      if (m < 3) all.push_back("\n" + blanks(n) + "i\n" + blanks(n + m) + "x");
      if (m < 3) all.push_back("\n" + blanks(n) + "e\n" + blanks(n + m));
      for (size_t k = 1; k < 3 && n < 4; ++k)
        all.push_back("\n" + blanks(n) + "i\n" + blanks(n + m) + "i\n" + blanks(n + m + k));
    }
  }
  std::erase_if(all, [&](const std::string& piece) {
    return piece.find_first_not_of(toy.alphabet()) != std::string::npos;
  });
  return all;
}

// Fewer and smaller, to be put together four at a time.
std::vector<std::string> SmallPieces() {
  std::vector<std::string> all{")",  "(", "\\",  "\n",   "x", " ",      "  ",
                               "\"", "#", "x\n", "e\n ", "i", "      ", "x\n e\n "};
  for (size_t n = 1; n <= 8; ++n) all.push_back("i\n" + std::string(n, ' '));
  return all;
}

struct Cut {
  std::string left, right;
};

// A random file with a hole; often the right context's columns or one byte of the left context are
// changed.
Cut RandomCut(const ToyLayout& toy, std::mt19937& random) {
  std::string text = toy.RandomFile(random);
  while (text.size() > 70) text = toy.RandomFile(random);
  size_t i = random() % (text.size() + 1);
  size_t j = std::min(text.size(), i + std::vector<size_t>{0, 0, 1, 2, 4, 8, 12}[random() % 7]);
  Cut cut{text.substr(0, i), text.substr(j)};
  unsigned r = random() % 100;
  if (r < 35) {
    std::vector<size_t> begins{0};
    for (size_t at = 0; at < cut.right.size(); ++at) {
      if (cut.right[at] == '\n') begins.push_back(at + 1);
    }
    size_t begin = begins[random() % begins.size()];
    size_t end = std::min(cut.right.find_first_not_of(' ', begin), cut.right.size());
    cut.right.replace(begin, end - begin, std::string(random() % 6, ' '));
  } else if (r < 50) {
    std::string other = toy.RandomFile(random);
    cut.right = other.substr(random() % (other.size() + 1)).substr(0, 60);
  } else if (r < 65) {
    const std::string change = toy.alphabet() + "  ";
    size_t at = random() % (cut.left.size() + 1);
    cut.left = cut.left.substr(0, at) + change[random() % change.size()] +
               (at < cut.left.size() ? cut.left.substr(at + 1) : "");
  }
  return cut;
}

void CompareRandomFiles(ToyBlocks blocks, unsigned seed, size_t cases) {
  ToyLayout toy("xie()#\"\\ \n", blocks);
  auto language = Compile(toy);
  ASSERT_TRUE(language);
  std::mt19937 random(seed);
  std::vector<std::string> pieces = PiecesFor(toy);
  Tally tally;
  size_t searched = 0;
  for (size_t n = 0; n < cases; ++n) {
    Cut cut = RandomCut(toy, random);
    ++tally.pairs;
    GapState state = OpenExact(language, cut.left, cut.right);
    bool valid = toy.Valid(cut.left + cut.right);
    if (state.Member() != valid) {
      ++tally.wrong_member;
      tally.wrong.push_back("member wrong " + Shown(cut.left) + " | " + Shown(cut.right));
    }
    if (state.viable()) {
      ++tally.viable;
      Confirmed answer = Confirm(language, toy, cut.left, cut.right, pieces, 2);
      if (answer == Confirmed::kYes) continue;
      if (answer == Confirmed::kNo && SearchByPieces(toy, cut.left, cut.right, SmallPieces(), 4))
        continue;
      ++tally.unconfirmed;
      tally.wrong.push_back(
          (answer == Confirmed::kNo ? "not confirmed " : "closing text is wrong ") +
          Shown(cut.left) + " | " + Shown(cut.right));
    } else if (n % 5 == 0 || valid) {
      ++searched;
      if (!SearchByPieces(toy, cut.left, cut.right, pieces, 2)) continue;
      ++tally.missed;
      tally.wrong.push_back("missed " + Shown(cut.left) + " | " + Shown(cut.right));
    }
  }
  std::cout << tally << ", searched where not viable " << searched << "\n";
  EXPECT_GT(tally.viable, cases / 10);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Report(toy, tally.wrong);
}

TEST(GapLayout, CutFilesAgreeWithTheOracle) {
  CompareRandomFiles(ToyBlocks::kFile, 1, 2000 / kEvery);
}
TEST(GapLayout, CutFilesOfOneStatementAgreeWithTheOracle) {
  CompareRandomFiles(ToyBlocks::kOne, 2, 2000 / kEvery);
}
TEST(GapLayout, CutFilesWhoseBlocksEndWithACompoundAgreeWithTheOracle) {
  CompareRandomFiles(ToyBlocks::kLast, 3, 2000 / kEvery);
}

TEST(GapLayout, ClosingTextsAreValidAndFoundForNearlyEveryViableGap) {
  ClosingTally tally;
  std::vector<std::string> open;
  for (ToyBlocks blocks : {ToyBlocks::kFile, ToyBlocks::kOne, ToyBlocks::kLast}) {
    ToyLayout toy("xie()#\"\\ \n", blocks);
    auto language = Compile(toy);
    ASSERT_TRUE(language);
    std::mt19937 random(17);
    for (int round = 0; round < 1500; ++round) {
      Cut cut = RandomCut(toy, random);
      GapState state = OpenGap(language, cut.left, cut.right, GapPolicy{.emit = true});
      if (!state.viable()) continue;
      ++tally.viable;
      auto closing = FindClosing(state);
      if (!closing) {
        open.push_back(Shown(cut.left) + " | " + Shown(cut.right));
        continue;
      }
      ++tally.closed;
      ASSERT_TRUE(toy.Valid(cut.left + closing->text + cut.right))
          << Shown(cut.left) << " + " << Shown(closing->text) << " + " << Shown(cut.right);
    }
  }
  std::cout << tally.viable << " viable gaps, closed " << tally.share() << "\n";
  for (size_t i = 0; i < std::min<size_t>(20, open.size()); ++i)
    std::cout << "  no closing text: " << open[i] << "\n";
  EXPECT_GT(tally.viable, 1000u);
  EXPECT_GT(tally.share(), 0.97);
}

}  // namespace
}  // namespace tenon::constraint
