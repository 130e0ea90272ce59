// Viability and membership at the level of bytes, against every text up to a length: lexers made by
// hand, and random ones.
//
// A pair (L, R) that some short valid text shows to be viable must be found viable. A pair that is
// said to be viable although no text within the length bound shows it must be closed by some W: the
// engine's own closing text (the oracle judges it), else one found by search.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/byte_language.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/sampled.h"
#include "tests/oracle/toy_grammar.h"
#include "tests/oracle/toy_lexer.h"

namespace tenon::constraint {
namespace {

using oracle::ToyGrammar;
using oracle::ToyKind;
using oracle::ToyLexer;
using oracle::ToyTerminal;

constexpr ToyKind kTok = ToyKind::kToken, kSkip = ToyKind::kSkip, kPoison = ToyKind::kPoison;

struct Tally {
  size_t pairs = 0, viable = 0, missed = 0, beyond = 0, tried = 0, unconfirmed = 0,
         wrong_member = 0;
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
    return out << t.pairs << " pairs, " << t.viable << " viable, missed " << t.missed
               << ", beyond the length bound " << t.beyond << ", of these tried " << t.tried
               << ", not confirmed " << t.unconfirmed << ", member wrong " << t.wrong_member;
  }
};

// `confirm`: is there a W for a claim beyond the bound? Asked for at most `samples` of them.
Tally Compare(ByteLanguage& bytes, std::mt19937& random, size_t samples,
              const std::function<bool(const std::string&, const std::string&)>& confirm) {
  Tally tally;
  const auto& shown = bytes.ShownViable();
  std::vector<std::pair<std::string, std::string>> beyond;
  std::vector<std::string> lefts = bytes.lexer().AllTexts(bytes.config().left_length);
  for (const std::string& right : Sampled(bytes.lexer().AllTexts(bytes.config().right_length))) {
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
  for (size_t i = 0; i < std::min(samples / kEvery, beyond.size()); ++i) {
    const auto& [left, right] = beyond[i];
    ++tally.tried;
    auto closing = FindClosing(OpenExact(bytes.language(), left, right));
    if (closing && bytes.Valid(left + closing->text + right)) continue;
    if (closing)
      tally.other.push_back("closing text is wrong: " + Shown(left) + " + " + Shown(closing->text) +
                            " + " + Shown(right));
    if (!closing && confirm(left, right)) continue;
    ++tally.unconfirmed;
    tally.other.push_back("not confirmed: " + Shown(left) + " | " + Shown(right));
  }
  return tally;
}

// They stay counted.
void EraseUnconfirmed(Tally& tally) {
  std::erase_if(tally.other,
                [](const std::string& what) { return what.starts_with("not confirmed"); });
}

void Report(const ByteLanguage& bytes, const std::vector<std::string>& wrong) {
  if (wrong.empty()) return;
  std::string listed;
  for (size_t i = 0; i < std::min<size_t>(5, wrong.size()); ++i) listed += wrong[i] + "\n";
  ADD_FAILURE() << bytes.config().name << "\n"
                << bytes.Describe() << wrong.size() << " disagreements:\n"
                << listed;
}

class HandMadeLexers : public testing::TestWithParam<ByteConfig> {};

TEST_P(HandMadeLexers, AgreeWithTheOracle) {
  ByteConfig config = GetParam();
  // Shorter texts show fewer pairs, and leave more of them to closing texts.
  while (kEvery > 1 && std::pow(config.alphabet.size(), config.text_length) > 3e4)
    --config.text_length;
  std::mt19937 random(20240611);
  ByteLanguage bytes(config);
  if (config.backs_up) {
    ASSERT_FALSE(bytes.language());
    EXPECT_EQ(bytes.error().code, GrammarErrorCode::kMechanism);
    return;
  }
  ASSERT_TRUE(bytes.language()) << bytes.error().ToString() << "\n" << bytes.Describe();
  Tally tally = Compare(bytes, random, 150, [&](const std::string& l, const std::string& r) {
    return bytes.Search(l, r, 7);
  });
  std::cout << tally << "\n";
  EXPECT_GT(bytes.valid_texts(), 5u);
  EXPECT_GT(tally.viable, 0u);
  if (!config.lines.inserted.empty()) {
    // Some middles that end in an insertion of R's are longer than those searched for: ++a;{{{a+
    // before +}}}.
    EXPECT_LE(tally.unconfirmed * 50, tally.tried);
    EraseUnconfirmed(tally);
  }
  Report(bytes, tally.other);
  if (bytes.lexer().HasSeparator()) Report(bytes, tally.missed_pairs);
}

INSTANTIATE_TEST_SUITE_P(GapLexing, HandMadeLexers, testing::ValuesIn(HandMadeConfigs()));

// Random lexers: three or four terminals over {a, b, c} and a blank, sometimes a poison or an
// ignored one more.
std::string RandomPattern(std::mt19937& random, int depth = 0) {
  unsigned r = random() % 100;
  if (depth > 2 || r < 45) {
    static const std::vector<std::string> kAtoms{"a", "b", "c", "[ab]", "[bc]",
                                                 "a", "b", "c", "[^ ]", "[^ c]"};
    return kAtoms[random() % kAtoms.size()];
  }
  // Each part is drawn in a statement of its own: the order of draws must not be the compiler's
  // choice.
  std::string first = RandomPattern(random, depth + 1);
  if (r < 75) return first + RandomPattern(random, depth + 1);
  if (r < 85) return "(" + first + "|" + RandomPattern(random, depth + 1) + ")";
  std::string repeated = "(" + first + ")" + "*+?"[random() % 3];
  return random() % 10 < 7 ? repeated + RandomPattern(random, depth + 1) : repeated;
}

ByteConfig RandomConfig(std::mt19937& random) {
  ByteConfig config{"random", "abc ", {}, "", 7, 3, 2, false};
  std::vector<std::string> names{"T1", "T2", "T3", "T4"};
  names.resize(random() % 3 == 0 ? 4 : 3);
  for (const std::string& name : names)
    config.terminals.push_back({name, RandomPattern(random), kTok});
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

// A terminal that others always take the lexemes of would make the grammar unproductive in a way
// that no rule shows.
bool EveryTerminalWins(const ByteLanguage& bytes) {
  std::set<std::string> winners;
  for (const std::string& text : bytes.lexer().AllTexts(5)) {
    auto read = bytes.lexer().Tokenize(text);
    if (!read) continue;
    for (const auto& names : *read) winners.insert(names.begin(), names.end());
  }
  return std::all_of(
      bytes.config().terminals.begin(), bytes.config().terminals.end(),
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
  constexpr size_t kLanguages = (300 + kEvery - 1) / kEvery;
  Tally all;
  size_t used = 0, backing_up = 0, refused = 0;
  for (unsigned seed = kSeed; used < kLanguages && seed < kSeed + 5000; ++seed) {
    std::mt19937 random(seed);
    ByteConfig config = RandomConfig(random);
    ToyGrammar grammar(config.rules);
    size_t tokens =
        static_cast<size_t>(std::count_if(config.terminals.begin(), config.terminals.end(),
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
    Tally tally = Compare(bytes, random, 8, [&](const std::string& l, const std::string& r) {
      return SearchByLexemes(bytes, l, r);
    });
    Report(bytes, tally.other);
    Report(bytes, tally.missed_pairs);
    all.Add(tally);
  }
  std::cout << used << " lexers (refused for back-up " << backing_up << ", otherwise " << refused
            << "): " << all << "\n";
  EXPECT_EQ(used, kLanguages);
  EXPECT_GT(all.viable, 5000u / (kEvery * kEvery));
}

const std::vector<ToyTerminal> kStatementTerminals = {{"NL", "\n", ToyKind::kLineEnd},
                                                      {"PLUS", "\\+", kTok},
                                                      {"ID", "a+", kTok},
                                                      {"SC", ";", kTok},
                                                      {"WS", " +", kSkip}};

bool MustCompile(const ByteLanguage& bytes) {
  EXPECT_TRUE(bytes.language()) << bytes.error().ToString() << "\n" << bytes.Describe();
  return bytes.language() != nullptr;
}

// Languages made by chance, and how each is compared.
struct RandomLanguages {
  unsigned first_seed = 0;
  size_t count = 60, samples = 8, longest_middle = 7;
  std::function<std::optional<ByteConfig>(std::mt19937&)> make;  // nothing: this draw is of no use
  std::function<bool(const ByteLanguage&)> usable = MustCompile;
  bool misses_count = true, unconfirmed_count = true;  // else they are for the caller to judge
};

Tally CompareAll(const RandomLanguages& languages) {
  const size_t count = (languages.count + kEvery - 1) / kEvery;
  Tally all;
  size_t used = 0;
  for (unsigned seed = languages.first_seed; used < count && seed < languages.first_seed + 3000;
       ++seed) {
    std::mt19937 random(seed);
    const std::optional<ByteConfig> config = languages.make(random);
    if (!config) continue;
    ByteLanguage bytes(*config);
    if (!languages.usable(bytes)) continue;
    bytes.ShownViable();
    if (bytes.valid_texts() < 20) continue;
    ++used;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Tally tally =
        Compare(bytes, random, languages.samples, [&](const std::string& l, const std::string& r) {
          return bytes.Search(l, r, languages.longest_middle);
        });
    if (!languages.unconfirmed_count) EraseUnconfirmed(tally);
    Report(bytes, tally.other);
    if (languages.misses_count) Report(bytes, tally.missed_pairs);
    all.Add(tally);
  }
  std::cout << used << " languages: " << all << "\n";
  EXPECT_EQ(used, count);
  EXPECT_GT(all.viable, 5000u / (kEvery * kEvery));
  return all;
}

// A random grammar with a random set of terminals behind which a line end is the terminator.
std::optional<ByteConfig> RandomTerminators(std::mt19937& random) {
  ByteConfig config{"random", "a+;\n ", kStatementTerminals, "", 6, 3, 3, false, {"SC", {}}};
  config.rules = oracle::RandomGrammar(random, {"PLUS", "ID", "SC"});
  for (const char* name : {"ID", "PLUS"}) {
    if (random() % 2 == 0) config.lines.after.push_back(name);
  }
  if (config.lines.after.empty() || ToyGrammar(config.rules).terminals().size() != 3)
    return std::nullopt;
  return config;
}

TEST(GapLexing, RandomTerminatorsAgreeWithTheOracle) {
  CompareAll({.first_seed = 77, .make = RandomTerminators});
}

// Random grammars with terminals that stand only behind a line end, or only where there is none.
TEST(GapLexing, RandomConditionsOnLinesAgreeWithTheOracle) {
  CompareAll({.first_seed = 55,
              .longest_middle = 8,
              .make = [](std::mt19937& random) -> std::optional<ByteConfig> {
                ByteConfig config{"random", "a+;\n ", kStatementTerminals, "", 6, 3,
                                  3,        false,    {"", {}, true}};
                config.rules = oracle::RandomGrammar(
                    random, {"PLUS#no_newline", "ID", "SC#newline_before", "PLUS"});
                if (ToyGrammar(config.rules).terminals().size() < 3) return std::nullopt;
                return config;
              },
              // Some ask for no line.
              .usable = [](const ByteLanguage& bytes) { return bytes.language() != nullptr; }});
}

// Random grammars in which a terminal is inserted where the next one does not fit. Viability may
// count on an insertion that only the left side forbids (constraint/language/insertions.h): such
// claims are counted.
TEST(GapLexing, RandomInsertionsAgreeWithTheOracle) {
  const Tally all = CompareAll(
      {.first_seed = 44,
       .count = 40,
       .samples = 12,
       .make = [](std::mt19937& random) -> std::optional<ByteConfig> {
         ByteConfig config{"random", "a+;\n ", kStatementTerminals, "", 6, 3, 3};
         config.lines.remember = true;
         config.lines.inserted = "AUTO";
         if (random() % 2 == 0) config.lines.insert_before = {"PLUS"};
         config.rules = oracle::RandomGrammar(random, {"PLUS", "ID", "Z"}) + "\nZ -> SC | AUTO";
         if (ToyGrammar(config.rules).terminals().size() != 4) return std::nullopt;
         return config;
       },
       // Where stacks fork each has its own insertions, and the oracle knows of one reading.
       .usable =
           [](const ByteLanguage& bytes) {
             return bytes.language() && bytes.language()->table.conflicts().empty();
           },
       .unconfirmed_count = false});
  EXPECT_LE(all.unconfirmed * 50, all.tried);
}

// Random grammars in which a lexeme may be read as two or three terminals.
TEST(GapLexing, RandomSplitsAgreeWithTheOracle) {
  CompareAll({.first_seed = 33,
              .count = 30,
              .make = [](std::mt19937& random) -> std::optional<ByteConfig> {
                ByteConfig config{"random", "a>= ", {}, "", 7, 3, 3};
                config.terminals = {{"SHR", ">>", kTok}, {"GE", ">=", kTok}, {"GT", ">", kTok},
                                    {"EQ", "=", kTok},   {"ID", "a", kTok},  {"WS", " +", kSkip}};
                config.rules = oracle::RandomGrammar(random, {"SHR", "GT", "EQ", "GE", "ID"});
                config.splits = {{"SHR", {{"GT", "GT"}}}};
                if (random() % 2 == 0) config.splits["GE"] = {{"GT", "EQ"}};
                if (ToyGrammar(config.rules).terminals().size() != 5) return std::nullopt;
                return config;
              }});
}

// Random grammars in which a keyword falls back to a name. Viability may miss what it cannot know
// from the right (lr/fallback.h).
TEST(GapLexing, RandomFallbacksAgreeWithTheOracle) {
  const Tally all = CompareAll(
      {.first_seed = 99,
       .make = [](std::mt19937& random) -> std::optional<ByteConfig> {
         ByteConfig config{"random", "ki; ", {}, "", 7, 3, 3, false, {}, {{"K", "ID"}}};
         config.terminals = {
             {"K", "k", kTok}, {"ID", "[ki]+", kTok}, {"SC", ";", kTok}, {"WS", " +", kSkip}};
         config.rules = oracle::RandomGrammar(random, {"K", "ID", "SC"});
         const ToyGrammar grammar(config.rules);
         if (grammar.terminals().size() != 3 || !oracle::ToyLalr::Fits(grammar))
           return std::nullopt;
         return config;
       },
       .misses_count = false});
  EXPECT_LT(all.missed * 20, all.viable);
}

TEST(GapLexing, SplitLexemesAreReadAsTheGrammarSays) {
  auto compiled = Language::Compile(R"lark(
start: (statement ";")+
statement: type NAME | shift
type: NAME ["<" type ("," type)* ">"]
shift: NAME | shift ">>" NAME
NAME: /[a-z]+/
%ignore /[ \n]+/
%split ">>" ">" ">"
)lark",
                                    "types.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  for (const char* text :
       {"a<b<c>>d;", "a<b<c> >d;", "a<b<c<d>>>e;", "a>>b;", "a<b,c<d>>e;a>>b;"}) {
    EXPECT_TRUE(Check(**compiled, text, Strength::kAccept).valid) << text;
    EXPECT_TRUE(Check(**compiled, text, Strength::kEmit).valid) << text;
  }
  for (const char* text : {"a> >b;", "a<b>>c;", "a<b>c>>d;", "a<b<c>d;", "a<b<c>>>d;"})
    EXPECT_FALSE(Check(**compiled, text, Strength::kAccept).valid) << text;
  GapState state = OpenGap(*compiled, "a<b<c", "d;", GapPolicy{});
  for (const char* next : {">", ">>", "> >", ">> "}) EXPECT_TRUE(state.Check(next)) << next;
  for (const char* next : {">>>", ">>>>", "> > >", ";"}) EXPECT_FALSE(state.Check(next)) << next;
  EXPECT_TRUE(OpenGap(*compiled, "a<b<c>", ">d;", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(*compiled, "a<b<", ">>d;", GapPolicy{}).viable());
  EXPECT_FALSE(OpenGap(*compiled, "a<b", "c>>d;", GapPolicy{}).Member());
  auto closing = FindClosing(OpenGap(*compiled, "a<b<c<", "d>>e;", GapPolicy{}));
  ASSERT_TRUE(closing);
  EXPECT_TRUE(Check(**compiled, "a<b<c<" + closing->text + "d>>e;", Strength::kAccept).valid)
      << closing->text;
}

// Words of a plan vanish in a comment that goes on: it is found out once, not once for each way to
// write the words.
TEST(GapLexing, AClosingTextIsFoundBehindACommentInManyBrackets) {
  auto compiled = Language::Compile(
      "start: \"[\" [start] \"]\"\nBLANK: /[ \\n]+/\nCOMMENT: /#[^\\n]*/\n%ignore BLANK\n%ignore "
      "COMMENT\n",
      "brackets.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  const std::string brackets(200, '[');
  const auto closing = FindClosing(OpenGap(*compiled, brackets + "# x", "", GapPolicy{}));
  ASSERT_TRUE(closing);
  EXPECT_EQ(std::count(closing->text.begin(), closing->text.end(), ']'), 200);
  GapState state = OpenGap(*compiled, brackets + "# x", "", GapPolicy{});
  EXPECT_TRUE(state.Accept(closing->text) && state.Member()) << closing->text;
}

TEST(GapLexing, CheckAgreesWithGapsOpenedBehindTheByte) {
  std::mt19937 random(7);
  size_t refused = 0, accepted = 0;
  for (const ByteConfig& config : HandMadeConfigs()) {
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
            << config.name << ": " << Shown(left + state.middle()) << " then " << Shown(byte)
            << " | " << Shown(right);
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

// Closes random gaps of a language, and checks each closing text. Gaps without one are shown.
void CloseGaps(const ByteLanguage& bytes, const std::string& name, std::mt19937& random,
               size_t rounds, ClosingTally& tally) {
  std::vector<std::string> lefts = bytes.lexer().AllTexts(3), rights = bytes.lexer().AllTexts(3);
  for (size_t round = 0; round < rounds; ++round) {
    std::string left = lefts[random() % lefts.size()], right = rights[random() % rights.size()];
    GapState state = OpenGap(bytes.language(), left, right, GapPolicy{.emit = true});
    if (!state.viable()) continue;
    ++tally.viable;
    auto closing = FindClosing(state);
    if (!closing) {
      if (tally.viable - tally.closed <= 20)
        std::cout << "  no closing text: " << name << ": " << Shown(left) << " | " << Shown(right)
                  << "\n";
      continue;
    }
    ++tally.closed;
    ASSERT_TRUE(bytes.Valid(left + closing->text + right))
        << name << ": " << Shown(left) << " + " << Shown(closing->text) << " + " << Shown(right);
  }
}

TEST(GapLexing, ClosingTextsAreValidAndFoundForNearlyEveryViableGap) {
  std::mt19937 random(11);
  ClosingTally tally;
  for (const ByteConfig& config : HandMadeConfigs()) {
    if (config.backs_up) continue;
    ByteLanguage bytes(config);
    ASSERT_TRUE(bytes.language()) << bytes.error().ToString();
    CloseGaps(bytes, config.name, random, 150, tally);
  }
  std::cout << tally.viable << " viable gaps, closed " << tally.share() << "\n";
  EXPECT_GT(tally.viable, 300u);
  EXPECT_GT(tally.share(), 0.98);
}

TEST(GapLexing, ClosingTextsAreFoundForNearlyEveryViableGapWithTerminators) {
  std::mt19937 random(12);
  ClosingTally tally;
  for (unsigned seed = 77, used = 0; used < 60; ++seed) {
    std::mt19937 drawn(seed);
    const std::optional<ByteConfig> config = RandomTerminators(drawn);
    if (!config) continue;
    ByteLanguage bytes(*config);
    if (!MustCompile(bytes)) return;
    ++used;
    CloseGaps(bytes, "seed " + std::to_string(seed), random, 60, tally);
  }
  std::cout << tally.viable << " viable gaps, closed " << tally.share() << "\n";
  EXPECT_GT(tally.viable, 300u);
  EXPECT_GT(tally.share(), 0.98);
}

// Go's lists: behind an element a comma is written where a `}` follows on the next line, since the
// line end would be a `;`; where it follows on the same line, nothing is.
TEST(GapLexing, AClosingTextEndsWhereTheLineEndOfRIsReadAsItMust) {
  auto compiled = Language::Compile(R"lark(
start: (statement ";")+
statement: NAME "{" [list [","]] "}" | NAME "=" NAME ("+" NAME)*
list: NAME | list "," NAME
NAME: /[a-z]+/
LINE_END: /\n/
%ignore / +/
%terminator ";" at LINE_END after NAME "}"
)lark",
                                    "lists.lark");
  ASSERT_TRUE(compiled) << compiled.error().ToString();
  struct Case {
    const char *left, *right, *closing;
  };
  for (const auto& [left, right, closing] :
       {Case{"x{\n a,\n b", "\n}\n", ","}, Case{"x{\n a,\n b", "}\n", ""},
        Case{"x{\n a,\n ", "\n}\n", ""}, Case{"x{\n a,\n b", "\n c,\n}\n", ","},
        Case{"x = ", "\ny = z\n", "a"}, Case{"x = a +", "\ny = z\n", "a"}, Case{"x", "\n}\n", "{"},
        Case{"x", "a\ny{}\n", "="}}) {
    const auto found = FindClosing(OpenGap(*compiled, left, right, GapPolicy{}));
    ASSERT_TRUE(found) << Shown(left) << " | " << Shown(right);
    EXPECT_EQ(found->text, closing) << Shown(left) << " | " << Shown(right);
  }
}

}  // namespace
}  // namespace tenon::constraint
