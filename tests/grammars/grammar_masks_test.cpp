// Masks of the shipped grammars on real text: with and without streamlining, with and without a
// right context, the same at every token, and at some places equal to a check of every token. And
// masks of elements whose closing tags have their names, equal to a check of every token.

#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/mask/masker.h"
#include "tests/constraint/mask_questions.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

using constraint::GapPolicy;
using constraint::GapState;
using constraint::Masker;
using constraint::MaskStore;
using constraint::MaskStoreOptions;
using constraint::TokenMask;
using constraint::TokenVocabulary;

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A word with the blank before it, a run of signs, a line end with the blanks behind it: about what
// a model's tokens are.
std::vector<std::string> Pieces(const std::string& text) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text[at] == '\n' || text[at] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
      if (text[at] == ' ' && end == at + 1 && end < text.size() && IsWord(text[end])) {
        while (end < text.size() && IsWord(text[end])) ++end;
      }
    } else if (IsWord(text[at])) {
      while (end < text.size() && IsWord(text[end])) ++end;
    } else {
      while (end < text.size() && end < at + 3 && !IsWord(text[end]) && text[end] != ' ' &&
             text[end] != '\n')
        ++end;
    }
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

// The pieces of the text, parts of them, every printable byte, and random pairs.
std::vector<std::string> VocabularyOf(const std::vector<std::string>& pieces,
                                      std::mt19937& random) {
  std::set<std::string> tokens{"\n", "\t", "\r\n", "\"\"\"", "'''", "\xc3\xa9", "\xc3"};
  for (char c = ' '; c < 127; ++c) tokens.insert(std::string(1, c));
  for (const std::string& piece : pieces) {
    tokens.insert(piece);
    tokens.insert(piece.substr(0, piece.size() / 2 + 1));
    tokens.insert(piece + pieces[random() % pieces.size()]);
  }
  return {tokens.begin(), tokens.end()};
}

constexpr char kPython[] =
    "import os\nfrom sys import (argv,\n    path)\n\n\n@decorated(1, key='v')\ndef merge(left, "
    "right: int = 0, *rest, "
    "**named) -> list:\n    "
    "\"\"\"Two lists.\n\n    \"\"\"\n    total = [a + b for a in left if a not in right]  # both\n "
    "   while total and "
    "not rest:\n        try:\n"
    "            total.pop(0)[1:2].go(x=lambda y: y ** 2)\n        except (KeyError, ValueError) "
    "as error:\n           "
    " raise error from None\n"
    "        else:\n            return {1: 'one', **named}\n    if left is None or right in (3, "
    "4.5e1, 0x1f):\n        "
    "pass\n    elif left:\n"
    "        with open(path) as file, lock:\n            yield file\n    return total\n\n\nclass "
    "Queue(Base):\n    "
    "size: int = 3\n\n    async def "
    "take(self):\n        async for item in self:\n            await item\n        "
    "print(self.size, end='')\n        "
    "del self.size\n        yield self\n\n\nwhile total > 3 and \\\n        not (rest or \\\n      "
    "       left):\n    "
    "x = (lambda: (yield))() \\\n\n    print(f'{total!r:>3} {f\"{left}\"}')\n";

constexpr char kGo[] =
    "package sorts\n\nimport \"fmt\"\n\n// Pair holds two.\ntype Pair[K comparable] struct "
    "{\n\tkey   K\n\tvalue []int "
    "`json:\"v\"`\n}\n\nfunc (p "
    "*Pair[K]) Swap(i, j int) (ok bool, err error) {\n\tif n := len(p.value); n > i && i != j "
    "{\n\t\tp.value[i], "
    "p.value[j] = p.value[j], "
    "p.value[i]\n\t\treturn true, nil\n\t}\n\tfor k, v := range p.value {\n\t\tswitch {\n\t\tcase "
    "v < "
    "0x1f:\n\t\t\tcontinue\n\t\tdefault:\n\t\t\tgo "
    "fmt.Println(k, v, 'x', \"a\\n\")\n\t\t}\n\t}\n\tc := make(chan<- map[string]int, 4)\n\tc <- "
    "map[string]int{\"a\": "
    "1}\n\tdefer func() { "
    "recover() }()\n\treturn false, fmt.Errorf(\"%d\", i)\n}\n";

