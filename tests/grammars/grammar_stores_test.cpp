// The mask store of every shipped grammar with a real vocabulary, within bounds of memory and
// processor time. Small texts and small vocabularies do not show a grammar whose store explodes:
// one rule of lexemes can multiply the states in which a token ends.
//
// The store of each grammar is built in a process of its own, so that a limit on its memory ends
// that process and no other.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/mask/mask_store.h"
#include "model/text/text.h"
#include "tests/grammars/shipped_language.h"
#include "tests/model/small_model.h"
#include "tests/source_path.h"
#include "tests/token_ids.h"

namespace tenon::grammars {
namespace {

using constraint::MaskStore;
using constraint::TokenVocabulary;

constexpr size_t kMostStoreBytes = 6'000'000;  // TSX's, the largest, takes half of that
constexpr rlim_t kMostSeconds = 10;            // of a processor; each takes less than one
constexpr rlim_t kMostMemory = 2'000'000'000;

enum Outcome : int { kWithinBounds, kStoreTooLarge, kFailed };

std::shared_ptr<const TokenVocabulary> SmallModelVocabulary() {
  const auto tokenizer = model::OpenTokenizer(model::SmallModelPath());
  std::vector<std::string> bytes;
  for (const TokenId t : AllTokens(tokenizer->size()))
    bytes.emplace_back(tokenizer->IsControl(t) ? std::string_view() : tokenizer->Bytes(t));
  return std::make_shared<const TokenVocabulary>(bytes);
}

void Limit(int resource, rlim_t most) {
  const rlimit limit{most, most + 1};  // a SIGKILL would not tell time from memory
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

[[noreturn]] void BuildStoreWithinLimits(
    const std::shared_ptr<const constraint::Language>& language,
    const std::shared_ptr<const TokenVocabulary>& vocabulary) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve more
  Limit(RLIMIT_AS, kMostMemory);
#endif
  Limit(RLIMIT_CPU, kMostSeconds);
  try {
    const size_t bytes = MaskStore::Build(language, vocabulary)->memory_bytes();
    std::fprintf(stderr, "%s: a store of %zu bytes\n", language->grammar.path.c_str(), bytes);
    _exit(bytes <= kMostStoreBytes ? kWithinBounds : kStoreTooLarge);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", language->grammar.path.c_str(), error.what());
    _exit(kFailed);
  }
}

TEST(GrammarStores, AreBuiltWithinBoundsOfMemoryAndTime) {
  ASSERT_TRUE(std::filesystem::exists(model::SmallModelPath())) << model::kRunSetup;
  const auto vocabulary = SmallModelVocabulary();
  size_t grammars = 0;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("grammars"))) {
    if (file.path().extension() != ".lark") continue;
    ++grammars;
    const std::shared_ptr<const constraint::Language> language(
        std::shared_ptr<void>(), &ShippedLanguage(file.path().filename().string()));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) BuildStoreWithinLimits(language, vocabulary);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status))
        << file.path() << ": ended by signal " << strsignal(WTERMSIG(status))
        << " (SIGXCPU: more than " << kMostSeconds << " s)";
    EXPECT_EQ(WEXITSTATUS(status), kWithinBounds) << file.path();
  }
  EXPECT_GE(grammars, 9u);
}

}  // namespace
}  // namespace tenon::grammars
