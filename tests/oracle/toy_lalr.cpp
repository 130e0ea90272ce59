#include "tests/oracle/toy_lalr.h"

#include <algorithm>
#include <sstream>

namespace tenon::oracle {

std::vector<ToyLalr::Rule> ToyLalr::RulesOf(const ToyGrammar& grammar) {
  std::vector<Rule> rules;
  std::istringstream lines(grammar.text());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head, arrow;
    if (!(words >> head >> arrow)) continue;
    rules.push_back({head, {}});
    for (std::string word; words >> word;) {
      if (word == "|") {
        rules.push_back({head, {}});
      } else {
        rules.back().body.push_back(word);
      }
    }
  }
  return rules;
}

bool ToyLalr::Fits(const ToyGrammar& grammar) {
  std::vector<Rule> rules = RulesOf(grammar);
  return std::none_of(rules.begin(), rules.end(), [](const Rule& rule) {
    return rule.body.empty() || rule.body == std::vector<std::string>{rule.head};
  });
}

ToyLalr::ToyLalr(const ToyGrammar& grammar, std::map<std::string, std::string> fallback)
    : rules_(RulesOf(grammar)), fallback_(std::move(fallback)) {
  rules_.insert(rules_.begin(), Rule{"$start", {rules_[0].head}});
  for (const Rule& rule : rules_) heads_.insert(rule.head);
  Build();
}

std::set<std::string> ToyLalr::First(const std::string& symbol) const {
  std::set<std::string> seen{symbol}, first;
  std::vector<std::string> work{symbol};
  while (!work.empty()) {
    std::string x = work.back();
    work.pop_back();
    if (!heads_.contains(x)) first.insert(x);
    for (const Rule& rule : rules_) {
      if (rule.head == x && seen.insert(rule.body[0]).second) work.push_back(rule.body[0]);
    }
  }
  return first;
}

ToyLalr::Items ToyLalr::Close(Items items) const {
  std::vector<Item> work(items.begin(), items.end());
  while (!work.empty()) {
    Item item = work.back();
    work.pop_back();
    const std::vector<std::string>& body = rules_[item.rule].body;
    if (item.dot == body.size() || !heads_.contains(body[item.dot])) continue;
    std::set<std::string> aheads =
        item.dot + 1 < body.size() ? First(body[item.dot + 1]) : std::set<std::string>{item.ahead};
    for (size_t r = 0; r < rules_.size(); ++r) {
      if (rules_[r].head != body[item.dot]) continue;
      for (const std::string& ahead : aheads) {
        Item made{r, 0, ahead};
        if (items.insert(made).second) work.push_back(made);
      }
    }
  }
  return items;
}

void ToyLalr::Build() {
  std::vector<Items> canonical{Close({{0, 0, "$"}})};
  std::map<Items, size_t> ids{{canonical[0], 0}};
  std::vector<std::map<std::string, size_t>> gotos;
  for (size_t s = 0; s < canonical.size(); ++s) {
    std::map<std::string, Items> next;
    for (const Item& item : canonical[s]) {
      const std::vector<std::string>& body = rules_[item.rule].body;
      if (item.dot < body.size())
        next[body[item.dot]].insert({item.rule, item.dot + 1, item.ahead});
    }
    gotos.emplace_back();
    for (auto& [symbol, kernel] : next) {
      Items closed = Close(std::move(kernel));
      auto [at, fresh] = ids.try_emplace(closed, canonical.size());
      if (fresh) canonical.push_back(std::move(closed));
      gotos[s][symbol] = at->second;
    }
  }
  std::map<Core, size_t> merged;
  std::vector<size_t> merged_of;
  for (const Items& items : canonical) {
    Core core;
    for (const Item& item : items) core.emplace(item.rule, item.dot);
    auto [at, fresh] = merged.try_emplace(core, states_.size());
    if (fresh) states_.emplace_back();
    states_[at->second].insert(items.begin(), items.end());
    merged_of.push_back(at->second);
  }
  gotos_.resize(states_.size());
  for (size_t s = 0; s < canonical.size(); ++s) {
    for (const auto& [symbol, to] : gotos[s]) gotos_[merged_of[s]][symbol] = merged_of[to];
  }
}

bool ToyLalr::HasAction(size_t state, const std::string& terminal) const {
  if (gotos_[state].contains(terminal)) return true;
  return std::any_of(states_[state].begin(), states_[state].end(), [&](const Item& item) {
    return item.dot == rules_[item.rule].body.size() && item.ahead == terminal;
  });
}

std::set<ToyLalr::Stack> ToyLalr::Shift(const std::set<Stack>& stacks,
                                        const std::string& terminal) const {
  std::set<Stack> seen = stacks, shifted;
  std::vector<Stack> work(stacks.begin(), stacks.end());
  while (!work.empty()) {
    Stack stack = work.back();
    work.pop_back();
    size_t state = stack.back();
    std::string known = terminal;
    if (fallback_.contains(terminal) && !HasAction(state, terminal)) known = fallback_.at(terminal);
    if (auto at = gotos_[state].find(known); at != gotos_[state].end()) {
      Stack next = stack;
      next.push_back(at->second);
      shifted.insert(std::move(next));
    }
    for (const Item& item : states_[state]) {
      const Rule& rule = rules_[item.rule];
      if (item.dot != rule.body.size() || item.ahead != known) continue;
      if (item.rule == 0) {
        shifted.insert(stack);
        continue;
      }
      Stack next(stack.begin(), stack.end() - static_cast<std::ptrdiff_t>(rule.body.size()));
      next.push_back(gotos_[next.back()].at(rule.head));
      if (seen.insert(next).second) work.push_back(std::move(next));
    }
  }
  return shifted;
}

bool ToyLalr::Member(const Lexemes& lexemes) const {
  std::set<Stack> stacks{{0}};
  for (const Alternatives& lexeme : lexemes) stacks = Shift(stacks, lexeme[0]);
  return !Shift(stacks, "$").empty();
}

}  // namespace tenon::oracle
