// What is written for a lexeme is what its terminal's emit pattern says: emit edges and emit
// columns of the shipped grammars against automata of each pattern alone. And what parts lexemes.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/automata/automata.h"
#include "tests/grammars/shipped_language.h"
#include "tests/oracle/seed.h"
#include "tests/source_path.h"

namespace tenon::grammars {
namespace {

using namespace constraint;

class Emission : public testing::TestWithParam<const char*> {
 protected:
  Emission() : language_(ShippedLanguage(GetParam())), random_(oracle::TestSeed()) {
    for (const Terminal& terminal : language_.grammar.terminals) {
      std::optional<Dfa>& form = forms_.emplace_back();
      if (terminal.kind == TerminalKind::kDeclared || terminal.kind == TerminalKind::kPoison ||
          !terminal.emitted)
        continue;
      const bool own = terminal.emit_pattern.empty();
      const std::vector<Regex> patterns = {
          *ParseRegex(own ? terminal.pattern : terminal.emit_pattern,
                      own ? terminal.pattern_flags : terminal.emit_flags)};
      form = *Dfa::Build(patterns);
    }
  }
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  bool IsForm(TerminalId terminal, const std::string& text) const {
    const std::optional<Dfa>& form = forms_[terminal.value];
    if (!form) return false;
    DfaStateId q = kStartState;
    for (const char c : text) {
      q = form->Next(q, static_cast<uint8_t>(c));
      if (q == kDeadState) return false;
    }
    return !form->Accepts(q).empty();
  }

  // May emitted text end as the lexeme?
  static bool MayEnd(const Lexeme& lexeme) {
    if (lexeme.kind == TerminalKind::kPoison) return false;
    if (lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline)
      return !lexeme.emit_terminals.empty();
    return lexeme.not_within != ~ModeMask{0};
  }

  // A byte that `takes`, each of the states that bytes lead to with the same chance; -1: none does.
  template <typename Takes>
  int RandomByte(const Takes& takes) {
    std::vector<std::pair<DfaStateId, int>>
        first;  // of the bytes that lead to a state, one at random
    std::vector<size_t> seen;
    for (int b = 0; b < 256; ++b) {
      const DfaStateId to = takes(static_cast<uint8_t>(b));
      if (to == kDeadState) continue;
      const auto known =
          std::find_if(first.begin(), first.end(), [&](const auto& f) { return f.first == to; });
      if (known == first.end()) {
        first.emplace_back(to, b);
        seen.push_back(1);
      } else if (Below(++seen[static_cast<size_t>(known - first.begin())]) == 0) {
        known->second = b;
      }
    }
    return first.empty() ? -1 : first[Below(first.size())].second;
  }

