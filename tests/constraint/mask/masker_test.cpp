// Masks against a check of every token with the gap engine: hand-made lexers, an indented language,
// letters; with and without a right context, from random contexts on, step by step.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/entry_count.h"
#include "tests/constraint/byte_language.h"
#include "tests/constraint/letter_language.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/short_texts.h"
#include "tests/oracle/toy_layout.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const MaskStore> StoreFor(const std::shared_ptr<const Language>& language,
                                          const std::string& alphabet, size_t longest,
                                          std::mt19937& random) {
  return MaskStore::Build(language, std::make_shared<const TokenVocabulary>(
                                        SmallVocabulary(alphabet, longest, 200, random)));
}

std::string RandomText(const std::string& alphabet, size_t longest, std::mt19937& random) {
  std::string text;
  for (size_t n = random() % (longest + 1); n > 0; --n)
    text += alphabet[random() % alphabet.size()];
  return text;
}

TEST(TokenVocabulary, KeepsTheTokensOfASubtreeTogether) {
  TokenVocabulary vocabulary(std::vector<std::string>{"ab", "", "a", "b", "abc", "ab", "ba"});
  EXPECT_EQ(vocabulary.Bytes(TokenId{4}), "abc");
  ASSERT_EQ(vocabulary.sorted().size(), 6u);
  ASSERT_EQ(vocabulary.node_count(), 5u);  // a ab abc b ba
  std::vector<uint32_t> own, ends;
  for (uint32_t n = 0; n < 5; ++n) {
    own.push_back(vocabulary.OwnTokens(n));
    ends.push_back(vocabulary.nodes()[n].end);
  }
  EXPECT_EQ(own, (std::vector<uint32_t>{1, 2, 1, 1, 1}));
  EXPECT_EQ(ends, (std::vector<uint32_t>{3, 3, 3, 5, 5}));
}

TEST(TokenVocabulary, LeavesOutTokensThatAreTooLong) {
  TokenVocabulary vocabulary(std::vector<std::string>{std::string(kMaxTokenBytes, 'a'),
                                                      std::string(kMaxTokenBytes + 1, 'a')});
  EXPECT_EQ(vocabulary.sorted().size(), 1u);
}

TEST(TokenSetPool, KeepsEqualSetsOnceAndJoinsThem) {
  TokenSetPool pool(5000);
  std::vector<TokenId> few{{7}, {3}, {7}}, same{{3}, {7}}, many, again;
  for (uint32_t t = 0; t < 5000; t += 3) many.push_back({t});
  again.assign(many.rbegin(), many.rend());
  again.insert(again.end(), many.begin(), many.end());
  TokenSetId a = pool.Intern(few), b = pool.Intern(same), c = pool.Intern(many),
             d = pool.Intern(again);
  EXPECT_EQ(a, b);
  EXPECT_EQ(c, d);
  EXPECT_EQ(pool.Count(a), 2u);
  EXPECT_EQ(pool.Count(c), 1667u);
  TokenMask from(5000), into(5000);
  from.Add({3});
  from.Add({4});
  from.Add({6});
  pool.JoinWithin(a, false, from, into);
  EXPECT_TRUE(into.Allows({3}) && !into.Allows({7}) && !into.Allows({4}));
  pool.JoinWithin(c, true, from, into);
  EXPECT_TRUE(into.Allows({4}) && !into.Allows({6}));
  pool.JoinTo(c, into);
  EXPECT_EQ(into.Count(), 1668u);
}

TEST(Mask, EqualsTryingEveryTokenForHandMadeLexers) {
  std::mt19937 random(20261121);
  MaskTally tally;
  for (const ByteConfig& config : HandMadeConfigs()) {
    if (config.backs_up) continue;  // refused, as gap_lexing_test says
    ByteLanguage language(config);
    ASSERT_TRUE(language.language()) << language.error().ToString();
    auto store =
        StoreFor(language.language(), config.alphabet, config.alphabet.size() > 5 ? 2 : 3, random);
    for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i) {
      std::string right = i % 4 == 0 ? "" : RandomText(config.alphabet, 5, random);
      SCOPED_TRACE(config.name);
      FollowMasks(store, language.language(), RandomText(config.alphabet, 4, random), right, 4,
                  random, tally);
    }
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 1000u);
  EXPECT_GT(tally.allowed, 10000u);
}

