// Limits of nesting (`%most`): brackets and blocks, at small limits, against every short text.
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask_store.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/sampled.h"
#include "tests/constraint/short_texts.h"

namespace tenon::constraint {
namespace {

// Two limits that count some of the same modes. A `d` owes a bracket.
const char* const kBrackets = R"lark(
start: item*
item: "x" | "(" item* ")" | "[" item* "]" | "d" "(" ")"
%ignore / +/
%mode round default without "]"
%mode square default without ")"
%push "(" round
%push "[" square
%pop ")" "]"
%most 1 "round brackets" round
%most 2 "brackets" round square
)lark";

// An `i` owes a block.
const char* const kBlocks = R"lark(
start: statement*
statement: "x" NEWLINE | "i" NEWLINE INDENT statement+ DEDENT
NEWLINE: /\n/
%ignore / +/
%declare INDENT DEDENT
%layout newline=NEWLINE indent=INDENT dedent=DEDENT
%most 2 "blocks" INDENT
)lark";

bool BracketsFit(const std::string& text) {
  std::string open;
  char before = 0;
  for (char c : text) {
    if (c == ' ') continue;
    if (before == 'd' && c != '(') return false;
    const bool empty = before == 'D';  // behind the bracket that a `d` owes
    if (empty && c != ')') return false;
    if (c == '(' || c == '[') {
      open += c;
      if (open.size() > 2 || std::count(open.begin(), open.end(), '(') > 1) return false;
    } else if (c == ')' || c == ']') {
      if (open.empty() || (open.back() == '(') != (c == ')')) return false;
      open.pop_back();
    }
    before = before == 'd' ? 'D' : c;
  }
  return open.empty() && before != 'd';
}

bool BlocksFit(const std::string& text) {
  std::vector<size_t> columns{0};
  bool owed = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t column = line.find_first_not_of(' ');
    if (column == std::string::npos) continue;
    line = line.substr(column, line.find_last_not_of(' ') + 1 - column);
    if (line.size() != 1 || owed != (column > columns.back())) return false;
    if (owed) columns.push_back(column);
    while (column < columns.back()) columns.pop_back();
    if (column != columns.back() || columns.size() > 3) return false;
    owed = line == "i";
  }
  return !owed;
}

struct Toy {
  const char* grammar;
  std::string alphabet;
  std::function<bool(const std::string&)> fits;
  size_t text_length, context_length;
};

const std::array<Toy, 2>& Toys() {
  static const std::array<Toy, 2> all = {Toy{kBrackets, "x()[]d", BracketsFit, 8, 4},
                                         Toy{kBlocks, "xi\n ", BlocksFit, 10, 5}};
  return all;
}

