// Languages through the cache: equal to what was compiled, and safe whatever the file holds.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "constraint/cache/language_archive.h"
#include "constraint/cache/language_cache.h"
#include "constraint/cache/soundness.h"
#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/sampled.h"
#include "tests/server/temporary_folder.h"

namespace tenon::constraint {
namespace {

using server::TemporaryFolder;

struct Sample {
  const char* grammar;
  const char* text;
};

// Together they use every field of a grammar.
constexpr Sample kSamples[] = {
    {"start: list\nlist: \"[\" [item (\",\" item)*] \",\"#given? \"]\"\nitem: NUMBER | NAME | "
     "list\nNUMBER: /[0-9]+/\n"
     "NAME: /[a-z]+/\nBAD: /[0-9]+[a-z]/\n%poison BAD\n%ignore / +/\n%spell NAME \"x\"\n%describe "
     "NAME \"a name\"\n",
     "[1, [ab,2 ], c]"},
    {"start: line+\nline: \"if\" NAME \":\" NL INDENT line+ DEDENT | NAME \"(\" NAME? \")\" "
     "NL\nNAME: /[a-z]+/\n"
     "NL: /\\r?\\n/\nCOMMENT: /#[^\\n]*/\n%delimited COMMENT\n%ignore COMMENT\n%ignore /[ "
     "\\t]+/\n%declare INDENT DEDENT\n"
     "%layout newline=NL indent=INDENT dedent=DEDENT brackets=\"()\"\n",
     "if a:\n  b(c)\n  # d\n  e()\nf(\n)\n"},
    {"start: (stmt END)*\nstmt: NAME \"=\" NAME | NAME\nNAME: /[a-z]+/\nEND: \";\"\nNL: "
     "/\\n/\n%ignore / +/\n"
     "%terminator END at NL after NAME\n",
     "a = b\nc; d\n"},
    {"start: stmt*\nstmt: KEY name \";\" | name \"=\" name \";\"\nname: NAME\nKEY: \"key\"\nNAME: "
     "/[a-z]+/\n"
     "%fallback NAME KEY\n%ignore /\\s+/\n",
     "key a; b = c;"},
    {"start: (expression \";\")+\nexpression: NAME | NAME \"++\"#no_newline | \"++\" NAME\nNAME: "
     "/[a-z]+/\nNL: /\\n/\n"
     "%ignore / +/\n%line_ends NL\n",
     "a++; ++\nb; c\n;"},
    {"start: (NAME \"=\" NAME (\";\" | END))*\nNAME: /[a-z]+/\nNL: /\\n/\n%ignore / +/\n%line_ends "
     "NL\n%declare END\n%insert END\n",
     "a = b\nc = d; e = f\n"},
    {"start: NAME*\nNAME: /[a-z]+/\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n%ignore /[ "
     "\\n]+/\n%encoding /# coding:/i /[-\\w]+/\n%charset \"UTF-8\" \"utf_8 utf_8_*\" "
     "with_mark\n%charset \"ISO-8859-1\" \"latin_1\"\n",
     "# coding:utf-8\na b\n"},
    {"start: (\"new\" NAME#new_thing \";\" | \"use\" (NAME#thing | NUMBER) \";\" | \"{\" | "
     "\"}\")*\nNAME: /[a-z]+/\n"
     "NUMBER: /[0-9]+/\n%ignore / +/\n%names thing within \"{\" \"}\"\n%most 3 \"digits\" /[0-9]/ "
     "in NUMBER\n",
     "new a; { new bc; use bc; use 123; } use a; use 12;"},
};

std::shared_ptr<const Language> Compiled(const char* grammar) {
  auto language = Language::Compile(grammar, "sample.lark");
  EXPECT_TRUE(language.has_value()) << language.error().ToString() << " in\n" << grammar;
  return language ? *language : nullptr;
}

// What the language says about a text and about every gap in it, as one line each.
std::vector<std::string> Answers(const std::shared_ptr<const Language>& language,
                                 const std::string& text) {
  std::vector<std::string> answers;
  for (const Strength strength : {Strength::kAccept, Strength::kEmit}) {
    const CheckResult result = Check(*language, text, strength);
    answers.push_back(std::to_string(result.valid) + " " + std::to_string(result.offset_bytes) +
                      " " + result.message);
  }
  for (size_t begin = 0; begin <= text.size(); ++begin) {
    const size_t end = std::min(text.size(), begin + begin % 5);
    const GapState state = OpenGap(language, text.substr(0, begin), text.substr(end), GapPolicy());
    std::string answer = std::to_string(begin) + (state.viable() ? " viable" : " no");
    if (state.viable()) {
      if (state.Member()) answer += " member";
      for (const std::string& name : state.Expected()) answer += " " + name;
      if (const auto closing = FindClosing(state)) answer += " closes by " + closing->text;
    }
    answers.push_back(answer);
  }
  return answers;
}

TEST(LanguageCache, GivesBackWhatItCompiled) {
  TemporaryFolder folder;
  std::vector<std::string> notes;
  const LanguageCache cache(folder.path() / "languages",
                            [&](std::string_view note) { notes.emplace_back(note); });
  for (const Sample& sample : kSamples) {
    const auto first = cache.Compile(sample.grammar, "first.lark");
    ASSERT_TRUE(first.has_value()) << first.error().ToString();
    EXPECT_FALSE(first->from_disk);
    EXPECT_EQ(first->file_bytes, std::filesystem::file_size(first->file));
    const auto second = cache.Compile(sample.grammar, "second.lark");
    ASSERT_TRUE(second.has_value());
    ASSERT_TRUE(second->from_disk) << sample.grammar;
    EXPECT_EQ(second->file, first->file);
    EXPECT_EQ(second->value->grammar.path, "second.lark");
    EXPECT_EQ(second->value->key, first->value->key);
    EXPECT_EQ(second->value->open_ended, first->value->open_ended);
    EXPECT_EQ(BytesOf(*second->value), BytesOf(*first->value));
    EXPECT_TRUE(Check(*first->value, sample.text, Strength::kAccept).valid) << sample.text;
    EXPECT_EQ(Answers(second->value, sample.text), Answers(first->value, sample.text));
  }
  EXPECT_EQ(cache.Contents().files, std::size(kSamples));
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST(LanguageCache, AGrammarsFaultIsToldAsWithoutACache) {
  TemporaryFolder folder;
  const LanguageCache cache(folder.path());
  const auto bad = cache.Compile("start: (\n", "bad.lark");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().ToString(), Language::Compile("start: (\n", "bad.lark").error().ToString());
  EXPECT_EQ(cache.Contents().files, 0u);
}

TEST(LanguageCache, AChangedTextIsAnotherLanguage) {
  TemporaryFolder folder;
  const LanguageCache cache(folder.path());
  EXPECT_FALSE(cache.Compile("start: \"a\"\n", "g.lark")->from_disk);
  EXPECT_FALSE(cache.Compile("start: \"b\"\n", "g.lark")->from_disk);
  EXPECT_TRUE(cache.Compile("start: \"a\"\n", "g.lark")->from_disk);
}

TEST(LanguageCache, AnEditOfAnImportedFileMakesAnotherLanguage) {
  TemporaryFolder folder;
  const LanguageCache cache(folder.path() / "cache");
  const std::string importing = "%import \"part.lark\"\n";
  const auto from_disk = [&] {
    return cache.Compile(importing, (folder.path() / "g.lark").string())->from_disk;
  };
  folder.Write("part.lark", "start: \"a\"\n");
  EXPECT_FALSE(from_disk());
  EXPECT_TRUE(from_disk());
  folder.Write("part.lark", "start: \"b\"\n");
  EXPECT_FALSE(from_disk());
  folder.Write("part.lark", "start: \"a\"\n");
  EXPECT_TRUE(from_disk());
}

TEST(LanguageCache, AFileCutShortIsWrittenAnew) {
  TemporaryFolder folder;
  std::vector<std::string> notes;
  const LanguageCache cache(folder.path(),
                            [&](std::string_view note) { notes.emplace_back(note); });
  const char* grammar = kSamples[0].grammar;
  const auto file = cache.Compile(grammar, "g.lark")->file;
  const size_t whole = std::filesystem::file_size(file);
  size_t cut = 0;
  for (size_t size = 0; size < whole; size += whole / 23 + 1, ++cut) {
    std::filesystem::resize_file(file, size);
    const auto again = cache.Compile(grammar, "g.lark");
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->from_disk) << size;
    EXPECT_EQ(std::filesystem::file_size(file), whole);
  }
  EXPECT_EQ(notes.size(), cut);
  EXPECT_NE(notes.at(0).find(file.string() + " is cut short"), std::string::npos) << notes.at(0);
  EXPECT_TRUE(cache.Compile(grammar, "g.lark")->from_disk);
}

TEST(LanguageCache, WorksWithoutAFolderAndSaysOnceThatItCannotWrite) {
  TemporaryFolder folder;
  std::vector<std::string> notes;
  const LanguageCache unwritable(std::filesystem::path(folder.Write("file", "")) / "languages",
                                 [&](std::string_view note) { notes.emplace_back(note); });
  for (int i = 0; i < 3; ++i) {
    for (const Sample& sample : kSamples) {
      const auto language = unwritable.Compile(sample.grammar, "g.lark");
      ASSERT_TRUE(language.has_value());
      EXPECT_FALSE(language->from_disk);
      EXPECT_EQ(language->file_bytes, 0u);
    }
  }
  EXPECT_EQ(notes.size(), 1u);
  const LanguageCache none{std::filesystem::path()};
  EXPECT_FALSE(none.Compile(kSamples[0].grammar, "g.lark")->from_disk);
  EXPECT_FALSE(none.Compile(kSamples[0].grammar, "g.lark")->from_disk);
}

// Bits are flipped behind the checksum's back: what is refused is refused, what is taken must not
// crash.
TEST(LanguageCache, BytesOfAnyKindAreSafeToRead) {
  std::mt19937 random(20261121);
  size_t refused = 0, taken = 0;
  for (const Sample& sample : kSamples) {
    const auto language = Compiled(sample.grammar);
    ASSERT_NE(language, nullptr);
    const std::string whole = BytesOf(*language);
    ASSERT_NE(LanguageFrom(whole, "g.lark", {}), nullptr);
    for (int i = 0; i < static_cast<int>(4000 / kEvery); ++i) {
      std::string bytes = whole;
      for (size_t flips = 1 + random() % 3; flips > 0; --flips) {
        char& byte = bytes[random() % bytes.size()];
        // Small numbers, large ones, single bits: what counts and indices are broken by.
        byte = static_cast<char>(i % 3 == 0   ? random() % 4
                                 : i % 3 == 1 ? 0xff - random() % 4
                                              : byte ^ 1 << random() % 8);
      }
      if (i % 16 == 0) bytes.resize(random() % bytes.size());
      const auto read = LanguageFrom(bytes, "g.lark", {});
      ++(read ? taken : refused);
      if (read && i % 4 == 0) (void)Answers(read, sample.text);
      if (read) (void)Check(*read, sample.text, Strength::kAccept);
    }
  }
  RecordProperty("taken", static_cast<int>(taken));
  EXPECT_GT(refused, 1000u / kEvery);
  EXPECT_GT(taken, 1000u / kEvery) << "most of a lexer's edges may lead elsewhere";
}

// What a file with flipped bytes may say of its LR terminals.
TEST(LanguageCache, AnLrTerminalReadsAsOneThatIsReadAsItStands) {
  const auto language = Compiled(kSamples[3].grammar);
  ASSERT_NE(language, nullptr);
  Grammar grammar = language->grammar;
  ASSERT_TRUE(IsSound(grammar));
  const auto reading = std::find_if(grammar.lr_terminals.begin(), grammar.lr_terminals.end(),
                                    [](const LrTerminal& t) { return t.reads_as.has_value(); });
  ASSERT_NE(reading, grammar.lr_terminals.end());
  reading->reads_as = SymbolId{static_cast<uint16_t>(reading - grammar.lr_terminals.begin())};
  EXPECT_FALSE(IsSound(grammar)) << "it would read as itself";
}

TEST(LanguageCache, LevelsAreThoseOfAPredicate) {
  const auto language = Compiled(
      "start: NAME \";\" | \"new\"#since_2 NAME \";\"\nNAME: /[a-z]+/\n%ignore / +/\n"
      "%levels since_2\n");
  ASSERT_NE(language, nullptr);
  Grammar grammar = language->grammar;
  ASSERT_TRUE(IsSound(grammar));
  for (LrTerminal& lr_terminal : grammar.lr_terminals) {
    const LrTerminal as_it_was = lr_terminal;
    lr_terminal.predicate.reset();
    EXPECT_EQ(IsSound(grammar), as_it_was.levels == 0);
    lr_terminal = as_it_was;
    lr_terminal.levels |= 1;  // `given` is no level
    EXPECT_FALSE(IsSound(grammar));
    lr_terminal = as_it_was;
  }
}

TEST(LanguageCache, ManyProcessesMayUseOneFolder) {
  TemporaryFolder folder;
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    const pid_t child = fork();
    if (child == 0) {
      const LanguageCache cache(folder.path() / "languages");
      for (int i = 0; i < 30; ++i) {
        const Sample& sample = kSamples[static_cast<size_t>(i + c) % std::size(kSamples)];
        const auto language = cache.Compile(sample.grammar, "g.lark");
        if (!language || language->file_bytes == 0) _exit(1);
        if (!Check(*language->value, sample.text, Strength::kAccept).valid) _exit(2);
        if (i % 7 == c) std::filesystem::resize_file(language->file, 100);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace tenon::constraint