// Strings, comments and modes that the middle begins and R ends.
TEST(Mask, EqualsTryingEveryTokenAtEverySeam) {
  std::mt19937 random(20261125);
  MaskTally tally;
  const auto follow = [&](const std::shared_ptr<const Language>& language,
                          const std::string& alphabet) {
    auto store = StoreFor(language, alphabet, alphabet.size() > 5 ? 2 : 3, random);
    for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i) {
      for (const Seam seam : {Seam::kLine, Seam::kRest, Seam::kOpen})
        FollowMasks(store, language, RandomText(alphabet, 3, random),
                    RandomText(alphabet, 5, random), 4, random, tally, Scope::kFree, {}, seam);
    }
  };
  for (const ByteConfig& config : DelimitedConfigs()) {
    ByteLanguage language(config);
    ASSERT_TRUE(language.language()) << language.error().ToString();
    SCOPED_TRACE(config.name);
    follow(language.language(), config.alphabet);
  }
  for (const char* alphabet : {"xi\n \"", "xi\n #"}) {
    oracle::ToyLayout toy(alphabet, oracle::ToyBlocks::kFile);
    auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
    ASSERT_TRUE(compiled) << compiled.error().ToString();
    SCOPED_TRACE(alphabet);
    follow(*compiled, alphabet);
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 1000u);
  EXPECT_GT(tally.allowed, 10000u);
}

// `1` may have ended although `1.` begins a longer number; a name may go on behind the dot, another
// dot or digit must not.
TEST(Mask, EqualsTryingEveryTokenWhereAGuardIsAlive) {
  auto compiled = Language::Compile(R"lark(
start: (NUMBER | LONG | DOT | NAME | RANGE)*
NUMBER: /[12]/
LONG: /[12]\.[12]|[12]\.\.\.n/
DOT: /\./
RANGE: /\.\./
NAME: /n+/
WS: / +/
%ignore WS
)lark",
                                    "guards.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  std::mt19937 random(20261126);
  auto store = StoreFor(*compiled, "12.n ", 4, random);
  MaskTally tally;
  size_t guarded = 0;
  for (const char* left : {"1.", "n 2.", "1..", "1. ", "1.n", "1...", "1.1."}) {
    for (const char* right : {"", "n", "1", ".n", " 2.1", "."}) {
      GapState state = OpenGap(*compiled, left, right, GapPolicy{});
      for (const Branch& branch : state.branches()) guarded += !branch.guards.empty();
      FollowMasks(store, *compiled, left, right, 4, random, tally);
    }
  }
  EXPECT_GT(guarded, 10u);
  EXPECT_GT(tally.allowed, 1000u);
}

// Nothing grows with what is asked, only with what is written.
TEST(Mask, NeitherMasksNorChecksLeaveStacksBehind) {
  std::mt19937 random(20261127);
  oracle::ToyLayout toy("xie\n ()#", oracle::ToyBlocks::kFile);
  auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  auto store = StoreFor(*compiled, toy.alphabet(), 3, random);
  size_t asked = 0;
  for (int i = 0; i < 40; ++i) {
    std::string file = toy.RandomFile(random);
    size_t begin = random() % (file.size() + 1), end = begin + random() % (file.size() - begin + 1);
    GapState state =
        OpenGap(*compiled, file.substr(0, begin), i % 2 ? file.substr(end) : "", GapPolicy{});
    Masker masker(store, state);
    masker.Of(state);  // keeps the stacks behind the lexeme in progress
    const size_t stacks = state.shared()->mover().stacks().size();
    for (uint32_t t = 0; t < store->vocabulary().size(); ++t, ++asked)
      if (std::string_view bytes = store->vocabulary().Bytes({t}); !bytes.empty())
        (void)state.Check(bytes);
    Masker(store, state).Of(state);
    EXPECT_EQ(state.shared()->mover().stacks().size(), stacks);
  }
  EXPECT_GT(asked, 1000u);
}