std::shared_ptr<const Language> Compile(const Toy& toy) {
  auto compiled = Language::Compile(toy.grammar, "nesting.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// The contexts of every text that fits, "left\0right".
std::unordered_set<std::string> GapsOf(const Toy& toy) {
  std::unordered_set<std::string> gaps;
  for (const std::string& text : ShortTexts(toy.alphabet, toy.text_length)) {
    if (!toy.fits(text)) continue;
    for (size_t i = 0; i <= std::min(toy.context_length, text.size()); ++i) {
      for (size_t j = 0; j <= std::min(toy.context_length, text.size() - i); ++j)
        gaps.insert(text.substr(0, i) + '\0' + text.substr(text.size() - j));
    }
  }
  return gaps;
}

TEST(GapNesting, MembersAreExactAndWhatCanBeClosedIsViable) {
  for (const Toy& toy : Toys()) {
    const auto language = Compile(toy);
    ASSERT_NE(language, nullptr);
    const std::unordered_set<std::string> gaps = GapsOf(toy);
    const std::vector<std::string> contexts = ShortTexts(toy.alphabet, toy.context_length);
    size_t pairs = 0, members = 0, viable = 0;
    std::vector<std::pair<std::string, std::string>> longer;  // viable, but no short text shows it
    for (const std::string& right : Sampled(contexts)) {
      GapQuestions questions(language, right);
      for (const std::string& left : contexts) {
        ++pairs;
        const bool is_viable = questions.Viable(left), is_gap = gaps.contains(left + '\0' + right);
        const bool is_member = questions.Member(left);
        ASSERT_EQ(is_member, toy.fits(left + right)) << Shown(left) << " | " << Shown(right);
        ASSERT_TRUE(is_viable || !is_gap) << "missed: " << Shown(left) << " | " << Shown(right);
        viable += is_viable;
        members += is_member;
        if (is_viable && !is_gap) longer.emplace_back(left, right);
      }
    }
    std::mt19937 random(20261121);
    std::shuffle(longer.begin(), longer.end(), random);
    longer.resize(std::min<size_t>(longer.size(), 1000 / kEvery));
    ClosingTally tally;
    for (const auto& [left, right] : longer) {
      ++tally.viable;
      const bool closed = FindClosing(OpenExact(language, left, right)).has_value();
      tally.closed += closed;
      EXPECT_TRUE(closed || left.back() == 'd')
          << Shown(left) << " | " << Shown(right);  // what is owed is not counted
    }
    std::cout << pairs << " pairs, " << viable << " viable, " << members << " members; of "
              << tally.viable << " that only longer texts may close " << tally.closed
              << " are closed\n";
    EXPECT_GT(members, 1000u / kEvery / 2);
    if (kEvery == 1) {  // of a few, too few may be closed
      EXPECT_GT(tally.share(), 0.8);
    }
  }
}

TEST(GapNesting, ClosingTextsStayWithinTheLimits) {
  std::mt19937 random(20261122);
  for (const Toy& toy : Toys()) {
    const auto language = Compile(toy);
    ASSERT_NE(language, nullptr);
    const std::unordered_set<std::string> gaps = GapsOf(toy);
    const std::vector<std::string> contexts = ShortTexts(toy.alphabet, toy.context_length);
    ClosingTally tally;
    for (int i = 0; i < 20000; ++i) {
      const std::string& left = contexts[random() % contexts.size()];
      const std::string& right = contexts[random() % contexts.size()];
      const auto closing = FindClosing(OpenGap(language, left, right, GapPolicy{}));
      if (closing) {
        EXPECT_TRUE(toy.fits(left + closing->text + right))
            << Shown(left) << " | " << Shown(closing->text) << " | " << Shown(right);
      }
      if (!gaps.contains(left + '\0' + right)) continue;
      ++tally.viable;
      tally.closed += closing.has_value();
    }
    std::cout << tally.closed << " of " << tally.viable << " gaps are closed\n";
    EXPECT_GT(tally.viable, 50u);
    EXPECT_GT(tally.share(), 0.95);
  }
}

TEST(GapNesting, MasksAreWhatTryingEveryTokenSays) {
  std::mt19937 random(20261123);
  for (const Toy& toy : Toys()) {
    const auto language = Compile(toy);
    ASSERT_NE(language, nullptr);
    const auto vocabulary =
        std::make_shared<const TokenVocabulary>(SmallVocabulary(toy.alphabet, 3, 300, random));
    const auto store = MaskStore::Build(language, vocabulary);
    const std::vector<std::string> contexts = ShortTexts(toy.alphabet, toy.context_length);
    MaskTally tally;
    for (int i = 0; i < 150; ++i) {
      const std::string& left = contexts[random() % contexts.size()];
      const std::string right = i % 2 == 0 ? "" : contexts[random() % contexts.size()];
      FollowMasks(store, language, left, right, 8, random, tally);
    }
    std::cout << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
    EXPECT_EQ(tally.wrong, 0u);
    EXPECT_GT(tally.allowed, 1000u);
  }
}

TEST(GapNesting, MessagesNameWhatIsTooMany) {
  const auto brackets = Compile(Toys()[0]), blocks = Compile(Toys()[1]);
  ASSERT_TRUE(brackets && blocks);
  const auto said = [](const std::shared_ptr<const Language>& language, const std::string& text) {
    const CheckResult result = Check(*language, text, Strength::kAccept);
    return std::to_string(result.offset_bytes) + ": " + result.message;
  };
  EXPECT_EQ(said(brackets, "[x([]"),
            "3: '[' opens one too many: no more than 2 brackets may be open");
  EXPECT_EQ(said(brackets, "(x("),
            "2: '(' opens one too many: no more than 1 round brackets may be open");
  EXPECT_EQ(said(blocks, "i\n i\n  i\n   x\n"),
            "12: line 4 opens one too many: no more than 2 blocks may be open");
}

}  // namespace
}  // namespace tenon::constraint
