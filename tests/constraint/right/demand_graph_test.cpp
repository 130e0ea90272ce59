// The demand graph by LR stacks against the one by Earley: no stack may fall into different
// entries.
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/branch.h"
#include "constraint/right/right_context.h"
#include "tests/oracle/earley_demand.h"
#include "tests/oracle/toy_grammar.h"
#include "tests/source_path.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> CompileShipped(const std::string& name) {
  std::string path = SourcePath("grammars/") + name;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto compiled = Language::Compile(text, path);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

// Both graphs of one right context, asked about the same stacks.
class BothGraphs {
 public:
  BothGraphs(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
             const std::string& right, bool emit)
      : language_(language),
        mover_(mover),
        right_(language, mover, right, emit, 0),
        earley_(oracle::EarleyDemandGraph(*language->index, right_.context().automaton(),
                                          *language->yields[emit])),
        earley_classes_(*language->index, language->table, earley_, *language->yields[emit],
                        language->layout.has_columns()
                            ? std::optional(language->layout.indent_terminal())
                            : std::nullopt) {
    for (bool whole : {false, true}) demands_[whole] = right_.Prepare(whole, kAnyLevel, {});
  }

  // Entries of a stack by the LR stacks and by Earley.
  std::pair<int, int> Entries(NodeId top) {
    bool whole = top == kBottomNode;
    int by_lr = demands_[whole]->classes.Viable(mover_->stacks(), top);
    int by_earley = earley_classes_.Viable(mover_->stacks(), top);
    // Without a right context an open-ended language does not ask for its graph: only whether a
    // stack is viable counts.
    if (right_.context().text().empty() && language_->open_ended)
      return {by_lr != 0, by_earley != 0};
    return {by_lr, by_earley};
  }
  size_t size() const { return demands_[false]->right.graph.size(); }
  size_t earley_size() const { return earley_.size(); }

 private:
  std::shared_ptr<const Language> language_;
  std::shared_ptr<BranchMover> mover_;
  RightSide right_;
  SideDemand* demands_[2];  // [whole]
  DemandGraph earley_;
  ViabilityClasses earley_classes_;
};

// Every stack between two lexemes of `left`, and the last ones.
std::vector<NodeId> StacksIn(BranchMover& mover, std::string_view left) {
  std::vector<NodeId> tops{kBottomNode};
  std::vector<Branch> branches{Branch{}};
  for (char c : left) {
    branches = mover.Read(branches, static_cast<uint8_t>(c), false);
    for (const Branch& branch : branches) tops.push_back(branch.top);
  }
  std::sort(tops.begin(), tops.end());
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  return tops;
}

TEST(GapDemand, AgreesWithEarleyOnRandomGrammars) {
  size_t asked = 0, viable = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(910 + seed);
    std::vector<std::string> terminals{"T1", "T2", "T3"};
    oracle::ToyGrammar toy(oracle::RandomGrammar(random, terminals));
    std::string text = toy.ToLark(), letters;
    for (const std::string& name : toy.terminals()) {
      letters += static_cast<char>('a' + letters.size());
      text += name + ": /" + letters.back() + "/\n";
    }
    auto compiled = Language::Compile(text, "letters.lark");
    if (!compiled) continue;
    for (int i = 0; i < 25; ++i) {
      std::string right;
      for (size_t n = random() % (i % 2 == 0 ? 9 : 18); n > 0; --n)
        right += letters[random() % letters.size()];
      auto mover = std::make_shared<BranchMover>(**compiled);
      if (i % 2 == 0) mover->PackAbove(0);  // R's constructs by sets of ends, else by stacks
      BothGraphs both(*compiled, mover, right, false);
      for (int j = 0; j < 12; ++j) {
        std::string left;
        for (size_t n = random() % 6; n > 0; --n) left += letters[random() % letters.size()];
        for (NodeId top : StacksIn(*mover, left)) {
          auto [entries, earley] = both.Entries(top);
          ++asked;
          viable += earley != 0;
          ASSERT_EQ(entries, earley)
              << toy.text() << "\nseed " << seed << " left " << left << " right " << right;
        }
      }
    }
  }
  EXPECT_GT(viable, asked / 20);
  EXPECT_LT(viable, asked);
}

