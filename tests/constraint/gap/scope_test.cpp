// Scopes against brute force: what may be written, and whether a closing text within the scope is
// found.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/budgeted_gap.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "tests/constraint/gap_questions.h"
#include "tests/oracle/toy_layout.h"

namespace tenon::constraint {
namespace {

using oracle::ToyBlocks;
using oracle::ToyLayout;

// Reads `text` byte by byte as the indented toy language (words, i, brackets, blanks, line ends)
// and judges what stands at or behind `cursor`. Written for this test, from the definition of each
// scope alone.
class Judge {
 public:
  Judge(const std::string& text, size_t cursor, Scope scope)
      : text_(text), cursor_(cursor), scope_(scope) {}

  bool InScope() {
    if (scope_ == Scope::kFree) return true;
    for (size_t at = 0; at < text_.size(); ++at) {
      if (at == cursor_) StandAtCursor();
      bool written = at >= cursor_;
      char c = text_[at];
      if (written && scope_ == Scope::kLine && c == '\n') return false;
      if (c == '\n') {
        if (depth_ > 0) continue;
        if (written && content_ && own_.size() <= base_) line_ended_ = true;
        content_ = false;
        column_ = 0;
      } else if (c == ' ') {
        column_ += !content_ && depth_ == 0;
      } else if (!Content(c, written || (c == 'x' && GoesOnInMiddle(at)))) {
        return false;
      }
    }
    return true;
  }

 private:
  // A word that begins before the cursor and is lengthened behind it.
  bool GoesOnInMiddle(size_t at) const {
    if (at >= cursor_) return true;
    size_t end = text_.find_first_not_of('x', at);
    if (end == std::string::npos) end = text_.size();
    return end > cursor_;
  }

  void StandAtCursor() {
    if (scope_ == Scope::kArgument && depth_ == 0) scope_ = Scope::kLine;
    written_depth_ = 0;
    base_ = base_before_ = own_.size();
    if (!content_ && depth_ == 0) {
      while (base_ > 0 && own_[base_ - 1] > column_) --base_;
    }
    first_ = true;
  }

  bool Content(char c, bool written) {
    if (!content_ && depth_ == 0) {
      content_ = true;
      while (!own_.empty() && own_.back() > column_) own_.pop_back();
      if (written && own_.size() < base_) return false;
      if (column_ > (own_.empty() ? 0 : own_.back())) own_.push_back(column_);
      // The first line that is written says which block it stands in.
      if (written && first_) base_ = std::max(base_, std::min(own_.size(), base_before_));
      if (written && scope_ == Scope::kStatement && line_ended_ && own_.size() <= base_)
        return false;
    }
    if (written) first_ = false;
    if (c == '(') ++depth_;
    if (c == ')' && depth_ > 0) --depth_;
    if (written && c == '(') ++written_depth_;
    if (written && c == ')' && --written_depth_ < 0) {
      if (scope_ == Scope::kArgument) return false;
      written_depth_ = 0;
    }
    return true;
  }