constexpr char kSql[] =
    "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'x''y', \"c d\" REAL);\nSELECT "
    "t.a, count(*) AS n "
    "FROM t LEFT JOIN u ON "
    "t.a = u.id WHERE b LIKE '%z' AND a IN (1, 2.5, x'0f') GROUP BY t.a HAVING n > 3 ORDER BY n "
    "DESC LIMIT 10;\nINSERT "
    "INTO t (a, b) VALUES "
    "(1, ?), (2, :name);\n-- done\nUPDATE t SET b = NULL WHERE a BETWEEN 1 AND 9;\n";

constexpr char kTsx[] =
    "import * as React from 'react';\n\nconst Row = ({ label, ...rest }: Props) => (\n  <View.Row "
    "style={[styles.row, { opacity: label ? 1 : 0.5 }]} {...rest}>\n    <Text>{label} of "
    "it</Text>\n    {items.map((item) => (\n      <Item key={item.id} title=\"one\" "
    "onPress={() => {\n        if (item.open) close(item);\n      }}>\n        {item.icon ? <Icon "
    "name={`${item.icon}-outline`} /> : <>\n          <Dot/> none</>}\n      </Item>\n    "
    "))}\n  </View.Row>\n);\n\nexport const wrap = <T,>(a: Array<T>): T => a[0] as T;\n";

constexpr char kJson[] =
    "{\n  \"name\": \"tenon\",\n  \"numbers\": [1, -2.5e3, 0, true, false, null],\n  \"nested\": "
    "{\"a\": {\"b\": [[], "
    "{}]}, \"text\": "
    "\"line\\n\\u00e9\"}\n}\n";

void CompareMasks(const std::string& file, const std::string& text) {
  std::mt19937 random(20261121);
  const constraint::Language& shipped = ShippedLanguage(file);
  const std::shared_ptr<const constraint::Language> language(std::shared_ptr<const void>(),
                                                             &shipped);
  const std::vector<std::string> pieces = Pieces(text);
  const auto vocabulary = std::make_shared<const TokenVocabulary>(VocabularyOf(pieces, random));
  std::vector<std::shared_ptr<const MaskStore>> stores;
  for (MaskStoreOptions options : {MaskStoreOptions{true, true}, {true, false}, {false, false}})
    stores.push_back(MaskStore::Build(language, vocabulary, options));
  size_t compared = 0, checked = 0;
  // From the beginning without a right context; then gaps cut out of the text.
  for (int gap = 0; gap < 8; ++gap) {
    const size_t begin = gap == 0 ? 0 : random() % pieces.size();
    const size_t end = gap == 0 ? pieces.size() : std::min(pieces.size(), begin + 40);
    std::string left, right;
    for (size_t i = 0; i < begin; ++i) left += pieces[i];
    for (size_t i = end; gap > 0 && i < pieces.size(); ++i) right += pieces[i];
    GapState state = OpenGap(language, left, right, GapPolicy{});
    if (!state.viable()) continue;  // the cut ends in a string that it began
    std::vector<Masker> maskers;
    for (const auto& store : stores) maskers.emplace_back(store, state);
    for (size_t i = begin; i < end; ++i) {
      const TokenMask first = maskers[0].Of(state);
      for (size_t m = 1; m < maskers.size(); ++m, ++compared)
        ASSERT_EQ(first, maskers[m].Of(state))
            << file << ", store " << m << ", behind " << left + state.middle();
      if (random() % 16 == 0) {
        ++checked;
        for (uint32_t t = 0; t < vocabulary->size(); ++t)
          ASSERT_EQ(first.Allows({t}), state.Check(vocabulary->Bytes({t})))
              << file << ", token " << vocabulary->Bytes({t}) << ", behind "
              << left + state.middle();
      }
      if (!state.Accept(pieces[i])) break;  // not everything that is accepted is also written
    }
  }
  EXPECT_GT(compared, 100u);
  EXPECT_GT(checked, 5u);
}

