// Names that a text declares (`%names`): against every short text and its own reading of them, at
// every cut of C-like texts. In masks: mask/named_tokens_test.cpp.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/budgeted_gap.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/language/language.h"
#include "constraint/lexical_context/declared_names.h"
#include "constraint/quotient/quotient.h"
#include "constraint/reading/branch.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/names_language.h"
#include "tests/constraint/sampled.h"
#include "tests/constraint/short_texts.h"

namespace tenon::constraint {
namespace {

std::string CompileError(const std::string& text) {
  auto compiled = Language::Compile(text, "names.lark");
  return compiled ? "" : compiled.error().ToString();
}

bool ThingsFit(const std::string& text) {
  std::vector<std::map<std::string, bool>> scopes(1);
  size_t items = 0;
  for (size_t i = 0; i < text.size(); ++items) {
    const char kind = text[i++];
    if (kind == '{') {
      scopes.emplace_back();
      continue;
    }
    if (kind == '}') {
      if (scopes.size() == 1) return false;
      scopes.pop_back();
      continue;
    }
    if (kind == 'u' && i < text.size() && text[i] == '0') {
      ++i;
      continue;
    }
    std::string name;
    while (i < text.size() && (text[i] == 'a' || text[i] == 'b')) name += text[i++];
    if (name.empty()) return false;
    if (kind == 'd' || kind == 'h') {
      scopes.back()[name] = kind == 'd';
      continue;
    }
    if (kind != 'u' && kind != 'n') return false;
    bool thing = false;
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if (!scope->contains(name)) continue;
      thing = scope->at(name);
      break;
    }
    if (thing != (kind == 'u')) return false;
  }
  return items > 0 && scopes.size() == 1;
}

TEST(Names, AreExactInWholeTextsAndAtGaps) {
  const auto language = Compile(kThings);
  ASSERT_NE(language, nullptr);
  const std::string alphabet = "dhuna{}";
  std::unordered_set<std::string> gaps;
  constexpr size_t kContext = 3;
  size_t valid = 0;
  for (const std::string& text : Sampled(ShortTexts(alphabet, 7))) {
    const bool fits = ThingsFit(text);
    ASSERT_EQ(Check(*language, text, Strength::kAccept).valid, fits) << text;
    valid += fits;
    for (size_t i = 0; fits && i <= std::min(kContext, text.size()); ++i) {
      for (size_t j = 0; j <= std::min(kContext, text.size() - i); ++j)
        gaps.insert(text.substr(0, i) + '|' + text.substr(text.size() - j));
    }
  }
  EXPECT_GT(valid, 400u / kEvery / 2);
  size_t viable = 0, members = 0, closed = 0;
  size_t claimed = 0;  // R asks for a name that nothing can declare any more
  for (const std::string& right : Sampled(ShortTexts(alphabet, kContext))) {
    GapQuestions questions(language, right);
    for (const std::string& left : ShortTexts(alphabet, kContext)) {
      const bool is_gap = gaps.contains(left + '|' + right);
      const bool is_viable = questions.Viable(left), is_member = questions.Member(left);
      ASSERT_EQ(is_member, ThingsFit(left + right)) << left << " | " << right;
      ASSERT_TRUE(is_viable || !is_gap) << "missed: " << left << " | " << right;
      viable += is_viable;
      members += is_member;
      if (!is_viable || is_gap) continue;
      const auto closing = FindClosing(OpenExact(language, left, right));
      ASSERT_TRUE(!closing || ThingsFit(left + closing->text + right)) << left << " | " << right;
      ++(closing ? closed : claimed);
    }
  }
  std::cout << valid << " valid texts; " << viable << " viable, " << members << " members, "
            << closed << " closed by longer texts alone, " << claimed << " not closed\n";
  EXPECT_GT(members, 100u / kEvery);
  EXPECT_LT(claimed, viable / 5);
}

// Names of two letters, whole and in progress, at random longer texts.
TEST(Names, AreExactInRandomTextsAtRandomCuts) {
  std::mt19937 random(20261123);
  const auto language = Compile(kThings);
  ASSERT_NE(language, nullptr);
  size_t valid = 0;
  constexpr int kTexts = 6000;
  for (int n = 0; n < kTexts; ++n) {
    std::string text;
    int open = 0;
    for (int items = 1 + static_cast<int>(random() % 9); items > 0; --items) {
      const size_t kind = random() % 8;
      if (kind == 6 || (kind == 7 && open == 0)) {
        text += '{';
        ++open;
      } else if (kind == 7) {
        text += '}';
        --open;
      } else {
        text += "dhunud"[kind];
        for (size_t letters = 1 + random() % 2; letters > 0; --letters) text += "ab"[random() % 2];
      }
    }
    text += std::string(static_cast<size_t>(open), '}');
    const bool fits = ThingsFit(text);
    valid += fits;
    ASSERT_EQ(Check(*language, text, Strength::kAccept).valid, fits) << text;
    const size_t i = random() % (text.size() + 1), j = i + random() % (text.size() - i + 1);
    const std::string left = text.substr(0, i), middle = text.substr(i, j - i),
                      right = text.substr(j);
    GapState state = OpenExact(language, left, right);
    ASSERT_TRUE(state.viable() || !fits) << left << " | " << right;
    const bool accepted = state.Accept(middle);
    ASSERT_TRUE(accepted || !fits) << left << " | " << middle << " | " << right;
    ASSERT_EQ(accepted && state.Member(), fits) << left << " | " << middle << " | " << right;
  }
  EXPECT_GT(valid, 500u);
  EXPECT_LT(valid, kTexts - 500u);
}

TEST(Names, NamesInProgressAreClosed) {
  const auto language = Compile(kThings);
  ASSERT_NE(language, nullptr);
  for (const std::string left :
       {"dabbau", "dabbaua", "dabbauab", "dabbauabb", "{dabbaua", "dbbabdabbaua"}) {
    for (const std::string right : {"", "u0", "nb"}) {
      const GapState state = OpenGap(language, left, right, GapPolicy{});
      ASSERT_TRUE(state.viable() || left[0] == '{') << left << " | " << right;
      const auto closing = FindClosing(state);
      ASSERT_TRUE(closing) << left << " | " << right;
      EXPECT_TRUE(ThingsFit(left + closing->text + right)) << left << closing->text << right;
    }
  }
}

// C without most of C: what a statement is hangs on what its first name was declared as.
const char* const kMiniC = R"lark(
start: statement*
statement: "typedef" type NAME#new_type ";"
         | type NAME#new_variable [ "=" value ] ";"
         | NAME#variable "=" value ";"
         | "{" statement* "}"
type: "int" | NAME#type "*"*
value: term ("*" term)*
term: NUMBER | NAME#variable | "(" type ")" term | "(" value ")"
NAME: /[A-Za-z_]\w*/
NUMBER: /[0-9]+/
%ignore /[ \n]+/
%names type variable within "{" "}"
)lark";