  const std::string& text_;
  size_t cursor_;
  Scope scope_;
  std::vector<size_t> own_;  // columns of the open blocks, without the file's
  size_t base_ = 0, base_before_ = 0, depth_ = 0, column_ = 0;
  int written_depth_ = 0;
  bool content_ = false, line_ended_ = false, first_ = false;
};

struct Tally {
  size_t texts = 0, members = 0, gaps = 0, closable = 0, missed = 0;
};

constexpr Scope kScopes[] = {Scope::kBlock, Scope::kStatement, Scope::kLine, Scope::kArgument};

GapState Open(const std::shared_ptr<const Language>& language, const std::string& left,
              const std::string& right, Scope scope) {
  GapPolicy policy;
  policy.scope = scope;
  return OpenGap(language, left, right, std::move(policy));
}

void Compare(const ToyLayout& toy, const std::shared_ptr<const Language>& language,
             const std::string& left, const std::string& right, Scope scope,
             const std::vector<std::string>& middles, Tally& tally) {
  const GapState gap = Open(language, left, right, scope);
  bool closable = false;
  for (const std::string& middle : middles) {
    bool truth = toy.Valid(left + middle + right) &&
                 (middle.empty() || Judge(left + middle, left.size(), scope).InScope());
    GapState state = gap;
    bool ours = (middle.empty() || state.Accept(middle)) && state.Member();
    ++tally.texts;
    tally.members += truth;
    closable |= truth;
    ASSERT_EQ(ours, truth) << ToString(scope) << ": " << Shown(left) << " + " << Shown(middle)
                           << " + " << Shown(right);
  }
  ++tally.gaps;
  tally.closable += closable;
  auto closing = FindClosing(gap);
  if (closing) {
    std::string whole = left + closing->text;
    ASSERT_TRUE(toy.Valid(whole + right) && Judge(whole, left.size(), scope).InScope())
        << ToString(scope) << ": " << Shown(left) << " closed by " << Shown(closing->text)
        << " before " << Shown(right);
  } else if (closable) {
    ++tally.missed;
    if (tally.missed <= 5)
      std::cout << "missed " << ToString(scope) << " " << Shown(left) << " | " << Shown(right)
                << "\n";
  }
}

TEST(GapScope, WhatIsWrittenStaysInScopeAsBruteForceHasIt) {
  Tally tally;
  std::mt19937 random(5);
  for (const std::string alphabet : {"xi\n ", "xi(\n) "}) {
    ToyLayout toy(alphabet, ToyBlocks::kFile);
    auto language = Language::Compile(toy.ToLark(), "indented.lark");
    ASSERT_TRUE(language);
    std::vector<std::string> lefts = toy.AllTexts(alphabet.size() > 4 ? 4 : 5),
                             rights = toy.AllTexts(3);
    std::vector<std::string> middles = toy.AllTexts(4);
    for (int round = 0; round < 500; ++round) {
      std::string left = lefts[random() % lefts.size()], right = rights[random() % rights.size()];
      Scope scope = kScopes[random() % 4];
      if (!OpenExact(*language, left, right).viable()) continue;
      Compare(toy, *language, left, right, scope, middles, tally);
      if (HasFatalFailure()) return;
    }
  }
  std::cout << tally.texts << " texts, " << tally.members << " members in scope; " << tally.gaps
            << " gaps, " << tally.closable << " closable in scope, missed " << tally.missed << "\n";
  EXPECT_GT(tally.closable, 100u);
  EXPECT_LE(tally.missed * 20, tally.closable);
}

TEST(GapScope, LongerFilesStayInScope) {
  Tally tally;
  std::mt19937 random(6);
  ToyLayout toy("xi()\n ", ToyBlocks::kFile);
  auto language = Language::Compile(toy.ToLark(), "indented.lark");
  ASSERT_TRUE(language);
  std::vector<std::string> middles = toy.AllTexts(2);
  for (const char* middle : {"x\n", "x)\n", "\n  x", "\n x\n", "i\n  x", "i\n   x\n x",
                             "i\n    x\n  x", "\nx", " x\n\n x", "(x)x"})
    middles.push_back(middle);
  for (int round = 0; round < 800; ++round) {
    std::string file = toy.RandomFile(random);
    if (file.size() > 60 || file.find_first_not_of("xi()\n ") != std::string::npos) continue;
    size_t cut = random() % (file.size() + 1), end = std::min(file.size(), cut + random() % 5);
    Compare(toy, *language, file.substr(0, cut), file.substr(end), kScopes[random() % 4], middles,
            tally);
    if (HasFatalFailure()) return;
  }
  std::cout << tally.texts << " texts, " << tally.members << " members in scope; " << tally.gaps
            << " gaps, " << tally.closable << " closable in scope, missed " << tally.missed << "\n";
  EXPECT_GT(tally.closable, 100u);
  EXPECT_LE(tally.missed * 20, tally.closable);
}

// Blocks in braces: `x` is a statement. A text is valid where its braces are balanced.
bool Balanced(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

// Is the cursor's block closed in the first line at most, and open again at its end?
bool OpensBlockAgain(const std::string& middle) {
  int depth = 0;
  bool first_line = true;
  for (const char c : middle) {
    if (c == '\n' && depth < 0) return false;
    first_line = first_line && c != '\n';
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0 && !first_line) return false;
  }
  return depth >= 0;
}

// The brace that closes a field of a template is not the block's.
TEST(GapScope, AFieldOfATemplateIsOpenedAndClosedInABlock) {
  auto language = Language::Compile(
      "start: statement+\nstatement: \"x\" | \"{\" statement* \"}\" | TICK FIELD \"x\" \"}\" TOCK\n"
      "TICK: /`/\nTOCK: /`/\nFIELD: /\\$\\{/\n%mode text TOCK FIELD\n%mode field default\n"
      "%mode braces default\n%push TICK text\n%push FIELD field\n%push \"{\" braces\n"
      "%pop \"}\" TOCK\n",
      "templates.lark");
  ASSERT_TRUE(language) << language.error().ToString();
  for (const Scope scope : {Scope::kBlock, Scope::kStatement}) {
    GapState state = Open(*language, "{", "}", scope);
    EXPECT_TRUE(state.Accept("`${x}`") && state.Member()) << ToString(scope);
  }
}

TEST(GapScope, ABlockIsClosedInALineThatOpensItAgainAsBruteForceHasIt) {
  auto language = Language::Compile(
      "start: statement+\nstatement: \"x\" | \"{\" statement* \"}\"\n%ignore /[\\n]+/\n",
      "braces.lark");
  ASSERT_TRUE(language) << language.error().ToString();
  std::vector<std::string> middles{""};
  for (size_t i = 0; middles[i].size() < 5; ++i) {
    for (const char c : std::string("x{}\n")) middles.push_back(middles[i] + c);
  }
  size_t members = 0, again = 0, closable = 0;
  for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
           {"x{x", "x}x"}, {"{{x", "}x}"}, {"{", "}"}, {"x", "x"}, {"{", "}}"}, {"{{", "\n}"}}) {
    const GapState gap = Open(*language, left, right, Scope::kBlock);
    bool closes = false;
    for (const std::string& middle : middles) {
      const bool truth = Balanced(left + middle + right) && OpensBlockAgain(middle);
      GapState state = gap;
      const bool ours = (middle.empty() || state.Accept(middle)) && state.Member();
      EXPECT_EQ(ours, truth) << Shown(left) << " + " << Shown(middle) << " + " << Shown(right);
      members += truth;
      again += truth && !Balanced(middle);
      closes |= truth;
    }
    const auto closing = FindClosing(gap);
    EXPECT_EQ(closing.has_value(), closes) << Shown(left) << " | " << Shown(right);
    if (closing) {
      EXPECT_TRUE(Balanced(left + closing->text + right)) << closing->text;
    }
    // A brace of the cursor's block that is closed is opened again.
    GapState closed = gap;
    if (closes && closed.Accept("}")) {
      EXPECT_FALSE(closed.Check("\n"));
      EXPECT_TRUE(FindClosing(closed)) << Shown(left) << " }| " << Shown(right);
      ++closable;
    }
  }
  EXPECT_GT(members, 100U);
  EXPECT_GT(again, 20U);
  EXPECT_GT(closable, 2U);
}

}  // namespace
}  // namespace tenon::constraint
