#include "constraint/grammar/notes.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

// `notes`: the beginnings of the notes, in the order of the file.
struct NoteCase {
  std::string_view text;
  std::vector<std::string> notes;
};

void PrintTo(const NoteCase& c, std::ostream* out) { *out << c.text; }

class GrammarNotes : public testing::TestWithParam<NoteCase> {};

TEST_P(GrammarNotes, NamePlaceAndRemedy) {
  std::vector<GrammarNote> notes;
  const auto grammar = ReadGrammar(GetParam().text, "g.lark", &notes);
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  std::vector<std::string> said;
  for (const GrammarNote& note : notes) {
    const std::string what = note.message.substr(0, note.message.find(':'));
    said.push_back(std::to_string(note.line) + ":" + std::to_string(note.column) + " " + what);
    EXPECT_NE(note.message.find("; "), std::string::npos) << "no remedy: " << note.message;
  }
  EXPECT_EQ(said, GetParam().notes);
}

INSTANTIATE_TEST_SUITE_P(
    Table, GrammarNotes,
    testing::Values(NoteCase{"start: \"a\" start | \"b\"\n", {}},
                    NoteCase{"start: start start | \"b\"\n", {}},
                    NoteCase{"start: start | \"b\"\n",
                             {"1:1 the rule 'start' derives itself and nothing more"}},
                    NoteCase{"start: x\nx: y | \"b\"\n\ny: x \"c\" | x\n",
                             {"2:1 the rule 'x' derives itself and nothing more",
                              "4:1 the rule 'y' derives itself and nothing more"}},
                    // A left-recursive loop through what may be empty.
                    NoteCase{"start: x start | \"b\"\nx: | \"c\"\n",
                             {"1:1 the rule 'start' derives itself and nothing more"}},
                    NoteCase{"start: x\nx: | x x | \"b\"\n",
                             {"2:1 the rule 'x' derives itself and nothing more"}},
                    NoteCase{"start: x | \"b\"\nx: A | \"c\"#given\nA: \"a\"\n%emit A never\n",
                             {"2:1 the rule 'x' is accepted but never written"}}));

// As long as a chain of rules is, its cost is linear.
TEST(GrammarNotes, AreFoundInALongChainOfRules) {
  constexpr int kRules = 20000;
  std::string text = "start: r0\n";
  for (int i = 0; i + 1 < kRules; ++i)
    text += "r" + std::to_string(i) + ": r" + std::to_string(i + 1) + " | \"a\"\n";
  const std::string last = "r" + std::to_string(kRules - 1);
  text += last + ": " + last + " | \"b\"\n";
  std::vector<GrammarNote> notes;
  const auto grammar = ReadGrammar(text, "g.lark", &notes);
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].line, static_cast<uint32_t>(kRules) + 1);
}

}  // namespace
}  // namespace tenon::constraint
