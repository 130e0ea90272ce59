#include "constraint/grammar_file/rule_expander.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

constexpr size_t kInlineAlternatives = 16;
constexpr size_t kMaxAlternatives = 4096;
// A repetition of more alternatives than this gets a nonterminal for them: it would need each of
// them twice.
constexpr size_t kRepeatedAlternatives = 2;

using Alternatives = std::vector<PlainBody>;

void Deduplicate(Alternatives& alternatives) {
  std::set<PlainBody> seen;
  alternatives.erase(
      std::remove_if(alternatives.begin(), alternatives.end(),
                     [&](const PlainBody& body) { return !seen.insert(body).second; }),
      alternatives.end());
}

// Removes the empty alternative; true if there was one.
bool TakeEmpty(Alternatives& alternatives) {
  const auto empty = std::find_if(alternatives.begin(), alternatives.end(),
                                  [](const PlainBody& body) { return body.empty(); });
  if (empty == alternatives.end()) return false;
  alternatives.erase(empty);
  return true;
}

class RuleExpander {
 public:
  RuleExpander(TerminalTable& terminals, ErrorSink& errors)
      : terminals_(terminals), errors_(errors) {}

  PlainRules Run(const std::vector<Definition>& rules) {
    for (uint32_t i = 0; i < rules.size(); ++i) {
      by_name_.emplace(rules[i].name, i);
      result_.nonterminals.push_back({rules[i].name, rules[i].place, false, {}});
    }
    for (uint32_t i = 0; i < rules.size() && !errors_.failed(); ++i) {
      result_.nonterminals[i].bodies = Expand(rules[i].body);
    }
    return std::move(result_);
  }

 private:
  Alternatives Expand(const Expr& expr) {
    if (errors_.failed()) return {};
    switch (expr.kind) {
      case ExprKind::kSequence:
        return ExpandSequence(expr);
      case ExprKind::kRepeat:
        return ExpandRepeat(expr);
      case ExprKind::kAlternatives: {
        Alternatives result;
        for (const Expr& child : expr.children) {
          for (PlainBody& body : Expand(child)) result.push_back(std::move(body));
        }
        Deduplicate(result);
        return result;
      }
      default:
        return {{Resolve(expr)}};
    }
  }

  PlainSymbol Resolve(const Expr& expr) {
    if (expr.kind == ExprKind::kRule) {
      const auto rule = by_name_.find(expr.text);
      if (rule != by_name_.end())
        return Restricted(Marked({false, rule->second}, expr.marks), expr);
      errors_.Fail(GrammarErrorCode::kUndefined, expr.place,
                   fmt::format("the rule '{}' is not defined", expr.text));
      return {};
    }
    TerminalIndex terminal;
    if (expr.kind == ExprKind::kTerminal) {
      const auto named = terminals_.FindNamed(expr.text);
      if (!named) {
        errors_.Fail(
            GrammarErrorCode::kUndefined, expr.place,
            fmt::format("the terminal '{}' is not defined: define it, or %declare it", expr.text));
        return {};
      }
      terminal = *named;
    } else if (expr.kind == ExprKind::kRegex) {
      terminal = terminals_.Regex(expr.text, expr.flags, expr.place);
    } else if (expr.kind == ExprKind::kLiteral) {
      if (expr.text.empty())
        errors_.Fail(GrammarErrorCode::kEmptyTerminal, expr.place,
                     "an empty literal: for the empty text write an empty alternative");
      terminal = terminals_.Literal(expr.text, expr.flags, expr.place);
    } else {
      errors_.Fail(GrammarErrorCode::kSyntax, expr.place,
                   "a range of characters stands in terminals only: define a terminal for it");
      return {};
    }
    terminals_.entries[terminal.value].in_rules = true;
    return {true, IndexOf({terminal, Predicate(expr.predicate)})};
  }

