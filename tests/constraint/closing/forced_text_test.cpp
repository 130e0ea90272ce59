// Forced text against masks of single bytes, and against every text that closes a gap.
#include "constraint/closing/forced_text.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"

#include <iostream>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "constraint/mask/masker.h"
#include "tests/constraint/byte_language.h"
#include "tests/constraint/letter_language.h"

namespace tenon::constraint {
namespace {

std::string RandomText(const std::string& alphabet, size_t longest, std::mt19937& random) {
  std::string text;
  for (size_t n = random() % (longest + 1); n > 0; --n)
    text += alphabet[random() % alphabet.size()];
  return text;
}

struct Tally {
  size_t gaps = 0, forced = 0, bytes = 0, closings = 0;
};

// By masks over the vocabulary of all bytes, each its own token.
class ByteMasks {
 public:
  explicit ByteMasks(std::shared_ptr<const Language> language) : language_(std::move(language)) {
    std::vector<std::string> bytes;
    for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
    store_ = MaskStore::Build(language_, std::make_shared<const TokenVocabulary>(bytes));
  }

  std::set<uint8_t> Alive(const GapState& state) const {
    Masker masker(store_, state);
    const TokenMask& mask = masker.Of(state);
    std::set<uint8_t> alive;
    for (uint32_t b = 0; b < 256; ++b) {
      if (mask.Allows({b})) alive.insert(static_cast<uint8_t>(b));
    }
    return alive;
  }

  std::string Forced(GapState state, size_t most) const {
    std::string forced;
    while (forced.size() < most && !state.Member()) {
      const std::set<uint8_t> alive = Alive(state);
      if (alive.size() != 1) break;
      forced += static_cast<char>(*alive.begin());
      EXPECT_TRUE(state.Accept(forced.substr(forced.size() - 1)));
    }
    return forced;
  }

 private:
  std::shared_ptr<const Language> language_;
  std::shared_ptr<const MaskStore> store_;
};

// Every text of at most `longest` bytes that closes the gap begins with `forced`, or is what it
// begins with: then it would be a member on the way.
void ExpectClosingsBeginWith(const std::string& forced, const GapState& state,
                             const std::string& alphabet, size_t longest, Tally& tally) {
  if (state.Member()) {
    ++tally.closings;
    ASSERT_EQ(state.middle().compare(0, forced.size(), forced), 0)
        << state.middle() << " closes the gap";
  }
  if (longest == 0) return;
  for (char c : alphabet) {
    GapState next = state;
    if (next.Accept(std::string_view(&c, 1)))
      ExpectClosingsBeginWith(forced, next, alphabet, longest - 1, tally);
  }
}

void Compare(const std::shared_ptr<const Language>& language, const std::string& alphabet,
             int rounds, std::mt19937& random, Tally& tally) {
  const ByteMasks masks(language);
  for (int i = 0; i < rounds && !testing::Test::HasFailure(); ++i) {
    const std::string left = RandomText(alphabet, 4, random);
    const std::string right = i % 3 == 0 ? "" : RandomText(alphabet, 4, random);
    const GapState state = OpenGap(language, left, right, {});
    if (!state.viable()) continue;
    ++tally.gaps;
    SCOPED_TRACE("left \"" + left + "\", right \"" + right + "\"");
    const std::string forced = ForcedText(state, 12);
    tally.forced += !forced.empty();
    tally.bytes += forced.size();
    ASSERT_EQ(forced, masks.Forced(state, 12));
    const std::vector<uint8_t> alive = LiveBytes(state, 256);
    EXPECT_EQ(std::set<uint8_t>(alive.begin(), alive.end()), masks.Alive(state));
    EXPECT_EQ(LiveBytes(state, 1).size(), std::min<size_t>(1, alive.size()));
    ExpectClosingsBeginWith(forced, state, alphabet, alphabet.size() > 5 ? 3 : 5, tally);
  }
}

TEST(Forced, IsWhatMasksOfSingleBytesSayForHandMadeLexers) {
  std::mt19937 random(20261121);
  Tally tally;
  for (const ByteConfig& config : HandMadeConfigs()) {
    if (config.backs_up) continue;  // refused, as gap_lexing_test says
    ByteLanguage language(config);
    ASSERT_TRUE(language.language()) << language.error().ToString();
    SCOPED_TRACE(config.name);
    Compare(language.language(), config.alphabet, 60, random, tally);
  }
  for (const char* rules :
       {"S -> X Y Z S W | V", "S -> X A Y\nA -> Z A | W", "S -> X Y X Y S | Z Z"}) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules;
    std::string alphabet;
    for (const std::string& text : letters.AllTexts(1)) alphabet += text;
    SCOPED_TRACE(rules);
    Compare(letters.language(), alphabet, 200, random, tally);
  }
  std::cout << "[ compared ] " << tally.gaps << " gaps, " << tally.forced << " with forced text of "
            << tally.bytes << " bytes, " << tally.closings << " closing texts\n";
  EXPECT_GT(tally.gaps, 300u);
  EXPECT_GT(tally.forced, 60u);
  EXPECT_GT(tally.bytes, 100u);
  EXPECT_GT(tally.closings, 500u);
}

TEST(Forced, IsWhatARegularExpressionLeavesNoChoiceAbout) {
  const auto open = [](const char* regex, const char* left) {
    return OpenGap(*Language::FromRegex(regex), left, "", {});
  };
  EXPECT_EQ(ForcedText(open("abc", ""), 64), "abc");
  EXPECT_EQ(ForcedText(open("abc", "ab"), 64), "c");
  EXPECT_EQ(ForcedText(open("abc", ""), 2), "ab");
  EXPECT_EQ(ForcedText(open("ab(cd)?", ""), 64), "ab");  // it may end there
  EXPECT_EQ(ForcedText(open("ab(c|d)", ""), 64), "ab");
  EXPECT_EQ(ForcedText(open("[0-9]{3}-[0-9]{4}", "555"), 64), "-");
  EXPECT_EQ(ForcedText(open("a*", ""), 64), "");
  EXPECT_TRUE(LiveBytes(open("abc", "abc"), 256).empty());
}

}  // namespace
}  // namespace tenon::constraint
