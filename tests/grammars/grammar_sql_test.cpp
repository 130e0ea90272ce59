// SQL's grammar where SQLite's versions differ: what 3.53 takes and 3.40 does not is read, and no
// completion makes it out of given text. tests/exactness asks the real parsers.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& Sql() { return ShippedLanguage("sql.lark"); }

bool Fits(const std::string& left, const std::string& middle, const std::string& right) {
  return Closes(Sql(), left, middle, right);
}

// Expressions through every rule that a message of `raise` has a twin of.
const std::vector<std::string> kMessages = {
    "a",
    "1",
    "1_0",
    "x'00'",
    "null",
    "current_time",
    "?1",
    "a.b",
    "a.b.c",
    "'a'.b",
    "'a'.b.c",
    "left",
    "indexed",
    "(a)",
    "(select 1)",
    "exists (select 1)",
    "cast(a as int)",
    "case a when 1 then 2 end",
    "raise(ignore)",
    "raise(abort, 'a')",
    "raise(abort, 'a' || 1)",
    "f()",
    "f(*)",
    "f(distinct a)",
    "f(a order by b)",
    "left(a)",
    "f() filter (where a)",
    "f() filter (where a) over w",
    "f() over (order by a)",
    "-a",
    "~'a'",
    "- not a",
    "not a",
    "not 'a'",
    "a and b",
    "'a' or b",
    "a = b",
    "'a' = b",
    "'a' <> not b",
    "a is b",
    "'a' is b",
    "'a' is not b",
    "'a' is -not b",
    "'a' is not not b",
    "'a' is distinct from b",
    "a is not distinct from not b",
    "a like b",
    "'a' like b escape c",
    "'a' not like not b",
    "'a' match b",
    "'a' not match b escape not c",
    "a between b and c",
    "'a' between b and not c",
    "'a' not between b and c",
    "'a' isnull",
    "'a' notnull",
    "'a' not null",
    "a isnull + 1",
    "'a' isnull collate b",
    "'a' isnull + 1 * 2",
    "'a' isnull + 1 collate b",
    "'a' isnull + not b",
    "'a' isnull + 1 + not b",
    "a in ()",
    "'a' in (1, 2)",
    "'a' not in (select 1)",
    "'a' in t",
    "'a' in t.u (1)",
    "'a' || b",
    "'a' ->> b",
    "a + b * c",
    "'a' + not b",
    "'a' collate b",
    "a collate b",
    "a + 'b' = 1 and c",
};

TEST(SqlGrammar, ReadsAnyExpressionAsAMessageAndWritesAString) {
  for (const std::string& message : kMessages) {
    const std::string text = "select raise(abort, " + message + ")";
    EXPECT_TRUE(Accepts(Sql(), text)) << text;
    EXPECT_FALSE(Emits(Sql(), text)) << text;
    EXPECT_FALSE(Fits("select raise(abort, ", message + ")", ";")) << message;
    EXPECT_FALSE(Fits("select raise(abort,", message, ");")) << message;
    EXPECT_TRUE(Fits("select raise(abort, " + message, ")", ";"))
        << message << ": what was begun is closed";
  }
  for (const char* text :
       {"select raise(abort, )", "select raise(abort, a b)", "select raise(abort, 'a' 'b')",
        "select raise(abort, a, b)", "select raise(abort, not)", "select raise(abort, 'a' not)"}) {
    EXPECT_FALSE(Accepts(Sql(), text)) << text;
  }
  EXPECT_TRUE(Emits(Sql(), "select raise(abort, 'a')"));
}

TEST(SqlGrammar, WritesNoMessageBehindAGivenString) {
  EXPECT_TRUE(Fits("select raise(fail, ", "'a')", ";"));
  EXPECT_TRUE(Fits("select raise(fail, 'a'", ")", ";"));
  EXPECT_FALSE(Fits("select raise(fail, 'a'", " || b)", ";"));
  EXPECT_FALSE(Fits("select raise(fail, ", "'a'", " || b);"))
      << "the right context makes an expression of it";
  EXPECT_TRUE(Fits("select raise(fail, 'a' || ", "b + 1", ");")) << "it is one already";
}

TEST(SqlGrammar, CallsNoWordOfJoins) {
  EXPECT_TRUE(Accepts(Sql(), "select left(a)"));
  EXPECT_FALSE(Fits("select left", "(a)", ";")) << "`left` alone is a name in every version";
  EXPECT_FALSE(Fits("select ", "left", "(a);"));
  EXPECT_TRUE(Fits("select left(", "b", ");"));
  EXPECT_TRUE(Fits("select f", "(a)", ";"));
}

// `/*` without an end would swallow the rest, which tenon never writes: the plan that counts on it
// must not hide the one with `;`.
TEST(SqlGrammar, ClosesAStatementBeforeTheNext) {
  const std::shared_ptr<const constraint::Language> sql(std::shared_ptr<void>(), &Sql());
  for (const char* left : {"drop table a", "drop table a ", "select (1)", "select a "}) {
    const auto state = constraint::OpenGap(sql, left, "\n\nselect 2;\n", {});
    const std::optional<constraint::Closing> closing = constraint::FindClosing(state);
    ASSERT_TRUE(closing) << left;
    EXPECT_EQ(closing->text, ";") << left;
  }
}

}  // namespace
}  // namespace tenon::grammars