const std::pair<std::string, bool> kPrograms[] = {
    {"typedef int T; T x; { int T; T = 1; x = T * 2; } T y = x;", true},
    {"typedef int T; T x; { int T; T y; }", false},
    {"typedef int Tree; typedef Tree *Trees; Trees t = 1;", true},
    {"typedef int Tree; typedef Tree* Trees; Trees t = (Tree) (t) * t;", true},
    {"int t; int u = (t) * t;", true},
    {"int t; int u = (t) t;", false},
    {"typedef int t; int u = (t) u * u;", true},
    {"x = 1;", false},
    {"{ int x; } x = 1;", false},
    {"{ typedef int a; { a b; b = 1; } a c; }", true},
};

TEST(Names, DecideWhatTextsMeanAtEveryCut) {
  const auto language = Compile(kMiniC);
  ASSERT_NE(language, nullptr);
  size_t gaps = 0;
  for (const auto& [program, expected] : kPrograms) {
    const std::string text = program;
    const bool valid = Check(*language, text, Strength::kAccept).valid;
    EXPECT_EQ(valid, expected) << text;
    for (size_t i = 0; i <= text.size(); i += 2) {
      for (size_t j = i; j <= text.size(); j += 5) {
        const std::string left = text.substr(0, i), middle = text.substr(i, j - i),
                          right = text.substr(j);
        GapState state = OpenExact(language, left, right);
        ASSERT_TRUE(state.viable() || !valid) << left << " | " << right;
        const bool accepted = state.Accept(middle);
        ASSERT_TRUE(accepted || !valid) << left << " | " << middle << " | " << right;
        EXPECT_EQ(accepted && state.Member(), valid) << left << " | " << middle << " | " << right;
        ++gaps;
      }
    }
  }
  EXPECT_GT(gaps, 800u);
}

