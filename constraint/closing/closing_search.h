// One search for a text that closes a gap: candidates are spelled, written and verified.
//
// Example: L = `x = foo(a, |`, nothing on the right. The cheapest plan is NAME `)`. Its words are
// written one after the other on a copy of the state: `a`, then `)`. The last one makes the middle
// a member, so `a)` is the answer. A plan for a block in Python holds NEWLINE and INDENT, too:
// several columns are tried for them (layout_texts.h).
//
// Names are spelled as short as they may be, `a`. A right context may ask for another one: in Java
// R = ` A() {} }` is a constructor of the class whose head is to be written. Where R was refused
// for its names, these are tried too: `class A{`. R may begin inside such a name: `Dia` closes
// `<|log>a</Dialog>`. Or R begins with such a name, and a word before it makes it another's: in
// `class A { |b() {} }` the method `b` lacks a type.
//
// A word may have several texts, and a plan several words. Where two choices lead to the same
// branches, and the rest of the plan failed after the shorter one, it is not tried after the
// longer one. So a plan that fails costs its words times the branches that they lead to, and not
// the product of all choices. Names of the right context make branches differ: after some
// hundreds of beginnings a plan with names is given up.
//
// Source: docs/design/closing.md. Cost: milliseconds. Thread rule: one thread at a time, with the
// gap.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "constraint/closing/closer.h"

namespace tenon::constraint {

class ClosingSearch {
 public:
  // REQUIRES: all outlive this; the state is one of the closer's gap.
  ClosingSearch(const GapState& state, Closer& closer, Closer::Contexts& contexts);

  // The first text of at most `enough` tokens, else the text of the fewest tokens. Nothing: no
  // candidate closes the gap.
  std::optional<Closing> Run(uint32_t enough);
  // Those of `words`, each after a blank where it needs one, that could let R begin with a name
  // that it asks for. None: R begins with no such name.
  std::vector<std::string> WordsBeforeAskedName(std::span<const std::string> words) const;

 private:
  // Counts a text that closes the gap, and keeps the one of the fewest tokens. True: it is short
  // enough, and the search is over.
  bool Offer(std::optional<Closing> found);
  // The lexeme in progress goes on into R. True: the search is over.
  bool GoOnIntoRight();
  void FollowPlans();
  std::optional<Closing> RealisePlan(const GapState& begun, const std::string& text,
                                     const Plan& plan);
  // A name that R asks for ends in R: the middle begins it, or goes on with it.
  void EndInAskedName();
  bool Closes(const GapState& state);

  // `so_far` and `piece`, if they close the gap. `from`: the state after `so_far`.
  std::optional<Closing> Verified(const GapState& from, const std::string& so_far,
                                  const std::string& piece);
  // Texts for the plan's terminals from `at` on, after `so_far`, at which `state` stands.
  std::optional<Closing> Realise(const GapState& state, const std::string& so_far, const Plan& plan,
                                 size_t at);
  std::optional<Closing> RealiseAnew(const GapState& state, const std::string& so_far,
                                     const Plan& plan, size_t at);
  // The plan's words are written: the separators and beginnings of comments that R can follow are
  // tried.
  std::optional<Closing> Finish(const GapState& state, const std::string& so_far);

  // The lexical context once the lexeme in progress has ended.
  std::optional<LexicalContext> ContextOf(const GapState& state) const;
  // Texts for one terminal of a plan, the better first.
  std::vector<std::string> Words(SymbolId terminal, const LexicalContext& context) const;
  [[nodiscard]] bool DeclaresName(SymbolId terminal) const;
  [[nodiscard]] std::optional<std::string> NameInOrder(const Plan& plan, size_t at) const;
  // Texts between `begun` and R that make a name of the three that R asks for.
  std::vector<std::string> BeforeRestOfName(const std::string& begun) const;
  // Would the lexeme in progress swallow the first byte of `word`?
  bool RunsTogether(const GapState& state, const std::string& word) const;

  const GapState& state_;
  Closer& closer_;
  SharedGap& gap_;
  Closer::Contexts& contexts_;
  uint32_t enough_ = 0;
  std::optional<Closing> best_;
  // Of the plan that is tried: (terminals that are written, branches then) -> the least bytes
  // after which the rest failed.
  std::map<std::pair<size_t, std::vector<Branch>>, size_t> failed_;
  size_t tries_left_ = 0;  // of this plan
  // So many of the names that R asks for are written, in their order alone; nothing: any of them in
  // any place.
  std::optional<size_t> names_in_order_;
};

}  // namespace tenon::constraint