// Texts of the language cut at random places, and the stacks of each left side asked about every
// right side.
void ExpectAgreementOnCuts(const std::string& grammar, const std::string& text, unsigned seed,
                           int cuts) {
  auto language = CompileShipped(grammar);
  ASSERT_TRUE(language);
  std::mt19937 random(seed);
  auto mover = std::make_shared<BranchMover>(*language);
  std::vector<NodeId> tops = StacksIn(*mover, text);
  for (int i = 0; i < cuts; ++i) {
    std::string right = text.substr(random() % (text.size() + 1));
    mover->PackAbove(i % 3 == 0 ? 0 : kPackAbove);  // R's constructs by sets of ends, or by stacks
    BothGraphs both(language, mover, right, i % 2 == 0);
    for (NodeId top : tops) {
      auto [entries, earley] = both.Entries(top);
      ASSERT_EQ(entries, earley) << "seed " << seed << ", stack " << top.value
                                 << ", right context\n"
                                 << right;
    }
    EXPECT_LE(both.size(), both.earley_size());
  }
}

constexpr const char* kPython = R"(import os


@cached
class Shape(Base, metaclass=Meta):
    """A shape."""
    sides: int = 0

    def area(self, *, scale=1.0):
        if self.sides == 3 and (scale > 0 or not self.fixed):
            return [x ** 2 for x in self.edges if x] + list(
                map(lambda e: e * scale, self.edges))
        elif scale:
            total = {"a": 1, **self.rest}["a"]
        else:
            for a, (b, c) in pairs:
                total += a[b:c, ...]
                while True: break
            else:
                raise ValueError(f"no {scale!r}") from None
        return total

    async def fetch(self):
        async with open(self.path) as f, self.lock:
            return await f.read()  # all


def main():
    try:
        with (open("a") as a,
              open("b") as b):
            print(a, b, sep="\n")
    except (OSError, ValueError) as error:
        match error:
            case OSError(errno=2 | 3) if x:
                pass
            case _:
                del a, b
    finally:
        x = y = yield 1
    return x if x else \
        y


if __name__ == "__main__":
    main()
)";

constexpr const char* kJson = R"({"a": [1, 2, {"b": null, "c": [[], {}, [true, [false]]]}, "x"],
 "d": {"e": {"f": [-1.5e3, "\u00e4"]}}, "g": []})";

TEST(GapDemand, AgreesWithEarleyOnPython) { ExpectAgreementOnCuts("python.lark", kPython, 41, 60); }
constexpr const char* kGo = R"(package main

import "fmt"

type Shape[T any] struct {
	sides int
	next  *Shape[T]
}

func (s *Shape[T]) Area(scale float64) (float64, error) {
	for i, e := range s.edges {
		if x := f(e); x > 1 && !s.fixed {
			total += x * scale
			continue
		} else if i == 0 {
			return 0, fmt.Errorf("no %v", e)
		}
	}
	switch v := any(s).(type) {
	case nil:
		go run(map[string]int{"a": 1}, []int{1, 2})
	default:
		defer func() { _ = v }()
	}
	return total, nil
}
)";
constexpr const char* kSql =
    "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT DEFAULT 'x');\nSELECT a, count(*) AS key FROM t "
    "JOIN u ON t.a = u.a WHERE b LIKE 'x%' AND a IN (1, 2)\nGROUP BY a ORDER BY key DESC LIMIT "
    "3;\n";
TEST(GapDemand, AgreesWithEarleyOnGo) { ExpectAgreementOnCuts("go.lark", kGo, 43, 40); }
TEST(GapDemand, AgreesWithEarleyOnSql) { ExpectAgreementOnCuts("sql.lark", kSql, 44, 40); }
TEST(GapDemand, AgreesWithEarleyOnJson) { ExpectAgreementOnCuts("json.lark", kJson, 42, 120); }

TEST(GapDemand, DoesNotGrowWithTheStatementsThatFollow) {
  auto language = CompileShipped("python.lark");
  ASSERT_TRUE(language);
  auto size = [&](int statements) {
    std::string right = "b)\n";
    for (int i = 0; i < statements; ++i) right += "x = f(1)\n";
    RightContext context(language, right, true, 0);
    return context.Prepare(false, kAnyLevel, kPackAbove, {})->graph.size();
  };
  EXPECT_EQ(size(5), size(500));
}

}  // namespace
}  // namespace tenon::constraint