TEST(Mask, AsksAnewOnlyAboutWhatReachesAnotherStackBelow) {
  auto compiled = Language::Compile(R"lark(
start: item*
item: A | "(" item* ")" | "[" item* "]"
A: /a/
)lark",
                                    "brackets.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  std::mt19937 random(20261128);
  auto store = StoreFor(*compiled, "a()[]", 3, random);
  GapState state = OpenGap(*compiled, "[[(", "", GapPolicy{});
  Masker masker(store, state);
  std::vector<size_t> units;
  for (const char* written : {"", "a", ")(", ")(", ")]("}) {
    ASSERT_TRUE(state.Accept(written)) << written;
    const size_t before = masker.statistics().units;
    masker.Of(state);
    units.push_back(masker.statistics().units - before);
  }
  EXPECT_GT(units[0], 10u);
  EXPECT_EQ(units[3], 0u);            // a stack met before
  EXPECT_GT(units[4], 0u);            // below is another one
  EXPECT_LT(2 * units[4], units[0]);  // what does not reach down to it was known
}

// Cut inside a string, most rests of a text are no code: then W goes on with the string and never
// closes it.
TEST(Mask, SaysNothingOpensWhereTheRestIsNoCode) {
  auto compiled = Language::Compile(R"lark(
start: (NAME | STRING)*
NAME: /a+/
STRING: /"[^"]*"/
UNFINISHED: /"[^"]*/
%ignore / +/
%poison UNFINISHED
%delimited STRING
)lark",
                                    "strings.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  const std::vector<std::string> texts = ShortTexts("a\" ", 4);
  // All strings are closed, and each that M opens in M.
  const auto closes = [](const std::string& left, const std::string& middle,
                         const std::string& right) {
    const std::string text = left + middle + right;
    bool open = false;
    size_t opened = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '"') continue;
      open = !open;
      if (open) opened = i;
      if (!open && opened >= left.size() && opened < left.size() + middle.size() &&
          i >= left.size() + middle.size())
        return false;
    }
    return !open;
  };
  std::mt19937 random(20261122);
  auto store = StoreFor(*compiled, "a\" ", 3, random);
  size_t no_code = 0, viable = 0, masks = 0;
  for (const std::string& left : texts) {
    if (left.size() > 2) break;
    for (const std::string& right : texts) {
      if (right.size() > 3) break;
      const GapState open = OpenGap(*compiled, left, right, GapPolicy{});
      const bool no_code_here = !open.shared()->CanStartLexemeBeforeRight();
      no_code += no_code_here;
      for (const std::string& middle : texts) {
        if (middle.size() > 2) break;
        const bool exists = std::any_of(texts.begin(), texts.end(), [&](const std::string& more) {
          return closes(left, middle + more, right);
        });
        GapState state = open;
        ASSERT_EQ(state.viable() && state.Accept(middle), exists)
            << left << '|' << middle << '|' << right;
        viable += exists;
        if (!exists || !middle.empty() || !no_code_here) continue;
        Masker masker(store, state);
        MaskTally tally;
        ASSERT_TRUE(MaskIsExact(masker, state, store->vocabulary(), left + "|" + right, tally));
        masks += tally.masks;
      }
    }
  }
  EXPECT_GT(no_code, 100u);
  EXPECT_GT(viable, 500u);
  EXPECT_GT(masks, 10u);
}

TEST(Mask, EqualsTryingEveryTokenInAnIndentedLanguage) {
  std::mt19937 random(20261122);
  MaskTally tally;
  for (const char* alphabet : {"xi\n ", "xie\n ()#", "xi\n (\\\""}) {
    for (oracle::ToyBlocks blocks : {oracle::ToyBlocks::kFile, oracle::ToyBlocks::kOne}) {
      oracle::ToyLayout toy(alphabet, blocks);
      auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
      ASSERT_TRUE(compiled) << compiled.error().ToString();
      auto store = StoreFor(*compiled, toy.alphabet(), toy.alphabet().size() > 5 ? 2 : 3, random);
      for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i) {
        std::string file = toy.RandomFile(random);
        size_t begin = random() % (file.size() + 1),
               end = begin + random() % (file.size() - begin + 1);
        std::string right = i % 4 == 0 ? "" : file.substr(end);
        SCOPED_TRACE(toy.ToLark());
        Scope scope = i % 3 == 0 ? static_cast<Scope>(random() % 5) : Scope::kFree;
        FollowMasks(store, *compiled, file.substr(0, begin), right, 5, random, tally, scope);
      }
    }
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 500u);
}