  PlainSymbol Marked(PlainSymbol rule, const std::vector<ContextMark>& marks) {
    if (marks.empty()) return rule;
    std::string name = result_.nonterminals[rule.index].name;
    ContextChange change;
    for (const ContextMark& mark : marks) {
      if (mark.predicate == "given") {
        errors_.Fail(GrammarErrorCode::kMechanism, mark.place,
                     "'given' is no matter of context: no rule turns it on");
      }
      const uint32_t predicate = *Predicate(mark.predicate);
      if (predicate >= kMaxPredicates) {
        errors_.Fail(GrammarErrorCode::kTooLarge, mark.place,
                     fmt::format("the grammar has more than {} predicates", kMaxPredicates));
        return rule;
      }
      const PredicateBits bit = PredicateBits{1} << predicate;
      if ((change.on | change.off) & bit) {
        errors_.Fail(GrammarErrorCode::kMechanism, mark.place,
                     fmt::format("'{}' is changed twice at one place", mark.predicate));
      }
      (mark.on ? change.on : change.off) |= bit;
      name += (mark.on ? '+' : '-') + mark.predicate;
    }
    const auto [known, fresh] =
        marked_.emplace(std::tuple(rule, change.on, change.off),
                        PlainSymbol{false, static_cast<uint32_t>(result_.nonterminals.size())});
    if (fresh) result_.nonterminals.push_back({std::move(name), {}, true, {{rule}}, change});
    return known->second;
  }

  // A condition on the line, asked of the first terminal.
  PlainSymbol Restricted(PlainSymbol rule, const Expr& expr) {
    if (expr.predicate.empty()) return rule;
    const auto [known, fresh] =
        restricted_.emplace(std::pair(rule, expr.predicate),
                            PlainSymbol{false, static_cast<uint32_t>(result_.nonterminals.size())});
    if (fresh) {
      PlainNonterminal made{
          result_.nonterminals[rule.index].name + ":" + expr.predicate, expr.place, true, {{rule}}};
      made.first_predicate = Predicate(expr.predicate);
      result_.nonterminals.push_back(std::move(made));
    }
    return known->second;
  }

