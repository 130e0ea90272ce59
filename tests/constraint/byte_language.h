// Languages over a few bytes for the tests of lexing at a gap: some made by hand, each with what
// must be refused or parted, and the texts that show which pairs of contexts are viable.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <unordered_set>
#include <vector>

#include "constraint/language/language.h"
#include "tests/oracle/toy_grammar.h"
#include "tests/oracle/toy_insertion.h"
#include "tests/oracle/toy_lalr.h"
#include "tests/oracle/toy_lexer.h"

namespace tenon::constraint {

struct ByteConfig {
  std::string name, alphabet;
  std::vector<oracle::ToyTerminal> terminals;
  std::string rules;
  size_t text_length, left_length, right_length;
  bool backs_up = false;  // further than the engine allows
  oracle::ToyLines lines = {};
  std::map<std::string, std::string> fallback = {};
  oracle::ToyModes modes = {};
  oracle::ToySplits splits = {};
  std::string lark_rules = {};  // the same rules, where the dialect says them shorter
};

inline void PrintTo(const ByteConfig& config, std::ostream* out) { *out << config.name; }

// Every one has a mechanism that leaving out a rule of the engine would break.
const std::vector<ByteConfig>& HandMadeConfigs();
// Those whose strings, comments and modes a middle may leave to the right context
// (constraint/lex/seam.h), all of them `%delimited`.
std::vector<ByteConfig> DelimitedConfigs();

class ByteLanguage {
 public:
  explicit ByteLanguage(const ByteConfig& config)
      : config_(config),
        grammar_(config.rules),
        lexer_(config.alphabet, config.terminals, config.lines, config.modes, config.splits) {
    if (!config.lines.inserted.empty())
      insertion_.emplace(grammar_, config.lines.inserted, config.lines.insert_before);
    if (!config.fallback.empty()) lalr_.emplace(grammar_, config.fallback);
    auto compiled = Language::Compile(Describe(), "bytes.lark");
    if (compiled) {
      language_ = *compiled;
    } else {
      error_ = compiled.error();
    }
  }
  const std::shared_ptr<const Language>& language() const { return language_; }
  const GrammarError& error() const { return error_; }
  const oracle::ToyLexer& lexer() const { return lexer_; }
  bool Valid(const std::string& text) const {
    std::vector<oracle::Lexemes> readings = lexer_.Readings(text);
    return std::any_of(readings.begin(), readings.end(), [&](const oracle::Lexemes& lexemes) {
      if (insertion_) return insertion_->Member(lexemes);
      return lalr_ ? lalr_->Member(lexemes) : grammar_.Member(lexemes);
    });
  }
  // The pairs of contexts that valid texts of bounded length show to be viable.
  const std::unordered_set<std::string>& ShownViable() {
    if (!shown_.empty()) return shown_;
    for (const std::string& text : lexer_.AllTexts(config_.text_length)) {
      if (!Valid(text)) continue;
      ++valid_texts_;
      for (size_t i = 0; i <= std::min(config_.left_length, text.size()); ++i) {
        for (size_t j = 0; j <= std::min(config_.right_length, text.size() - i); ++j) {
          shown_.insert(Pair(text.substr(0, i), text.substr(text.size() - j)));
        }
      }
    }
    return shown_;
  }
  size_t valid_texts() const { return valid_texts_; }
  static std::string Pair(const std::string& left, const std::string& right) {
    return left + '\0' + right;
  }
  std::string Describe() const {
    std::string fallback;
    for (const auto& [keyword, name] : config_.fallback)
      fallback += "%fallback " + name + " " + keyword + "\n";
    return (config_.lark_rules.empty() ? grammar_.ToLark() : config_.lark_rules) +
           lexer_.ToLark(grammar_) + fallback;
  }
  const ByteConfig& config() const { return config_; }

  // Some W of at most `longest` bytes that closes the gap?
  bool Search(const std::string& left, const std::string& right, size_t longest) const {
    for (const std::string& middle : lexer_.AllTexts(longest)) {
      if (Valid(left + middle + right)) return true;
    }
    return false;
  }

 private:
  ByteConfig config_;
  oracle::ToyGrammar grammar_;
  oracle::ToyLexer lexer_;
  std::optional<oracle::ToyLalr> lalr_;
  std::optional<oracle::ToyInsertion> insertion_;
  std::shared_ptr<const Language> language_;
  GrammarError error_{};
  std::unordered_set<std::string> shown_;
  size_t valid_texts_ = 0;
};

}  // namespace tenon::constraint
