// Viability and membership at the level of bytes, against every text up to a length: sixteen lexers made by hand, and random ones.
//
// A pair (L, R) that some short valid text shows to be viable must be found viable. A pair that is said to be viable although no text
// within the length bound shows it must be closed by some W: the engine's own closing text (the oracle judges it), else one found by search.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/constraint/gap_questions.h"
#include "tests/oracle/toy_grammar.h"
#include "tests/oracle/toy_lexer.h"

namespace tenon::constraint {
namespace {

using oracle::ToyGrammar;
using oracle::ToyKind;
using oracle::ToyLexer;
using oracle::ToyTerminal;

constexpr ToyKind kTok = ToyKind::kToken, kSkip = ToyKind::kSkip, kPoison = ToyKind::kPoison, kSoft = ToyKind::kSoft;

struct Config {
  std::string name, alphabet;
  std::vector<ToyTerminal> terminals;
  std::string rules;
  size_t text_length, left_length, right_length;
  bool backs_up = false;  // further than the engine allows
};

const std::vector<Config>& HandMade() {
  static const std::vector<Config> configs = {
      {"keyword and word, = and ==",
       "if= ",
       {{"IF", "if", kTok}, {"ID", "[if]+", kTok}, {"EQEQ", "==", kTok}, {"EQ", "=", kTok}, {"WS", " +", kSkip}},
       "S -> ID EQ E | IF E S\nE -> ID | E EQEQ ID",
       8,
       3,
       3},
      {"numbers and dots",
       "0.+a ",
       {{"NUM", "0+(\\.0*)?|\\.0+", kTok},
        {"DOT", "\\.", kTok},
        {"INC", "\\+\\+", kTok},
        {"PLUS", "\\+", kTok},
        {"ID", "a", kTok},
        {"WS", " +", kSkip}},
       "E -> E PLUS T | T\nT -> T DOT ID | INC P | P INC | P\nP -> NUM | ID",
       7,
       3,
       3},
      {"back-up",
       "a.b ",
       {{"AB", "a\\.\\.b", kTok}, {"A", "a", kTok}, {"DOT", "\\.", kTok}, {"B", "b", kTok}, {"WS", " +", kSkip}},
       "S -> A D | AB | S B\nD -> DOT DOT B | DOT A",
       8,
       4,
       3},
      {"poison numbers",
       "0or ",
       {{"OCT", "0o0+", kTok},
        {"BAD", "0+[or]|0+o[or]", kPoison},
        {"NUM", "0+", kTok},
        {"OR", "or", kTok},
        {"ID", "[or]+", kTok},
        {"WS", " +", kSkip}},
       "E -> E OR T | T\nT -> NUM | ID | OCT",
       8,
       3,
       3},
      {"soft keyword",
       "mx: ",
       {{"MATCH", "m", kSoft}, {"ID", "[mx]+", kTok}, {"COL", ":", kTok}, {"WS", " +", kSkip}},
       "S -> MATCH E COL | E\nE -> ID | E COL ID",
       8,
       3,
       3},
      {"strings with escapes",
       "\"\\a+ ",
       {{"STR", "\"([^\"\\\\]|\\\\[\"\\\\a+ ])*\"", kTok, true},
        {"UNT", "\"([^\"\\\\]|\\\\[\"\\\\a+ ])*", kPoison},
        {"ID", "a", kTok},
        {"PLUS", "\\+", kTok},
        {"WS", " +", kSkip}},
       "E -> E PLUS T | T\nT -> STR | ID",
       7,
       3,
       3},
      {"one string", "\"a(", {{"STR", "\"[^\"]*\"", kTok, true}, {"WS", "\\(", kSkip}}, "E -> STR", 7, 3, 3},
      {"comments",
       "/*a\n",
       {{"LC", "//[^\n]*", kSkip, true},
        {"BC", "/\\*([^*]|\\*+[^*/])*\\*+/", kSkip, true},
        {"UNT", "/\\*([^*]|\\*+[^*/])*\\**", kPoison},
        {"DIV", "/", kTok},
        {"MUL", "\\*", kTok},
        {"ID", "a", kTok},
        {"WS", "\n+", kSkip}},
       "E -> E DIV T | E MUL T | T\nT -> ID",
       8,
       3,
       3},
      {"block comments without poison",
       "/*a\n",
       {{"BC", "/\\*([^*]|\\*+[^*/])*\\*+/", kSkip, true},
        {"DIV", "/", kTok},
        {"MUL", "\\*", kTok},
        {"ID", "a", kTok},
        {"WS", "\n+", kSkip}},
       "E -> E DIV T | T\nT -> ID | MUL T",
       8,
       3,
       3,
       true},
      {"triple quotes",
       "\"a+ ",
       {{"TQ", "\"\"\"([^\"]|\"[^\"]|\"\"[^\"])*\"\"\"", kTok, true},
        {"UNT", "\"\"\"([^\"]|\"[^\"]|\"\"[^\"])*\"?\"?", kPoison},
        {"STR", "\"[^\"]*\"", kTok, true},
        {"ID", "a", kTok},
        {"PLUS", "\\+", kTok},
        {"WS", " +", kSkip}},
       "E -> E PLUS T | T\nT -> T STR | STR | TQ | ID",
       9,
       4,
       3},
      {"back-up, two ways",
       "a.b ",
       {{"AB", "a\\.\\.b", kTok}, {"A", "a", kTok}, {"DOT", "\\.", kTok}, {"B", "b", kTok}, {"WS", " +", kSkip}},
       "S -> A DOT DOT B | B AB",
       8,
       4,
       3},
      {"triple quotes that back up",
       "\"a+ ",
       {{"TQ", "\"\"\"([^\"]|\"[^\"]|\"\"[^\"])*\"\"\"", kTok, true},
        {"STR", "\"[^\"]*\"", kTok, true},
        {"ID", "a", kTok},
        {"PLUS", "\\+", kTok},
        {"WS", " +", kSkip}},
       "E -> E PLUS T | T\nT -> T STR | STR | ID | TQ",
       9,
       4,
       3,
       true},
      {"line ends as terminals",
       "a+#\n ",
       {{"NL", "\n", kTok},
        {"LC", "#[^\n]*", kSkip, true},
        {"PLUS", "\\+", kTok},
        {"ID", "a", kTok},
        {"WS", " +", kSkip}},
       "P -> L | P L\nL -> E NL\nE -> ID | E PLUS ID",
       8,
       3,
       3},
      {"calls without blanks",
       "f(),",
       {{"ID", "f", kTok}, {"L", "\\(", kTok}, {"R", "\\)", kTok}, {"C", ",", kTok}},
       "E -> ID | E L R | E L A R\nA -> E | A C E",
       9,
       3,
       3},
      {"no separator",
       "+a",
       {{"INC", "\\+\\+", kTok}, {"PLUS", "\\+", kTok}, {"ID", "a", kTok}},
       "E -> E PLUS T | E INC | T\nT -> PLUS T | ID",
       11,
       4,
       4},
      {"statements",
       "a=;/\n",
       {{"EQEQ", "==", kTok},
        {"EQ", "=", kTok},
        {"LC", "//[^\n]*", kSkip, true},
        {"DIV", "/", kTok},
        {"ID", "a+", kTok},
        {"SC", ";", kTok},
        {"WS", "\n", kSkip}},
       "P -> | P S\nS -> ID EQ E SC | SC\nE -> ID | E EQEQ ID | E DIV ID",
       7,
       3,
       3},
  };
  return configs;
}

class ByteLanguage {
 public:
  explicit ByteLanguage(const Config& config)
      : config_(config), grammar_(config.rules), lexer_(config.alphabet, config.terminals) {
    auto compiled = Language::Compile(grammar_.ToLark() + lexer_.ToLark(grammar_), "bytes.lark");
    if (compiled) {
      language_ = *compiled;
    } else {
      error_ = compiled.error();
    }
  }
  const std::shared_ptr<const Language>& language() const { return language_; }
  const GrammarError& error() const { return error_; }
  const ToyLexer& lexer() const { return lexer_; }
  bool Valid(const std::string& text) const {
    auto lexemes = lexer_.Tokenize(text);
    return lexemes && grammar_.Member(*lexemes);
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
  static std::string Pair(const std::string& left, const std::string& right) { return left + '\0' + right; }
  std::string Describe() const { return grammar_.ToLark() + lexer_.ToLark(grammar_); }
  const Config& config() const { return config_; }

  // Some W of at most `longest` bytes that closes the gap?
  bool Search(const std::string& left, const std::string& right, size_t longest) const {
    for (const std::string& middle : lexer_.AllTexts(longest)) {
      if (Valid(left + middle + right)) return true;
    }
    return false;
  }

 private:
  Config config_;
  ToyGrammar grammar_;
  ToyLexer lexer_;
  std::shared_ptr<const Language> language_;
  GrammarError error_{};
  std::unordered_set<std::string> shown_;
  size_t valid_texts_ = 0;
};

struct Tally {
  size_t pairs = 0, viable = 0, missed = 0, beyond = 0, tried = 0, unconfirmed = 0, wrong_member = 0;
  std::vector<std::string> missed_pairs, other;