  std::optional<uint32_t> Predicate(const std::string& name) {
    if (name.empty()) return std::nullopt;
    std::vector<std::string>& names = result_.predicates;
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) {
      names.push_back(name);
      return static_cast<uint32_t>(names.size() - 1);
    }
    return static_cast<uint32_t>(known - names.begin());
  }

  uint32_t IndexOf(const PlainTerminal& lr_terminal) {
    const auto [known, fresh] =
        lr_terminals_.emplace(lr_terminal, static_cast<uint32_t>(result_.lr_terminals.size()));
    if (fresh) result_.lr_terminals.push_back(lr_terminal);
    return known->second;
  }

  Alternatives ExpandSequence(const Expr& expr) {
    std::vector<Alternatives> parts;
    for (const Expr& child : expr.children) parts.push_back(Expand(child));
    if (errors_.failed()) return {};
    // Groups that multiply too far become nonterminals, the largest first.
    while (Product(parts) > kInlineAlternatives) {
      const auto largest =
          std::max_element(parts.begin(), parts.end(),
                           [](const auto& a, const auto& b) { return Written(a) < Written(b); });
      if (Written(*largest) < 2) break;
      const bool optional = TakeEmpty(*largest);
      *largest = {{Group(*largest)}};
      if (optional) largest->push_back({});
    }
    return Multiply(parts, expr.place);
  }

  // Alternatives that are not empty.
  static size_t Written(const Alternatives& part) {
    return static_cast<size_t>(std::count_if(part.begin(), part.end(),
                                             [](const PlainBody& body) { return !body.empty(); }));
  }

  static size_t Product(const std::vector<Alternatives>& parts) {
    size_t product = 1;
    for (const Alternatives& part : parts)
      product = std::min(product * part.size(), kMaxAlternatives + 1);
    return product;
  }

  Alternatives Multiply(const std::vector<Alternatives>& parts, FilePlace place) {
    if (Product(parts) > kMaxAlternatives) {
      errors_.Fail(GrammarErrorCode::kTooLarge, place,
                   fmt::format("this stands for more than {} alternatives: give some of its "
                               "optional parts a rule of their own",
                               kMaxAlternatives));
      return {};
    }
    Alternatives result = {{}};
    for (const Alternatives& part : parts) {
      Alternatives longer;
      for (const PlainBody& head : result) {
        for (const PlainBody& tail : part) {
          PlainBody& body = longer.emplace_back(head);
          body.insert(body.end(), tail.begin(), tail.end());
        }
      }
      result = std::move(longer);
    }
    Deduplicate(result);
    return result;
  }

  Alternatives ExpandRepeat(const Expr& expr) {
    Alternatives body = Expand(expr.children[0]);
    const bool nullable = TakeEmpty(body) || expr.min == 0;
    if (body.empty() || expr.max == 0) return {{}};
    Alternatives result;
    if (expr.max == Expr::kUnbounded) {
      result = {{Plus(std::move(body))}};
    } else {
      if (body.size() > 1 &&
          Product(std::vector<Alternatives>(expr.max, body)) > kInlineAlternatives)
        body = {{Group(body)}};
      const uint32_t least = nullable ? 1 : expr.min;
      for (uint32_t count = least; count <= expr.max && !errors_.failed(); ++count) {
        for (PlainBody& copies : Multiply(std::vector<Alternatives>(count, body), expr.place))
          result.push_back(std::move(copies));
        if (result.size() > kMaxAlternatives) {
          errors_.Fail(GrammarErrorCode::kTooLarge, expr.place,
                       fmt::format("this repetition stands for more than {} alternatives",
                                   kMaxAlternatives));
        }
      }
    }
    if (nullable) result.push_back({});
    Deduplicate(result);
    return result;
  }

  PlainSymbol Group(const Alternatives& body) {
    const auto [known, fresh] = groups_.emplace(
        Sorted(body), PlainSymbol{false, static_cast<uint32_t>(result_.nonterminals.size())});
    if (fresh)
      result_.nonterminals.push_back({fmt::format("__group_{}", groups_.size()), {}, true, body});
    return known->second;
  }

  PlainSymbol Plus(Alternatives body) {
    const auto known = pluses_.find(Sorted(body));
    if (known != pluses_.end()) return known->second;
    const Alternatives key = Sorted(body);
    if (body.size() > kRepeatedAlternatives) body = {{Group(body)}};
    const PlainSymbol plus{false, static_cast<uint32_t>(result_.nonterminals.size())};
    pluses_.emplace(key, plus);
    Alternatives bodies = body;
    for (const PlainBody& once : body) {
      PlainBody& again = bodies.emplace_back(PlainBody{plus});
      again.insert(again.end(), once.begin(), once.end());
    }
    result_.nonterminals.push_back(
        {fmt::format("__plus_{}", pluses_.size()), {}, true, std::move(bodies)});
    return plus;
  }

  static Alternatives Sorted(Alternatives alternatives) {
    std::sort(alternatives.begin(), alternatives.end());
    return alternatives;
  }

  TerminalTable& terminals_;
  ErrorSink& errors_;
  PlainRules result_;
  std::map<std::string, uint32_t> by_name_;
  std::map<PlainTerminal, uint32_t> lr_terminals_;
  std::map<std::tuple<PlainSymbol, PredicateBits, PredicateBits>, PlainSymbol> marked_;
  std::map<std::pair<PlainSymbol, std::string>, PlainSymbol> restricted_;  // by rule and condition
  // Sorted alternatives -> __group_N, __plus_N.
  std::map<Alternatives, PlainSymbol> groups_, pluses_;
};

}  // namespace

PlainRules ExpandRules(const std::vector<Definition>& rules, TerminalTable& terminals,
                       ErrorSink& errors) {
  if (errors.failed()) return {};
  return RuleExpander(terminals, errors).Run(rules);
}

}  // namespace tenon::constraint
