// The spine of a long list: what it costs, and which items still reach the end of R.
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "constraint/language/yields.h"
#include "constraint/reading/branch.h"
#include "constraint/right/demand_graph.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_spine.h"

namespace tenon::constraint {
namespace {

// A right context in a language of one list, which may end in a comma: `[n,n]`, `[n,n,]`.
class ListRest {
 public:
  explicit ListRest(std::string text) : text_(std::move(text)) {
    graph_ = *DemandGraph::Build(index_, automaton_, yields_, spine_, false, {});
  }
  size_t spine_bytes() const { return spine_.memory_bytes(); }
  const DemandGraph& graph() const { return graph_; }

 private:
  static std::shared_ptr<const Language> Compile() {
    auto language = Language::Compile(
        "start: \"[\" items \"]\" | \"[\" items \",\" \"]\"\nitems: items \",\" N | N\nN: \"n\"\n",
        "list.lark");
    EXPECT_TRUE(language) << language.error().ToString();
    return *language;
  }

  std::string text_;
  std::shared_ptr<const Language> language_ = Compile();
  LayoutRules layout_{language_->grammar};
  RightLexemes lexemes_{language_->lexer, *language_->lexeme_rules, text_};
  RightAutomaton automaton_{
      language_->grammar, language_->lexer, layout_, lexemes_, {.emit = false}};
  Yields yields_{language_->grammar, language_->lexer, layout_, false, false};
  GrammarIndex index_{language_->grammar, language_->table};
  ConstructParsers constructs_{index_};
  RightSpine spine_{index_, automaton_, constructs_, kAnyLevel, kPackAbove};
  DemandGraph graph_;
};

std::string Elements(size_t count) {
  std::string text = "n";
  for (size_t i = 1; i < count; ++i) text += ",n";
  return text;
}

// Before each comma but the last, `start -> "[" items . "," "]"` goes on for one step and is dead.
TEST(RightSpine, GrowsLinearlyWithAListThatMightEndAtEachComma) {
  const ListRest some(Elements(500) + "]"), many(Elements(4000) + "]");
  EXPECT_EQ(some.graph().size(), many.graph().size());
  EXPECT_LT(many.spine_bytes(), 12 * some.spine_bytes());
}

TEST(RightSpine, FollowsTheCommaThatEndsTheList) {
  EXPECT_FALSE(ListRest(Elements(3) + ",]").graph().roots().empty());
  EXPECT_TRUE(ListRest(Elements(3) + ",").graph().roots().empty());
}

}  // namespace
}  // namespace tenon::constraint