const std::pair<std::string, bool> kNestedClasses[] = {
    {"class a { a(); }", true},
    {"class a { b(); }", false},
    {"class a { class b { b(); } a(); }", true},
    {"class a { class b { a(); } }", false},
    {"class a { class b {} b(); }", false},
    {"class a {} class b { a(); }", false},
    {"class a { class a { a(); } a(); }", true},
    {"class a { class b { class a {} b(); } }", true},
    {"class a { a(); class b { b(); class c { c(); } b(); } class d { d(); } a(); }", true},
    {"class a { int x = new { a(); }; }", false},
    {"class a { int x = new { class b { b(); } }; a(); }", true},
};

TEST(Names, OfTheConstructAroundThemAtEveryCut) {
  const auto language = Compile(kClasses);
  ASSERT_NE(language, nullptr);
  size_t gaps = 0;
  for (const auto& [text, expected] : kNestedClasses) {
    EXPECT_EQ(Check(*language, text, Strength::kAccept).valid, expected) << text;
    for (size_t i = 0; i <= text.size(); ++i) {
      for (size_t j = i; j <= text.size(); j += 3) {
        const std::string left = text.substr(0, i), middle = text.substr(i, j - i),
                          right = text.substr(j);
        GapState state = OpenExact(language, left, right);
        ASSERT_TRUE(state.viable() || !expected) << left << " | " << right;
        const bool accepted = state.Accept(middle);
        ASSERT_TRUE(accepted || !expected) << left << " | " << middle << " | " << right;
        EXPECT_EQ(accepted && state.Member(), expected)
            << left << " | " << middle << " | " << right;
        ++gaps;
      }
    }
  }
  EXPECT_GT(gaps, 2000u);
}

constexpr char kTags[] = R"lark(
start: tag+
tag: "<" NAME#new_tag ">" tag* "</" NAME#enclosing_tag ";"
NAME: /[a-z]+/
%ignore / +/
%names tag within ">" ";"
)lark";

// Tags that end with the name they began with: a closing text writes it.
TEST(Names, OfTheConstructAroundThemAreWrittenByClosingTexts) {
  const auto language = Compile(kTags);
  ASSERT_NE(language, nullptr);
  const std::pair<std::string, std::string> cases[] = {{"<bold>", ""},
                                                       {"<bold><it", ""},
                                                       {"<bold><it></", ""},
                                                       {"<bold><it></it;</bo", ""},
                                                       {"<bold><it>", "</bold;"},
                                                       {"<a>", "<b></b;</a;"},
                                                       {"<a>", "</bold;</a;"},
                                                       {"", "</bold;</it;"}};
  for (const auto& [left, right] : cases) {
    const GapState state = OpenExact(language, left, right);
    const std::optional<Closing> closing = FindClosing(state);
    ASSERT_TRUE(closing || state.Member()) << left << "|" << right;
    const std::string text = left + (closing ? closing->text : "") + right;
    EXPECT_TRUE(Check(*language, text, Strength::kEmit).valid) << text;
  }
}

// R asks for one name after the other: with any of them in any place there would be 10^10 ways.
TEST(Names, OfManyConstructsAroundTheRightContextAreWrittenByClosingTexts) {
  const auto language = Compile(kTags);
  ASSERT_NE(language, nullptr);
  std::string left, right;
  for (const char* name : {"bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj", "kk"}) {
    left = std::string("<") + name + ">" + left;
    right += std::string("</") + name + ";";
  }
  const std::optional<Closing> closing = FindClosing(OpenExact(language, "", right));
  ASSERT_TRUE(closing.has_value());
  EXPECT_EQ(closing->text, left);
}

// The right context asks for the name of a construct whose head is missing.
TEST(Names, OfTheConstructAroundTheRightContextAreWrittenByClosingTexts) {
  const auto language = Compile(kClasses);
  ASSERT_NE(language, nullptr);
  const auto closing = [&](std::string_view left, std::string_view right) {
    const std::optional<Closing> found = FindClosing(OpenExact(language, left, right));
    return found ? found->text : "none";
  };
  EXPECT_EQ(closing("", " abc(); }"), "class abc{");
  EXPECT_EQ(closing("class b {", " abc(); } b(); }"), "class abc{");
  EXPECT_EQ(closing("class ab", " abc(); }"), "c{");
  EXPECT_EQ(closing("class ac", " abc(); }"), "none");
  EXPECT_EQ(closing("class b {", " abc(); b(); }"), "none") << "one class has two names";
  EXPECT_EQ(closing("", "bc { abc(); }"), "class a") << "R begins inside the name";
  EXPECT_EQ(closing("class ", "bc { abc(); }"), "a");
  EXPECT_EQ(closing("class a", "c { abc(); }"), "b");
  EXPECT_EQ(closing("class b", "c { abc(); }"), "{}class ab") << "no name begins with b";
  EXPECT_EQ(closing("class b { int x = ", " b(); }"), "new{};") << "not a constructor before it";
}