TEST(GrammarMasks, AreTheSameWithAndWithoutStreamliningInPython) {
  CompareMasks("python.lark", kPython);
}
TEST(GrammarMasks, AreTheSameWithAndWithoutStreamliningInGo) { CompareMasks("go.lark", kGo); }
TEST(GrammarMasks, AreTheSameWithAndWithoutStreamliningInSql) { CompareMasks("sql.lark", kSql); }
TEST(GrammarMasks, AreTheSameWithAndWithoutStreamliningInJson) { CompareMasks("json.lark", kJson); }
TEST(GrammarMasks, AreTheSameWithAndWithoutStreamliningInTsx) { CompareMasks("tsx.lark", kTsx); }

// Names that the left context opens, the right context closes, both, or neither, whole and cut.
TEST(GrammarMasks, KnowTheNamesOfElementsOnBothSidesInTsx) {
  std::mt19937 random(20261128);
  const std::shared_ptr<const constraint::Language> language(std::shared_ptr<const void>(),
                                                             &ShippedLanguage("tsx.lark"));
  std::vector<std::string> tokens = constraint::SmallVocabulary("ab<>/{}.", 2, 100, random);
  for (const char* token :
       {"</a>",     "</ab>",   "</b>",   "</",      "></", "></a>", "}</a>", "}</",
        "<b>",      "<b></b>", "</a.b>", "</></a>", "</>", "t",     " ",     "\n",
        "={",       "={`",     "${",     "`",       "()",  " => ",  "/>",    "/>b</a>",
        "ab></ab>", "1.",      "\"",     "(",       ")",   ";",     "a</a>;"})
    tokens.push_back(token);
  const auto vocabulary = std::make_shared<const TokenVocabulary>(std::move(tokens));
  const auto store = MaskStore::Build(language, vocabulary);
  constraint::MaskTally tally;
  size_t viable = 0;
  for (const char* left :
       {"let x = ", "let x = <a>", "let x = <a>t", "let x = <a><b>t", "let x = <a>t</",
        "let x = <ab>t</a", "let x = <ab><a>t</a", "let x = <a.b>{c.", "let x = <a.b>t</a",
        "let x = <><a>", "let x = <a><>t</", "let x = <a", "let x = <a.", "let x = <ab b={c",
        "let x = <a>{() => { if (1", "let x = <a b={`${c"}) {
    for (const char* right :
         {"", "</a>;", "</b></a>;", " t</b></a>\n", "a</a>", "b></ab>;", ">t</a>", "</></a>",
          "</>;", "}</a.b>;", ".b></a.b>", "/a>", ") {} }}</a>", "}`}></a>", " b={c}></a>;"}) {
      viable += OpenGap(language, left, right, GapPolicy{}).viable();
      FollowMasks(store, language, left, right, 2, random, tally);
    }
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(viable, 60u);
  EXPECT_GT(tally.allowed, 10000u);
}

// In a comment, a template or an element's text that ends in the right context, more than a
// thousand tokens go on with it, and all of them need the names of the tags in the right context.
TEST(GrammarMasks, KnowTheNamesThatTheRightContextClosesInTsx) {
  std::mt19937 random(20261129);
  const std::shared_ptr<const constraint::Language> language(std::shared_ptr<const void>(),
                                                             &ShippedLanguage("tsx.lark"));
  const auto vocabulary = std::make_shared<const TokenVocabulary>(
      constraint::SmallVocabulary("ab</>*} `", 3, 600, random));
  const auto store = MaskStore::Build(language, vocabulary);
  constraint::MaskTally tally;
  for (const char* left :
       {"let x = <a>{/* b", "let x = <b>{/* b", "/* b", "let x = <a>{`", "let x = <ab><a>t"}) {
    for (const char* right : {" b */}</a>;\n", " c */ let y = <a>d</a>;", "d`}</a>", "t</a></ab>"})
      FollowMasks(store, language, left, right, 2, random, tally);
  }
  EXPECT_EQ(tally.wrong, 0u);
  EXPECT_GT(tally.allowed, 10000u);
}

}  // namespace
}  // namespace tenon::grammars
