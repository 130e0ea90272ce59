// Mask stores through the cache: equal to what was built, and safe whatever the file holds.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/cache/language_cache.h"
#include "constraint/cache/store_archive.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "tests/constraint/mask_questions.h"
#include "tests/server/temporary_folder.h"

namespace tenon::constraint {
namespace {

using server::TemporaryFolder;

struct Sample {
  const char* grammar;
  const char* alphabet;
  const char* left;
};

constexpr Sample kSamples[] = {
    {"start: item (\",\" item)*\nitem: \"if\" NAME | NAME | \"..\" | \"(\" item \")\"\nNAME: "
     "/[a-z]+/\n%ignore / +/\n",
     "if(,). ", "a, ("},
    {"start: line+\nline: \"if\" NAME \":\" NL INDENT line+ DEDENT | NAME \"(\" NAME? \")\" "
     "NL\nNAME: /[a-z]+/\nNL: /\\n/\n"
     "%ignore / +/\n%declare INDENT DEDENT\n%layout newline=NL indent=INDENT dedent=DEDENT "
     "brackets=\"()\"\n",
     "if:( )\n", "if a:\n  b("},
    // What is always legal is so only far from the limit.
    {"start: item*\nitem: \"x\" | \"(\" item* \")\"\n%mode round default\n%push \"(\" round\n%pop "
     "\")\"\n%most 2 \"brackets\" round\n",
     "x()", "(x"},
};

std::shared_ptr<const Language> Compiled(const Sample& sample) {
  auto language = Language::Compile(sample.grammar, "sample.lark");
  EXPECT_TRUE(language.has_value()) << language.error().ToString();
  return language.value_or(nullptr);
}

std::shared_ptr<const TokenVocabulary> VocabularyOf(const Sample& sample, uint32_t seed) {
  std::mt19937 random(seed);
  return std::make_shared<const TokenVocabulary>(SmallVocabulary(sample.alphabet, 3, 100, random));
}

TEST(StoreCache, GivesBackWhatItBuilt) {
  TemporaryFolder folder;
  const LanguageCache cache(folder.path());
  std::mt19937 random(20261121);
  MaskTally tally;
  for (const Sample& sample : kSamples) {
    const auto language = Compiled(sample);
    const auto vocabulary = VocabularyOf(sample, 1);
    const auto built = cache.Store(language, vocabulary);
    EXPECT_FALSE(built.from_disk);
    EXPECT_EQ(built.file_bytes, std::filesystem::file_size(built.file));
    const auto read = cache.Store(language, vocabulary);
    ASSERT_TRUE(read.from_disk);
    EXPECT_EQ(BytesOf(*read.value), BytesOf(*built.value));
    EXPECT_EQ(read.value->shared_language(), language);
    EXPECT_EQ(read.value->most_pushes(), built.value->most_pushes());
    FollowMasks(read.value, language, sample.left, "", 30, random, tally);
    EXPECT_FALSE(cache.Store(language, VocabularyOf(sample, 2)).from_disk) << "another vocabulary";
  }
  EXPECT_GT(tally.masks, 30u);
  EXPECT_EQ(tally.wrong, 0u);
}

TEST(StoreCache, OfALanguageWithoutAGrammarsTextIsNotKept) {
  TemporaryFolder folder;
  const LanguageCache cache(folder.path());
  const auto language = *Language::FromRegex("a+b");
  for (int i = 0; i < 2; ++i) {
    const auto store = cache.Store(language, VocabularyOf(kSamples[0], 1));
    EXPECT_FALSE(store.from_disk);
    EXPECT_TRUE(store.file.empty());
  }
  EXPECT_EQ(cache.Contents().files, 0u);
}

TEST(StoreCache, BytesOfAnotherStoreAreRefused) {
  const auto first = Compiled(kSamples[0]), second = Compiled(kSamples[1]);
  const auto vocabulary = VocabularyOf(kSamples[0], 1);
  const std::string bytes = BytesOf(*MaskStore::Build(first, vocabulary));
  EXPECT_NE(StoreFrom(bytes, first, vocabulary), nullptr);
  EXPECT_EQ(StoreFrom(bytes, second, vocabulary), nullptr) << "another number of lexer states";
  EXPECT_EQ(StoreFrom(bytes, first,
                      std::make_shared<const TokenVocabulary>(std::vector<std::string>{"a"})),
            nullptr);
}

// Bits are flipped behind the checksum's back: what is refused is refused, what is taken must not
// crash.
TEST(StoreCache, BytesOfAnyKindAreSafeToRead) {
  std::mt19937 random(20261121);
  size_t refused = 0, taken = 0;
  for (const Sample& sample : kSamples) {
    const auto language = Compiled(sample);
    const auto vocabulary = VocabularyOf(sample, 1);
    const std::string whole = BytesOf(*MaskStore::Build(language, vocabulary));
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = whole;
      for (size_t flips = 1 + random() % 3; flips > 0; --flips) {
        char& byte = bytes[random() % bytes.size()];
        byte = static_cast<char>(i % 3 == 0   ? random() % 4
                                 : i % 3 == 1 ? 0xff - random() % 4
                                              : byte ^ 1 << random() % 8);
      }
      if (i % 16 == 0) bytes.resize(random() % bytes.size());
      const auto store = StoreFrom(bytes, language, vocabulary);
      ++(store ? taken : refused);
      if (!store || i % 4 != 0) continue;
      GapState state = OpenGap(language, sample.left, "", GapPolicy());
      Masker masker(store, state);
      for (int step = 0; step < 4; ++step) {
        (void)masker.Of(state);
        const auto token =
            vocabulary->Bytes(TokenId{static_cast<uint32_t>(random() % vocabulary->size())});
        (void)state.Accept(token);
      }
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(taken, 500u);
}

}  // namespace
}  // namespace tenon::constraint