TEST(Mask, EqualsTryingEveryTokenForGrammarsWithConflicts) {
  std::mt19937 random(20261123);
  MaskTally tally;
  for (const char* rules : {"S -> S a S | b", "S -> a S b | a S | c",
                            "S -> A B | B A\nA -> a A | a\nB -> b B | a b | c"}) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << letters.refusal();
    std::string alphabet;
    for (const std::string& text : letters.AllTexts(1)) alphabet += text;
    auto store = StoreFor(letters.language(), alphabet, 4, random);
    for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(rules);
      FollowMasks(store, letters.language(), RandomText(alphabet, 4, random),
                  i % 3 == 0 ? "" : RandomText(alphabet, 4, random), 4, random, tally);
    }
  }
  EXPECT_GT(tally.masks, 150u);
}

TEST(Mask, IsTheSameWithoutStreamlining) {
  std::mt19937 random(20261124);
  size_t compared = 0;
  oracle::ToyLayout toy("xie\n ()#", oracle::ToyBlocks::kFile);
  auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  auto vocabulary =
      std::make_shared<const TokenVocabulary>(SmallVocabulary(toy.alphabet(), 2, 300, random));
  std::vector<std::shared_ptr<const MaskStore>> stores;
  for (MaskStoreOptions options :
       {MaskStoreOptions{true, true}, {true, false}, {false, true}, {false, false}})
    stores.push_back(MaskStore::Build(*compiled, vocabulary, options));
  for (int i = 0; i < 60; ++i) {
    std::string file = toy.RandomFile(random);
    size_t begin = random() % (file.size() + 1), end = begin + random() % (file.size() - begin + 1);
    GapState state =
        OpenGap(*compiled, file.substr(0, begin), i % 2 ? file.substr(end) : "", GapPolicy{});
    std::vector<Masker> maskers;
    for (const auto& store : stores) maskers.emplace_back(store, state);
    for (int step = 0; step < 8; ++step) {
      const TokenMask first = maskers[0].Of(state);
      for (size_t m = 1; m < maskers.size(); ++m, ++compared)
        ASSERT_EQ(first, maskers[m].Of(state))
            << "step switched off: " << m << ", middle " << state.middle();
      std::vector<TokenId> allowed;
      for (uint32_t t = 0; t < vocabulary->size(); ++t) {
        if (first.Allows({t})) allowed.push_back({t});
      }
      if (allowed.empty()) break;
      ASSERT_TRUE(state.Accept(vocabulary->Bytes(allowed[random() % allowed.size()])));
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST(Mask, HasFewerEntriesAfterEachStep) {
  std::mt19937 random(20261125);
  oracle::ToyLayout toy("xie\n ()#", oracle::ToyBlocks::kFile);
  auto compiled = Language::Compile(toy.ToLark(), "indented.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  auto counts = CountEntries(*StoreFor(*compiled, toy.alphabet(), 3, random));
  ASSERT_EQ(counts.front().name, "entries_before");
  ASSERT_EQ(counts.back().name, "entries_after");
  for (size_t i = 1; i < counts.size(); ++i)
    EXPECT_LE(counts[i].count, counts[i - 1].count) << counts[i].name;
  EXPECT_GT(counts.back().count, 0u);
  EXPECT_LT(counts.back().count, counts.front().count);
}

TEST(Mask, CountsTheSequencesOfEachState) {
  auto compiled = Language::Compile("start: (A | B)*\nA: \"a\"\nB: \"b\"\n", "letters.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  auto store = MaskStore::Build(
      *compiled, std::make_shared<const TokenVocabulary>(std::vector<std::string>{"a", "ab", "b"}));
  // From the start: (), A. From behind an a: A, A A. From behind a b: B, B A.
  EXPECT_EQ(CountEntries(*store).front().count, 6u);
}

}  // namespace
}  // namespace tenon::constraint