  const Language& language_;
  std::vector<std::optional<Dfa>> forms_;  // [terminal]
  std::mt19937 random_;
};

TEST_P(Emission, WhatEmitEdgesLeadToAndMayEndThereIsAnEmitForm) {
  const Lexer& lexer = language_.lexer;
  size_t lexemes = 0;
  for (int i = 0; i < 20000; ++i) {
    DfaStateId q = lexer.starts()[Below(lexer.starts().size())];
    std::string text;
    for (size_t length = 1 + Below(24); length > 0; --length) {
      const int b = RandomByte([&](uint8_t byte) {
        return lexer.IsEmitEdge(q, byte) ? lexer.Next(q, byte) : DfaStateId(kDeadState);
      });
      if (b < 0) break;
      text += static_cast<char>(b);
      q = lexer.Next(q, static_cast<uint8_t>(b));
      const LexemeId id = lexer.LexemeAt(q);
      if (id == kNoLexeme || !MayEnd(lexer.lexeme(id))) continue;
      ++lexemes;
      const Lexeme& lexeme = lexer.lexeme(id);
      const auto name = [&](TerminalId t) { return language_.grammar.terminals[t.value].name; };
      if (lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline) {
        for (const SymbolId lr_terminal : lexeme.emit_terminals) {
          const TerminalId t = language_.grammar.lr_terminals[lr_terminal.value].terminal;
          ASSERT_TRUE(IsForm(t, text)) << name(t) << " '" << text << "'";
        }
      } else {
        ASSERT_TRUE(IsForm(lexeme.terminals[0], text))
            << name(lexeme.terminals[0]) << " '" << text << "'";
      }
    }
  }
  EXPECT_GT(lexemes, 1000u);
}

TEST_P(Emission, EveryEmitEdgeLeadsOnToALexemeThatMayEnd) {
  const Lexer& lexer = language_.lexer;
  std::vector<bool> ends(lexer.state_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint16_t s = 0; s < lexer.state_count(); ++s) {
      if (ends[s]) continue;
      const DfaStateId q{s};
      const LexemeId id = lexer.LexemeAt(q);
      const auto next = lexer.Successors(q, true);
      ends[s] =
          (id != kNoLexeme && MayEnd(lexer.lexeme(id))) ||
          std::any_of(next.begin(), next.end(), [&](DfaStateId to) { return ends[to.value]; });
      changed = changed || ends[s];
    }
  }
  for (uint16_t s = 0; s < lexer.state_count(); ++s) {
    for (const DfaStateId to : lexer.Successors(DfaStateId{s}, true))
      EXPECT_TRUE(ends[to.value]) << s;
  }
}

TEST_P(Emission, EveryEmitFormIsWrittenWhereItsTerminalWins) {
  const Lexer& lexer = language_.lexer;
  const Grammar& grammar = language_.grammar;
  size_t written = 0;
  for (uint16_t t = 0; t < forms_.size(); ++t) {
    if (!forms_[t]) continue;
    for (int i = 0; i < 200; ++i) {
      std::string text;
      DfaStateId form = kStartState;
      for (size_t length = 1 + Below(16); length > 0; --length) {
        const int b = RandomByte([&](uint8_t byte) { return forms_[t]->Next(form, byte); });
        if (b < 0) break;
        text += static_cast<char>(b);
        form = forms_[t]->Next(form, static_cast<uint8_t>(b));
        if (forms_[t]->Accepts(form).empty()) continue;
        for (uint8_t m = 0; m < lexer.mode_count(); ++m) {
          const bool read = grammar.modes.empty() ||
                            std::binary_search(grammar.modes[m].terminals.begin(),
                                               grammar.modes[m].terminals.end(), TerminalId{t});
          if (!read) continue;
          bool by_edges = true;
          DfaStateId q = lexer.StartOf(ModeId{m});
          for (const char c : text) {
            by_edges = by_edges && lexer.IsEmitEdge(q, static_cast<uint8_t>(c));
            q = lexer.Next(q, static_cast<uint8_t>(c));
          }
          const Lexeme& lexeme = lexer.lexeme(lexer.LexemeAt(q));
          const bool wins = std::find(lexeme.terminals.begin(), lexeme.terminals.end(),
                                      TerminalId{t}) != lexeme.terminals.end();
          const bool lr_terminals = std::any_of(
              lexeme.given_terminals.begin(), lexeme.given_terminals.end(), [&](SymbolId c) {
                return grammar.lr_terminals[c.value].terminal.value == t &&
                       grammar.lr_terminals[c.value].predicate != kGivenPredicate;
              });
          if (!wins ||
              (!lr_terminals && lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline))
            continue;
          ++written;
          ASSERT_TRUE(by_edges && MayEnd(lexeme))
              << grammar.terminals[t].name << " '" << text << "'";
        }
      }
    }
  }
  EXPECT_GT(written, 500u);
}

// Closing texts are planned behind lexemes after which every terminal may begin. Were a blank none
// of these, no text would be found behind one: `#!` as a poison after any blank once did that.
TEST(Emitted, BlanksPartAnyTwoLexemesInEveryLanguage) {
  size_t grammars = 0;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("grammars"))) {
    if (file.path().extension() != ".lark") continue;
    ++grammars;
    SCOPED_TRACE(file.path());
    const Lexer& lexer = ShippedLanguage(file.path().filename().string()).lexer;
    DfaStateId q = kStartState;
    for (const char c : std::string_view("  ")) q = lexer.Next(q, static_cast<uint8_t>(c));
    ASSERT_NE(q, kDeadState);
    for (const bool emitted : {false, true}) EXPECT_TRUE(lexer.IsSeparable(q, Guards{}, emitted));
  }
  EXPECT_GE(grammars, 10u);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Emission,
                         testing::Values("go.lark", "java.lark", "json.lark", "jsonc.lark",
                                         "python.lark", "sql.lark"),
                         [](const auto& info) {
                           const std::string file = info.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace tenon::grammars