  void Add(const Tally& more) {
    pairs += more.pairs;
    viable += more.viable;
    missed += more.missed;
    beyond += more.beyond;
    tried += more.tried;
    unconfirmed += more.unconfirmed;
    wrong_member += more.wrong_member;
  }
  friend std::ostream& operator<<(std::ostream& out, const Tally& t) {
    return out << t.pairs << " pairs, " << t.viable << " viable, missed " << t.missed << ", beyond the length bound "
               << t.beyond << ", of these tried " << t.tried << ", not confirmed " << t.unconfirmed << ", member wrong "
               << t.wrong_member;
  }
};

// `confirm`: is there a W for a claim beyond the bound? Asked for at most `samples` of them.
Tally Compare(ByteLanguage& bytes, std::mt19937& random, size_t samples,
              const std::function<bool(const std::string&, const std::string&)>& confirm) {
  Tally tally;
  const auto& shown = bytes.ShownViable();
  std::vector<std::pair<std::string, std::string>> beyond;
  std::vector<std::string> lefts = bytes.lexer().AllTexts(bytes.config().left_length);
  for (const std::string& right : bytes.lexer().AllTexts(bytes.config().right_length)) {
    GapQuestions questions(bytes.language(), right);
    for (const std::string& left : lefts) {
      ++tally.pairs;
      bool viable = questions.Viable(left);
      bool is_shown = shown.contains(ByteLanguage::Pair(left, right));
      tally.viable += viable;
      if (is_shown && !viable) {
        ++tally.missed;
        tally.missed_pairs.push_back(Shown(left) + " | " + Shown(right));
      }
      if (viable && !is_shown) beyond.emplace_back(left, right);
      if (questions.Member(left) != bytes.Valid(left + right)) {
        ++tally.wrong_member;
        tally.other.push_back("member wrong: " + Shown(left) + " | " + Shown(right));
      }
    }
  }
  tally.beyond = beyond.size();
  std::shuffle(beyond.begin(), beyond.end(), random);
  for (size_t i = 0; i < std::min(samples, beyond.size()); ++i) {
    const auto& [left, right] = beyond[i];
    ++tally.tried;
    auto closing = OpenExact(bytes.language(), left, right).Close();
    if (closing && bytes.Valid(left + closing->text + right)) continue;
    if (closing)
      tally.other.push_back("closing text is wrong: " + Shown(left) + " + " + Shown(closing->text) + " + " +
                            Shown(right));
    if (!closing && confirm(left, right)) continue;
    ++tally.unconfirmed;
    tally.other.push_back("not confirmed: " + Shown(left) + " | " + Shown(right));
  }
  return tally;
}

void Report(const ByteLanguage& bytes, const std::vector<std::string>& wrong) {
  if (wrong.empty()) return;
  std::string listed;
  for (size_t i = 0; i < std::min<size_t>(5, wrong.size()); ++i) listed += wrong[i] + "\n";
  ADD_FAILURE() << bytes.config().name << "\n" << bytes.Describe() << wrong.size() << " disagreements:\n" << listed;
}

TEST(GapLexing, HandMadeLexersAgreeWithTheOracle) {
  std::mt19937 random(20240611);
  Tally all;
  for (const Config& config : HandMade()) {
    ByteLanguage bytes(config);
    if (config.backs_up) {
      ASSERT_FALSE(bytes.language()) << config.name;
      EXPECT_EQ(bytes.error().code, GrammarErrorCode::kMechanism);
      continue;
    }
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString() << "\n" << bytes.Describe();
    Tally tally =
        Compare(bytes, random, 150, [&](const std::string& l, const std::string& r) { return bytes.Search(l, r, 7); });
    std::cout << config.name << ": " << tally << "\n";
    EXPECT_GT(bytes.valid_texts(), 5u) << config.name;
    Report(bytes, tally.other);
    if (bytes.lexer().HasSeparator()) Report(bytes, tally.missed_pairs);
    all.Add(tally);
  }
  EXPECT_GT(all.viable, 10000u);
  std::cout << all << "\n";
}

// Random lexers: three or four terminals over {a, b, c} and a blank, sometimes a poison or an ignored one more.
std::string RandomPattern(std::mt19937& random, int depth = 0) {
  unsigned r = random() % 100;
  if (depth > 2 || r < 45) {
    static const std::vector<std::string> kAtoms{"a", "b", "c", "[ab]", "[bc]", "a", "b", "c", "[^ ]", "[^ c]"};
    return kAtoms[random() % kAtoms.size()];
  }
  // Each part is drawn in a statement of its own: the order of draws must not be the compiler's choice.
  std::string first = RandomPattern(random, depth + 1);
  if (r < 75) return first + RandomPattern(random, depth + 1);
  if (r < 85) return "(" + first + "|" + RandomPattern(random, depth + 1) + ")";
  std::string repeated = "(" + first + ")" + "*+?"[random() % 3];
  return random() % 10 < 7 ? repeated + RandomPattern(random, depth + 1) : repeated;
}

Config RandomConfig(std::mt19937& random) {
  Config config{"random", "abc ", {}, "", 7, 3, 2, false};
  std::vector<std::string> names{"T1", "T2", "T3", "T4"};
  names.resize(random() % 3 == 0 ? 4 : 3);
  for (const std::string& name : names) config.terminals.push_back({name, RandomPattern(random), kTok});
  for (auto [name, kind] : {std::pair("PZ", kPoison), std::pair("CM", kSkip)}) {
    if (random() % 10 >= 3) continue;
    size_t at = random() % config.terminals.size();
    config.terminals.insert(config.terminals.begin() + static_cast<std::ptrdiff_t>(at),
                            {name, RandomPattern(random, 1), kind});
  }
  config.terminals.push_back({"WS", " +", kSkip});
  config.rules = oracle::RandomGrammar(random, names);
  return config;
}

// A terminal that others always take the lexemes of would make the grammar unproductive in a way that no rule shows.
bool EveryTerminalWins(const ByteLanguage& bytes) {
  std::set<std::string> winners;
  for (const std::string& text : bytes.lexer().AllTexts(5)) {
    auto read = bytes.lexer().Tokenize(text);
    if (!read) continue;
    for (const auto& names : *read) winners.insert(names.begin(), names.end());
  }
  return std::all_of(bytes.config().terminals.begin(), bytes.config().terminals.end(),
                     [&](const ToyTerminal& t) { return t.kind != kTok || winners.contains(t.name); });
}

// W made of a blank, whole lexemes with a blank behind each, and loose bytes at both ends.
bool SearchByLexemes(const ByteLanguage& bytes, const std::string& left, const std::string& right) {
  std::map<std::string, std::vector<std::string>> lexemes;
  std::vector<std::string> pieces{""};
  std::vector<std::string> texts = bytes.lexer().AllTexts(5);
  for (const std::string& text : texts) {
    if (text.find(' ') != std::string::npos) continue;
    auto read = bytes.lexer().Tokenize(text);
    if (!read || read->size() != 1 || lexemes[read->at(0)[0]].size() >= 2) continue;
    lexemes[read->at(0)[0]].push_back(text);
    pieces.push_back(text + " ");
  }
  std::vector<std::string> middles;
  for (const std::string& a : pieces) {
    for (const std::string& b : pieces) {
      for (const std::string& c : pieces) middles.push_back(" " + a + b + c);
    }
  }
  std::sort(middles.begin(), middles.end(),
            [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  middles.erase(std::unique(middles.begin(), middles.end()), middles.end());
  std::vector<std::string> ends;
  for (const std::string& text : texts) {
    if (text.size() <= 3 && text.find(' ') == std::string::npos) ends.push_back(text);
  }
  for (const std::string& middle : middles) {
    for (const std::string& first : ends) {
      for (const std::string& last : ends) {
        if (bytes.Valid(left + first + middle + last + right)) return true;
      }
    }
  }
  return bytes.Search(left, right, 7);
}

TEST(GapLexing, RandomLexersAgreeWithTheOracle) {
  constexpr unsigned kSeed = 20240611;
  constexpr size_t kLanguages = 300;
  Tally all;
  size_t used = 0, backing_up = 0, refused = 0;
  for (unsigned seed = kSeed; used < kLanguages && seed < kSeed + 5000; ++seed) {
    std::mt19937 random(seed);
    Config config = RandomConfig(random);
    ToyGrammar grammar(config.rules);
    size_t tokens = static_cast<size_t>(std::count_if(config.terminals.begin(), config.terminals.end(),
                                                      [](const ToyTerminal& t) { return t.kind == kTok; }));
    if (grammar.terminals().size() != tokens) continue;
    ByteLanguage bytes(config);
    if (!bytes.language()) {
      ++(bytes.error().code == GrammarErrorCode::kMechanism ? backing_up : refused);
      continue;
    }
    if (!EveryTerminalWins(bytes)) continue;
    bytes.ShownViable();
    if (bytes.valid_texts() < 20) continue;
    ++used;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Tally tally = Compare(bytes, random, 8,
                          [&](const std::string& l, const std::string& r) { return SearchByLexemes(bytes, l, r); });
    Report(bytes, tally.other);
    Report(bytes, tally.missed_pairs);
    all.Add(tally);
  }
  std::cout << used << " lexers (refused for back-up " << backing_up << ", otherwise " << refused << "): " << all
            << "\n";
  EXPECT_EQ(used, kLanguages);
  EXPECT_GT(all.viable, 5000u);
}

TEST(GapLexing, CheckAgreesWithGapsOpenedBehindTheByte) {
  std::mt19937 random(7);
  size_t refused = 0, accepted = 0;
  for (const Config& config : HandMade()) {
    if (config.backs_up) continue;
    ByteLanguage bytes(config);
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString();
    std::vector<std::string> lefts = bytes.lexer().AllTexts(3), rights = bytes.lexer().AllTexts(2);
    for (int round = 0; round < 60; ++round) {
      std::string left = lefts[random() % lefts.size()], right = rights[random() % rights.size()];
      GapState state = OpenExact(bytes.language(), left, right);
      for (int step = 0; step < 6 && state.viable(); ++step) {
        std::string byte(1, config.alphabet[random() % config.alphabet.size()]);
        GapState fresh = OpenExact(bytes.language(), left + state.middle() + byte, right);
        ASSERT_EQ(state.Check(byte), fresh.viable())
            << config.name << ": " << Shown(left + state.middle()) << " then " << Shown(byte) << " | " << Shown(right);
        ASSERT_EQ(state.Accept(byte), fresh.viable());
        ++(fresh.viable() ? accepted : refused);
        if (fresh.viable()) {
          ASSERT_EQ(state.Member(), fresh.Member());
        }
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(accepted, 100u);
}

TEST(GapLexing, ClosingTextsAreValidAndFoundForNearlyEveryViableGap) {
  std::mt19937 random(11);
  ClosingTally tally;
  std::vector<std::string> open;
  for (const Config& config : HandMade()) {
    if (config.backs_up) continue;
    ByteLanguage bytes(config);
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString();
    std::vector<std::string> lefts = bytes.lexer().AllTexts(3), rights = bytes.lexer().AllTexts(3);
    for (int round = 0; round < 150; ++round) {
      std::string left = lefts[random() % lefts.size()], right = rights[random() % rights.size()];
      GapState state = GapState::Open(bytes.language(), left, right, GapPolicy{.emit = true});
      if (!state.viable()) continue;
      ++tally.viable;
      auto closing = state.Close();
      if (!closing) {
        open.push_back(config.name + ": " + Shown(left) + " | " + Shown(right));
        continue;
      }
      ++tally.closed;
      ASSERT_TRUE(bytes.Valid(left + closing->text + right))
          << config.name << ": " << Shown(left) << " + " << Shown(closing->text) << " + " << Shown(right);
    }
  }
  std::cout << tally.viable << " viable gaps, closed " << tally.share() << "\n";
  for (size_t i = 0; i < std::min<size_t>(20, open.size()); ++i) std::cout << "  no closing text: " << open[i] << "\n";
  EXPECT_GT(tally.viable, 300u);
  EXPECT_GT(tally.share(), 0.98);
}

}  // namespace
}  // namespace tenon::constraint
