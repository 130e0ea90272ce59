// Predicates that follow the context: turned on and off by rules, restored where a rule ends, asked
// of what is written alone; and levels, which hold for the whole text. The oracle is a reader of
// its own for each toy language.
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/mask_questions.h"

namespace tenon::constraint {
namespace {

// f{...} is a function, l{...} a loop with perhaps another body {...} behind it that is none,
// c{...} a class; r leaves a function, b a loop; s is any statement.
constexpr char kBlocks[] = R"lark(
start: statement*
statement: "s" | "r"#in_function | "b"#in_loop
         | "f" function | "l" loop | "c" class
function: "{" body#+in_function#-in_loop "}"
loop: "{" body#+in_loop "}" ["{" body "}"]
class: "{" body#-in_function#-in_loop "}"
body: statement+
BLANKS: / +/
%ignore BLANKS
)lark";
constexpr char kAlphabet[] = "srbflc{} ";

std::shared_ptr<const Language> Compiled(const std::string& text) {
  auto compiled = Language::Compile(text, "context.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// Reads kBlocks by recursive descent. What lies in [begin, end) is written, the rest given.
class BlockReader {
 public:
  BlockReader(std::string_view text, size_t begin, size_t end)
      : text_(text), begin_(begin), end_(end) {}
  bool Valid() { return Statements(false, false) && at_ == text_.size(); }

 private:
  void Skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Written() const { return at_ >= begin_ && at_ < end_; }
  // False: an error; stops before a '}' or at the end.
  bool Statements(bool in_function, bool in_loop) {
    for (Skip(); at_ < text_.size() && text_[at_] != '}'; Skip()) {
      const char c = text_[at_];
      if (c == 'r' && Written() && !in_function) return false;
      if (c == 'b' && Written() && !in_loop) return false;
      if (std::string_view("srbflc").find(c) == std::string_view::npos) return false;
      ++at_;
      if (c != 'f' && c != 'l' && c != 'c') continue;
      Skip();
      if (at_ == text_.size() || text_[at_] != '{') return false;
      ++at_;
      if (!Body(c == 'f' || (c == 'l' && in_function), c == 'l')) return false;
      Skip();
      if (c != 'l' || at_ == text_.size() || text_[at_] != '{') continue;
      ++at_;
      if (!Body(in_function, in_loop)) return false;
    }
    return true;
  }
  // Statements, at least one, and the '}' behind them.
  bool Body(bool in_function, bool in_loop) {
    Skip();
    if (at_ == text_.size() || text_[at_] == '}' || !Statements(in_function, in_loop) ||
        at_ == text_.size())
      return false;
    ++at_;
    return true;
  }
  std::string_view text_;
  size_t begin_, end_, at_ = 0;
};

std::string RandomText(size_t longest, std::mt19937& random) {
  static constexpr std::string_view kLikely = "ssrbf{l{c{}} ";
  std::string text;
  for (size_t n = random() % (longest + 1); n > 0; --n) text += kLikely[random() % kLikely.size()];
  return text;
}

// Statements of kBlocks, valid as given text.
std::string RandomStatements(int depth, std::mt19937& random) {
  std::string text;
  for (size_t n = 1 + random() % 2; n > 0; --n) {
    const char c = "srbflc"[random() % (depth > 0 ? 6 : 3)];
    text += c;
    if (c == 'f' || c == 'l' || c == 'c') text += "{" + RandomStatements(depth - 1, random) + "}";
    if (c == 'l' && random() % 2 == 0) text += "{" + RandomStatements(depth - 1, random) + "}";
  }
  return text;
}

// The left and the right of a random cut.
std::pair<std::string, std::string> RandomGap(std::mt19937& random) {
  if (random() % 4 == 0) return {RandomText(6, random), RandomText(5, random)};
  const std::string text = RandomStatements(3, random);
  const size_t begin = random() % (text.size() + 1),
               end = begin + random() % (text.size() - begin + 1);
  return {text.substr(0, begin), text.substr(end)};
}

// Some middle of at most `longest` bytes that closes the gap behind `middle`, by the oracle.
bool Search(const std::string& left, const std::string& middle, const std::string& right,
            size_t longest) {
  std::string text = left + middle + right;
  if (BlockReader(text, left.size(), left.size() + middle.size()).Valid()) return true;
  if (longest == 0) return false;
  for (const char* c = kAlphabet; *c; ++c) {
    if (*c != ' ' && Search(left, middle + *c, right, longest - 1)) return true;
  }
  return false;
}

TEST(GapContext, AWrittenTerminalNeedsItsPredicateAGivenOneDoesNot) {
  auto language = Compiled(kBlocks);
  auto fits = [&](const std::string& left, const std::string& middle, const std::string& right) {
    GapState state = OpenGap(language, left, right, {});
    return state.Accept(middle) && state.Member();
  };
  EXPECT_TRUE(fits("f{", "r", "}"));
  EXPECT_FALSE(fits("", "r", ""));
  EXPECT_TRUE(fits("r", "s", "r"));
  EXPECT_FALSE(fits("f{c{", "r", "}}"));
  EXPECT_TRUE(fits("f{c{s}", "r", "}"));  // the class has ended
  EXPECT_TRUE(fits("f{l{", "rb", "}}"));
  EXPECT_FALSE(fits("l{f{", "b", "}}"));
  EXPECT_FALSE(fits("f{s}", "r", ""));
  EXPECT_TRUE(fits("l{b}{", "s", "}"));
  EXPECT_FALSE(fits("l{b}{", "b", "}"));
  EXPECT_TRUE(fits("l{l{b}{", "b", "}}"));
  EXPECT_TRUE(fits("", "f{r}", ""));
}

TEST(GapContext, MembersAndViabilityAreThoseOfARecursiveReader) {
  auto language = Compiled(kBlocks);
  std::mt19937 random(20261121);
  size_t members = 0, viable = 0, dead = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto [left, right] = RandomGap(random);
    GapState state = OpenGap(language, left, right, {});
    std::string middle;
    for (int step = 0; step < 4 && state.viable(); ++step) {
      const char next = kAlphabet[random() % (sizeof kAlphabet - 1)];
      const std::string longer = middle + next;
      const bool shown = Search(left, longer, right, 4);
      GapState forked = state;
      const bool accepted = forked.Accept(std::string(1, next));
      ASSERT_LE(shown, accepted) << left << " | " << longer << " | " << right;
      if (!accepted) {
        ++dead;
        continue;
      }
      ASSERT_EQ(
          forked.Member(),
          BlockReader(left + longer + right, left.size(), left.size() + longer.size()).Valid())
          << left << " | " << longer << " | " << right;
      const auto closing = FindClosing(forked);
      ASSERT_TRUE(closing) << left << " | " << longer << " | " << right;
      members += forked.Member();
      ++viable;
      state = forked;
      middle = longer;
    }
  }
  std::cout << "[ compared ] " << viable << " viable, " << members << " members, " << dead
            << " refused\n";
  EXPECT_GT(members, 100u);
  EXPECT_GT(dead, 300u);
}

TEST(GapContext, MasksAreWhatTryingEveryTokenSays) {
  auto language = Compiled(kBlocks);
  std::mt19937 random(20261122);
  auto store = MaskStore::Build(language, std::make_shared<const TokenVocabulary>(
                                              SmallVocabulary(kAlphabet, 2, 300, random)));
  MaskTally tally;
  for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) {
    const auto [left, right] = RandomGap(random);
    FollowMasks(store, language, left, i % 3 == 0 ? "" : right, 5, random, tally);
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 400u);
}

TEST(GapContext, ALevelHoldsForTheWholeTextAndIsRaisedByWhatTheLeftUses) {
  auto language = Compiled(R"lark(
start: item+
item: "a" | "m"#since_2 | "n"#since_3
%levels since_2 since_3
)lark");
  auto writes = [&](const std::string& left, const std::string& middle, PredicateBits levels) {
    GapPolicy policy;
    policy.levels = levels;
    GapState state = OpenGap(language, left, "a", policy);
    return state.Accept(middle) && state.Member();
  };
  const PredicateBits second = language->grammar.LevelsUpTo("since_2").value();
  const PredicateBits third = language->grammar.LevelsUpTo("since_3").value();
  EXPECT_NE(language->grammar.LevelsUpTo("since_4").error().find("since_2, since_3"),
            std::string::npos);
  EXPECT_FALSE(writes("a", "m", 0));
  EXPECT_TRUE(writes("a", "m", second));
  EXPECT_FALSE(writes("a", "n", second));
  EXPECT_TRUE(writes("a", "mn", third));
  EXPECT_TRUE(writes("am", "m", 0));
  EXPECT_FALSE(writes("am", "n", 0));
  EXPECT_TRUE(writes("an", "m", 0));  // the later level has the earlier one
  EXPECT_TRUE(Check(*language, "amn", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "amn", Strength::kEmit).valid);
  EXPECT_TRUE(Check(*language, "amn", Strength::kEmit, third).valid);
}

TEST(GapContext, RefusesAChangeThatTheParserCannotTell) {
  auto refused = [](const std::string& text, const std::string& words) {
    auto compiled = Language::Compile(text, "context.lark");
    ASSERT_FALSE(compiled) << text;
    EXPECT_NE(compiled.error().ToString().find(words), std::string::npos)
        << compiled.error().ToString();
  };
  refused("start: \"a\" body#+p \"x\" | \"a\" other \"y\"\nbody: \"r\"#p\nother: \"r\"\n",
          "cannot tell whether the context");
  refused("start: body#+p \"x\" | \"y\"\nbody: \"b\" \"r\"#p\n", "cannot tell whether the context");
  refused("start: \"a\" body#+p\nbody: \"b\"\n", "no terminal asks for the predicate 'p'");
  refused("start: \"a\" \"r\"#p | \"b\"\n", "nothing turns the predicate 'p' on");
  refused("start: \"a\"#+p\n", "behind a rule's name only");
  refused("start: \"a\" body#+p#-p\nbody: \"b\"#p | \"c\"\n", "changed twice");
  refused("start: \"a\" body#+given\nbody: \"b\" | \"c\"#given\n",
          "'given' is no matter of context");
  refused("start: \"a\" | \"b\"#p\n%levels p q\n", "no terminal asks for the level");
  refused("start: \"a\" body#+p\nbody: \"b\"#p | \"c\"\n%levels p\n",
          "a level holds for the whole text");
}

}  // namespace
}  // namespace tenon::constraint
