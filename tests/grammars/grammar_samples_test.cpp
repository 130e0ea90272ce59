// Sentences drawn from a shipped grammar's own rules, written out with each terminal's spelling,
// must be accepted: this finds terminals that swallow each other, rules that the lexer can never
// reach, and layout that does not survive the way back.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/reading/reading.h"
#include "tests/grammars/mode_follower.h"
#include "tests/grammars/sentence_sampler.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

using constraint::Grammar;
using constraint::Language;
using constraint::SymbolId;

// A lexeme for terminals that are never written and so have no spelling.
std::string Lexeme(const Language& language, constraint::TerminalId terminal) {
  const std::string& name = language.grammar.terminals[terminal.value].name;
  if (name.starts_with("F_APOSTROPHE")) return "'x";  // alone they would run together
  if (name == "F_QUOTE" || name == "F_QUOTES") return "\"x";
  if (name == "F_SPEC_BACKSLASH" || name == "F_TEXT_BACKSLASH") return "\\n";
  const std::string& spelling = language.lexer.Spelling(terminal);
  if (!spelling.empty()) return spelling;
  const std::string quotes = "\"'";
  if (name.starts_with("FR_BEGIN_"))
    return "fr" + std::string(name.back() > '2' ? 3 : 1, quotes[name.back() % 2]);
  if (name == "F_SPEC_1" || name == "F_SPEC_2") return quotes[name.back() % 2] + std::string("x");
  if (name == "F_SPEC_3" || name == "F_SPEC_4")
    return std::string(3, quotes[name.back() % 2]) + "x";
  if (name == "F_SPEC_ESCAPE") return "\\n";
  if (name == "F_SPEC_NAMED") return "\\N{DIGIT ONE}";
  if (name == "F_SPEC_LINE") return "\n";
  if (name == "BOM") return "\xef\xbb\xbf";
  if (name == "GROUPED_NUMBER") return "1_000";
  if (name == "NEW_NAME") return "\xe9\xbf\xbe";
  if (name == "ODD_IMAGINARY") return "0b7i";
  ADD_FAILURE() << "no lexeme is known for " << name;
  return "";
}

std::string Render(const Language& language, const std::vector<SymbolId>& sentence) {
  const Grammar& grammar = language.grammar;
  std::string text;
  size_t indent = 0;
  bool line_begin = true;
  ModeFollower modes(language);
  for (SymbolId symbol : sentence) {
    const constraint::TerminalId terminal = grammar.lr_terminals[symbol.value].terminal;
    if (grammar.layout && terminal == grammar.layout->newline) {
      text += '\n';
      line_begin = true;
    } else if (grammar.layout && grammar.layout->indent && terminal == *grammar.layout->indent) {
      ++indent;
    } else if (grammar.layout && grammar.layout->dedent && terminal == *grammar.layout->dedent) {
      --indent;
    } else {
      if (line_begin && grammar.layout)
        text += std::string(indent, ' ');
      else if (modes.TakesBlank())
        text += ' ';
      text += Lexeme(language, terminal);
      modes.Follow(terminal);
      line_begin =
          grammar.terminals[terminal.value].name == "BOM";  // the first line begins behind it
    }
  }
  return text;
}

// Several sentences through every rule.
void AcceptsItsOwnSentences(const std::string& file, size_t per_rule) {
  const Language& language = ShippedLanguage(file);
  SentenceSampler sampler(language.grammar, 20250101);
  for (uint32_t rule = 0; rule < language.grammar.rules.size(); ++rule) {
    for (size_t i = 0; i < per_rule; ++i) {
      const std::string text = Render(language, sampler.Through(rule, 5 * i));
      const constraint::CheckResult result = Check(language, text, constraint::Strength::kAccept);
      ASSERT_TRUE(result.valid) << result.message << " at byte " << result.offset_bytes << " of:\n"
                                << text;
    }
  }
}

TEST(PythonSamples, SentencesThroughEveryRuleAreAccepted) {
  AcceptsItsOwnSentences("python.lark", 12);
}

TEST(JsonSamples, SentencesThroughEveryRuleAreAccepted) { AcceptsItsOwnSentences("json.lark", 12); }

TEST(JsoncSamples, SentencesThroughEveryRuleAreAccepted) {
  AcceptsItsOwnSentences("jsonc.lark", 12);
}

TEST(GoSamples, SentencesThroughEveryRuleAreAccepted) { AcceptsItsOwnSentences("go.lark", 6); }

TEST(SqlSamples, SentencesThroughEveryRuleAreAccepted) { AcceptsItsOwnSentences("sql.lark", 6); }

}  // namespace
}  // namespace tenon::grammars