// A field's type may be the class's name at first sight, and is not the name that R asks for.
TEST(Names, OfTheConstructAroundTheRightContextAreFoundBehindFields) {
  const auto language = Compile(R"lark(
start: class+
class: "class" NAME#new_class "{" member* "}"
member: NAME#enclosing_class "()" ";" | NAME NAME ";"
NAME: /[a-z]+/
%ignore /[ \n]+/
%names class within "{" "}"
)lark");
  ASSERT_NE(language, nullptr);
  for (const std::string right :
       {" text a; abc(); }", " text a; list b; abc(); list c; abc(); }", " a a; b b; abc(); }"}) {
    const std::optional<Closing> closing = FindClosing(OpenExact(language, "", right));
    ASSERT_TRUE(closing) << right;
    EXPECT_EQ(closing->text, "class abc{") << right;
  }
}

// A method that lacks its type reads as a constructor of another class.
TEST(Names, OfAConstructAreNotAskedForBehindAWord) {
  const auto language = Compile(R"lark(
start: class+
class: "class" NAME#new_class "{" member* "}"
member: "open"? (NAME#enclosing_class | type NAME) "()" ";"
type: "int" | NAME
NAME: /[a-z]+/
%ignore /[ \n]+/
%names class within "{" "}"
)lark");
  ASSERT_NE(language, nullptr);
  for (const std::string left : {"class a {", "class a { open ", "class a { a(); open"}) {
    for (const std::string right : {"get(); }", " get(); a(); }"}) {
      const std::optional<Closing> closing = FindClosing(OpenExact(language, left, right));
      ASSERT_TRUE(closing) << left << "|" << right;
      const std::string text = left + closing->text + right;
      EXPECT_TRUE(Check(*language, text, Strength::kEmit).valid) << text;
    }
  }
}

// A closer may end scopes of several openers, as `}` ends a block and a template's field.
TEST(Names, SeveralOpenersMayShareACloser) {
  const auto language = Compile(R"lark(
start: item*
item: "d" NAME#new_thing | "u" NAME#thing | "{" item* "}" | "${" item* "}"
NAME: /[ab]/
%ignore / +/
%names thing within "{" "}" "${" "}"
)lark");
  ASSERT_NE(language, nullptr);
  EXPECT_TRUE(Check(*language, "{da ${db} ua}", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "{da ${db} ub}", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "da {${db} dc} ub", Strength::kAccept).valid);
}

TEST(Names, EndWithinABudgetAsNamesThatAreDeclared) {
  const auto language = Compile(kMiniC);
  ASSERT_NE(language, nullptr);
  std::mt19937 random(20261125);
  const std::vector<std::string> words{"typedef ", "int ", "T", "x", "Tree", "xs", ";", "=",
                                       "*",        "(",    ")", "{", "}",    "1",  " "};
  size_t written = 0;
  for (int n = 0; n < 60; ++n) {
    const std::string left = "typedef int Tree; int xs; { ", right = n % 2 == 0 ? "" : "\n}";
    BudgetedGap gap(OpenGap(language, left, right, GapPolicy{}), 40);
    ASSERT_TRUE(gap.feasible());
    for (int step = 0; step < 200 && !gap.state().Member(); ++step) {
      const std::string& word = words[random() % words.size()];
      if (gap.Accept(word, 1)) ++written;
    }
    const std::string text = left + gap.Finish().middle + right;
    EXPECT_TRUE(Check(*language, text, Strength::kAccept).valid) << text;
  }
  EXPECT_GT(written, 100u);
}

TEST(Names, AreFollowedThroughEdits) {
  const auto language = Compile(kMiniC);
  ASSERT_NE(language, nullptr);
  std::mt19937 random(20261126);
  GapCache cache(language);
  std::string text = "typedef int T;\nint x;\n{\nT y = x;\n}\nx = 1;\n";
  const std::string pieces[] = {"T",  "x", " ", ";",    "int ",
                                "\n", "{", "}", "= 1;", "typedef int y;"};
  size_t viable = 0;
  for (int n = 0; n < 400; ++n) {
    const size_t at = random() % (text.size() + 1);
    if (random() % 3 == 0 && text.size() > 20)
      text.erase(at, 1 + random() % 3);
    else
      text.insert(at, pieces[random() % std::size(pieces)]);
    if (n % 3 == 0) text = "typedef int T;\nint x;\n{\nT y = x;\n}\nx = 1;\n";
    const size_t cursor = random() % (text.size() + 1);
    const std::string left = text.substr(0, cursor), right = text.substr(cursor);
    const auto kept = cache.Open(left, right, GapPolicy{.emit = false}, {});
    ASSERT_TRUE(kept);
    const GapState fresh = OpenExact(language, left, right);
    ASSERT_EQ(kept->viable(), fresh.viable()) << left << " | " << right;
    ASSERT_EQ(kept->Member(), fresh.Member()) << left << " | " << right;
    ASSERT_EQ(kept->Member(), Check(*language, text, Strength::kAccept).valid)
        << left << " | " << right;
    for (const char* more : {"T", "x", "y", "int", ";"})
      ASSERT_EQ(kept->Check(more), fresh.Check(more)) << left << " | " << more << " | " << right;
    viable += fresh.viable();
  }
  EXPECT_GT(viable, 50u);
}

TEST(Names, LinesAreSpacesOfTheirOwn) {
  const auto language = Compile(R"lark(
start: item*
item: "let" NAME#new_variable ";" | "get" NAME#variable ";" | NAME#new_label ":" | "goto" NAME#label ";" | "{" item* "}"
    | "(" item* ")"
NAME: /[a-z]+/
%ignore / +/
%names variable within "{" "}"
%names label within "(" ")"
)lark");
  ASSERT_NE(language, nullptr);
  const auto valid = [&](const char* text) {
    return Check(*language, text, Strength::kAccept).valid;
  };
  EXPECT_TRUE(valid("let a; a: get a; goto a;"));
  EXPECT_FALSE(valid("let a; goto a;"));
  EXPECT_FALSE(valid("a: get a;"));
  EXPECT_TRUE(valid("{ a: let a; get a; } goto a;"));
  EXPECT_FALSE(valid("{ a: let a; } get a;"));
  EXPECT_TRUE(valid("( a: { let a; goto a; ( b: ) } ) { let a; get a; }"));
  EXPECT_FALSE(valid("( a: ) goto a;"));
  EXPECT_FALSE(valid("( let a; a: ) get a; { goto a; }"));
  EXPECT_TRUE(valid("( let a; a: ) get a; { b: } goto b;"));
}

TEST(Names, ListsAreKeptOnceAndForgotten) {
  NameArena arena;
  const TextId ab = arena.Append({}, "ab"), a = arena.Append({}, "a");
  EXPECT_EQ(arena.Append(a, "b"), ab);
  EXPECT_EQ(arena.Text(ab), "ab");
  constexpr NameSet kOwn{0, 0}, kOther{1, 1};
  const NamesId outer = arena.Declare({}, kOwn, ab);
  const NamesId other_line =
      arena.Declare(arena.Open(outer, 0), kOther, a);  // of another line: it outlives the scope
  const NamesId inner = arena.Declare(other_line, kOwn, a);
  EXPECT_EQ(arena.SetOf(inner, a, 0), 0);
  EXPECT_EQ(arena.SetOf(inner, a, 1), 1);
  const NamesId behind = arena.Close(inner, 0);
  EXPECT_EQ(behind, arena.Declare(outer, kOther, a));
  EXPECT_EQ(arena.SetOf(behind, a, 0), std::nullopt);
  EXPECT_EQ(arena.Close(behind, 0), behind) << "no scope is open";
  EXPECT_EQ(arena.Find(inner, a, kOwn, 9), (std::vector<TextId>{a, ab}));
  arena.BeginTrial();
  const TextId abc = arena.Append(ab, "c");
  const NamesId tried = arena.Declare(inner, kOwn, abc);
  EXPECT_FALSE(arena.Lasts(tried));
  EXPECT_TRUE(arena.Lasts(inner));
  arena.EndTrial();
  EXPECT_EQ(arena.Append(ab, "d").value, abc.value) << "what was tried is forgotten";
  EXPECT_EQ(arena.Declare(outer, kOwn, a).value, tried.value);
}

TEST(Names, MessagesSayWhatIsNotDeclared) {
  const auto said = [language = Compile(kMiniC)](const std::string& text) {
    const CheckResult result = Check(*language, text, Strength::kAccept);
    return std::to_string(result.offset_bytes) + ": " + result.message;
  };
  EXPECT_EQ(said("int x = y;"), "8: 'y' is not declared as a variable");
  EXPECT_EQ(said("int x; x y;").substr(0, 3), "9: ");
  const auto things = [language = Compile(kThings)](const std::string& text) {
    return Check(*language, text, Strength::kAccept).message;
  };
  EXPECT_EQ(things("dabua"), "'a' is not declared as a thing");
  EXPECT_EQ(things("dabnab"), "'ab' is declared as a thing");
  const auto classes = [language = Compile(kClasses)](const std::string& text) {
    return Check(*language, text, Strength::kAccept).message;
  };
  EXPECT_EQ(classes("class a { b(); }"), "'b' is not the name of the class around it");
}

TEST(Names, AGapHasNoQuotientGrammar) {
  const auto quotient = QuotientGrammar(Compile(kThings), "da", "ua", true);
  ASSERT_FALSE(quotient);
  EXPECT_EQ(quotient.error(),
            "a grammar with %names has no quotient: which names are declared no context-free "
            "grammar says");
}

TEST(Names, BadLinesAreNamedWithTheirRemedy) {
  const std::string rules =
      "start: (\"d\" NAME#new_thing | \"u\" NAME#thing | \"{\" | \"}\")+\nNAME: /[ab]+/\n";
  EXPECT_EQ(CompileError(rules + "%names thing within \"{\" \"}\"\n"), "");
  EXPECT_EQ(CompileError(rules + "%names thing\n"), "");
  EXPECT_EQ(CompileError(rules + "%names\n"),
            "names.lark:3:7: expected sets of names behind '%names', as in '%names type variable "
            "within \"{\" \"}\"'");
  EXPECT_EQ(CompileError(rules + "%names thing within\n"),
            "names.lark:3:20: expected what opens a scope and what closes it, as in '%names type "
            "variable within \"{\" \"}\"'");
  EXPECT_EQ(CompileError(rules + "%names thing within \"{\"\n"),
            "names.lark:3:24: expected what opens a scope and what closes it, as in '%names type "
            "variable within \"{\" \"}\"'");
  EXPECT_EQ(CompileError(rules + "%names thing within \"{\" \"{\"\n"),
            "names.lark:3:25: 'LBRACE' opens or closes a scope already");
  EXPECT_EQ(CompileError(rules + "%names thing thing\n"),
            "names.lark:3:14: there is already a set of names 'thing'");
  EXPECT_EQ(CompileError(rules + "%names new_thing\n"),
            "names.lark:3:8: 'new_thing' is what is said of names: a set begins with none of "
            "'not_', 'new_' and 'enclosing_'");
  EXPECT_EQ(CompileError(rules + "%names NAME\n"),
            "names.lark:3:8: expected the lower case name of a set of names, as in '%names type "
            "variable within \"{\" \"}\"', found the terminal name 'NAME'");
  EXPECT_EQ(CompileError(rules + "%names thing other\n"),
            "names.lark:3:1: nothing declares a 'other': write '#new_other' behind a terminal "
            "where a name becomes one");
  EXPECT_EQ(CompileError("start: NAME#new_thing+\nNAME: /[ab]+/\n%names thing\n"),
            "names.lark:3:1: nothing asks for a name of '%names thing': write '#thing' or "
            "'#not_thing' behind a terminal");
  EXPECT_EQ(CompileError("start: part#+thing+\npart: NAME#new_thing NAME#thing \"x\"\nNAME: "
                         "/[ab]+/\n%names thing\n"),
            "names.lark:4:1: 'thing' is said of names: neither a rule nor '%levels' turns it on");
  EXPECT_EQ(CompileError("start: NAME#new_thing NAME#thing+\n%declare NAME\n%names thing\n"),
            "names.lark:3:1: 'NAME#new_thing': only a terminal with a lexeme of its own is a name");
}

}  // namespace
}  // namespace tenon::constraint
