// The printed grammars of middles in JSON and Python, read again, against membership on samples:
// pieces cut out of real parsers' probes, the piece itself and others in its place.
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "constraint/language/language.h"
#include "constraint/quotient/quotient.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/middle_words.h"
#include "tests/source_path.h"

namespace tenon::grammars {
namespace {

using namespace constraint;  // NOLINT: a test about one namespace

std::string ReadAll(const std::string& path) {
  std::ifstream in(SourcePath(path));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Tally {
  size_t gaps = 0, compared = 0, members = 0, by_columns = 0;
};

Tally Compare(const std::string& name, size_t gaps, unsigned seed) {
  auto compiled = Language::Compile(ReadAll("grammars/" + name + ".lark"), name);
  EXPECT_TRUE(compiled);
  std::vector<std::string> texts;
  for (const auto& probe : nlohmann::json::parse(ReadAll("tests/data/probes/" + name + ".json"))) {
    std::string text = probe["text"];
    if (text.size() < 150 && Check(**compiled, text, Strength::kAccept).valid)
      texts.push_back(std::move(text));
  }
  EXPECT_GT(texts.size(), 50u);
  std::mt19937 random(seed);
  const auto piece = [&](size_t& begin) {
    const std::string& text = texts[random() % texts.size()];
    begin = random() % (text.size() + 1);
    return std::pair(text, std::min<size_t>(text.size() - begin, random() % 14));
  };
  Tally tally;
  for (size_t gap = 0; gap < gaps; ++gap) {
    size_t begin = 0;
    const auto [text, length] = piece(begin);
    const std::string left = text.substr(0, begin), cut = text.substr(begin, length),
                      right = text.substr(begin + length);
    const auto grammar = QuotientGrammar(*compiled, left, right, false);
    if (!grammar) continue;  // inside a character
    ++tally.gaps;
    const PrintedWords printed(*grammar);
    EXPECT_EQ(printed.error(), "") << Shown(left) << " | " << Shown(right);
    MiddleWords words(*grammar);
    std::vector<std::string> middles{cut};
    for (int i = 0; i < 8; ++i) {
      size_t other_begin = 0;
      const auto [other, other_length] = piece(other_begin);
      middles.push_back(other.substr(other_begin, other_length));
      if (!cut.empty()) middles.push_back(std::string(cut).erase(random() % cut.size(), 1));
    }
    for (const std::string& middle : middles) {
      const bool member = Check(**compiled, left + middle + right, Strength::kAccept).valid;
      const auto word = words.Of(left, middle, right);
      if (!word && !member) continue;
      ++tally.compared;
      tally.members += member;
      const bool contained = word && printed.Contains(*word);
      if (contained == member || (!member && word->empty())) continue;
      // Columns are left to the lexer.
      if (!member && (left + middle + right).find('\n') != std::string::npos &&
          (**compiled).layout.has_columns()) {
        ++tally.by_columns;
        continue;
      }
      ADD_FAILURE() << (member ? "missed " : "wrongly ") << Shown(left) << " + " << Shown(middle)
                    << " + " << Shown(right) << (word ? "" : " (no word)");
    }
  }
  std::cout << name << ": " << tally.gaps << " gaps, " << tally.compared << " middles, "
            << tally.members << " members, beyond what columns allow " << tally.by_columns << "\n";
  return tally;
}

TEST(QuotientSamples, JsonAgreesWithMembership) {
  const Tally tally = Compare("json", 300, 7);
  EXPECT_GT(tally.members, 200u);
  EXPECT_GT(tally.compared, tally.members + tally.members / 2);
  EXPECT_EQ(tally.by_columns, 0u);
}

TEST(QuotientSamples, PythonAgreesWithMembershipButForColumns) {
  const Tally tally = Compare("python", 40, 7);
  EXPECT_GT(tally.members, 30u);
  EXPECT_GT(tally.compared, tally.members);
}

}  // namespace
}  // namespace tenon::grammars
