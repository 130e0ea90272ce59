// Random sentences of the language that tenon writes: exactness_sentences GRAMMAR COUNT SEED.
//
// Derived from the rules that emitted text may use, each sentence through the rule that was used
// least so far; each terminal becomes a random lexeme over emit edges. Blanks are left out at
// random where `Check` still takes the text. One JSON object a line: {"text", "rule", "terminals"};
// the last line is {"rules", "rare"}: rules of the emit grammar, and those that the sentences use
// fewer than 20 times.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/exactness/random_text.h"
#include "tests/grammars/sentence_sampler.h"

namespace tenon::exactness {
namespace {

constexpr int kTries = 8;            // renderings of a sentence before it is given up
constexpr size_t kEnoughUses = 20;   // of a rule
constexpr size_t kLongestPart = 29;  // columns of a rule's part, about

int Run(const std::string& path, size_t count, uint32_t seed) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  auto language = constraint::Language::Compile(text.str(), path);
  if (!language) {
    std::cerr << path << ':' << language.error().line << ": " << language.error().message << '\n';
    return 1;
  }
  const constraint::Grammar grammar = WrittenPart((*language)->grammar);
  grammars::SentenceSampler sampler(grammar, seed);
  TextRenderer renderer(**language, seed);
  std::mt19937 random(seed);
  std::vector<size_t> uses(grammar.rules.size()),
      tries(grammar.rules.size());  // tries: those that gave no sentence
  size_t lost = 0;
  for (size_t i = 0; i < count && !uses.empty(); ++i) {
    uint32_t rule = 0;
    for (uint32_t r = 1; r < uses.size(); ++r) {
      if (uses[r] + tries[r] < uses[rule] + tries[rule]) rule = r;
    }
    // The longer a part, the likelier it holds what no text can: a rule whose sentences are lost is
    // given shorter ones.
    const auto sentence =
        sampler.Through(rule, random() % (1 + kLongestPart / (1 + tries[rule] / 2)));
    std::string written;
    for (int attempt = 0; attempt < kTries && written.empty(); ++attempt) {
      std::string candidate = renderer.Render(sentence, attempt < kTries / 2);
      if (constraint::Check(**language, candidate, constraint::Strength::kEmit).valid)
        written = std::move(candidate);
    }
    if (written.empty()) {
      ++lost;
      ++tries[rule];
      continue;
    }
    for (const uint32_t used : sampler.used()) ++uses[used];
    std::cout
        << nlohmann::json{{"text", written}, {"rule", rule}, {"terminals", sentence.size()}}.dump()
        << '\n';
  }
  nlohmann::json rare = nlohmann::json::array();
  for (uint32_t rule = 0; rule < grammar.rules.size(); ++rule) {
    if (uses[rule] < kEnoughUses) rare.push_back(RuleText(grammar, rule));
  }
  std::cout
      << nlohmann::json{{"rules", grammar.rules.size()}, {"rare", rare}, {"lost", lost}}.dump()
      << '\n';
  return 0;
}

}  // namespace
}  // namespace tenon::exactness

int main(int argc, char** argv) {
  size_t count = 0, seed = 0;
  const auto number = [](const std::string& digits, size_t& value) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
  };
  if (argc != 4 || !number(argv[2], count) || !number(argv[3], seed)) {
    std::cerr << "usage: exactness_sentences GRAMMAR COUNT SEED\n";
    return 2;
  }
  return tenon::exactness::Run(argv[1], count, static_cast<uint32_t>(seed));
}
