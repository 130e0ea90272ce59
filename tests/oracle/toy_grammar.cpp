#include "tests/oracle/toy_grammar.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace tenon::oracle {

namespace {

std::string Lower(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

ToyGrammar::ToyGrammar(const std::string& text) : text_(text) {
  std::istringstream lines(text);
  std::set<std::string> heads;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head, arrow;
    if (!(words >> head >> arrow)) continue;
    if (arrow != "->") throw std::invalid_argument("toy grammar: expected '->' in: " + line);
    heads.insert(head);
    lines_.push_back({head, {{}}});
    for (std::string word; words >> word;) {
      if (word == "|") {
        lines_.back().second.emplace_back();
      } else {
        lines_.back().second.back().push_back(word);
      }
    }
  }
  for (const auto& [head, bodies] : lines_) {
    for (const auto& body : bodies) {
      for (const std::string& name : body) {
        if (!heads.contains(name)) terminals_.insert(name);
      }
    }
  }
  for (const std::string& name : terminals_) index_.emplace(name, index_.size());
  terminal_count_ = index_.size();
  for (const auto& line : lines_) index_.emplace(line.first, index_.size());
  symbol_count_ = index_.size();
  start_ = index_.at(lines_.at(0).first);
  for (const auto& [head, bodies] : lines_) {
    for (const auto& body : bodies) {
      Rule rule{index_.at(head), {}};
      for (const std::string& name : body) rule.body.push_back(index_.at(name));
      rules_.push_back(std::move(rule));
    }
  }
}

std::string ToyGrammar::LarkName(const std::string& terminal) {
  std::string name = terminal;
  for (char& c : name) {
    if (c == '#') break;
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string ToyGrammar::ToLark() const {
  std::string out = "%start " + Lower(lines_[0].first) + "\n";
  for (const auto& [head, bodies] : lines_) {
    out += Lower(head) + ":";
    for (size_t i = 0; i < bodies.size(); ++i) {
      if (i > 0) out += " |";
      for (const std::string& name : bodies[i])
        out += " " + (terminals_.contains(name) ? LarkName(name) : Lower(name));
    }
    out += "\n";
  }
  return out;
}

void ToyGrammar::AddEdge(std::vector<Relation>& edges, const Alternatives& lexeme, size_t from,
                         size_t to) const {
  for (const std::string& name : lexeme) {
    auto at = index_.find(name);
    if (at != index_.end() && at->second < terminal_count_) edges[at->second][from].set(to);
  }
}

bool ToyGrammar::Spans(std::vector<Relation> relations, size_t states, size_t last) const {
  relations.resize(symbol_count_, Relation(states));
  for (bool grew = true; grew;) {
    grew = false;
    for (const Rule& rule : rules_) {
      Relation& head = relations[rule.head];
      for (size_t p = 0; p < states; ++p) {
        Row at;
        at.set(p);
        for (size_t symbol : rule.body) {
          Row next;
          for (size_t q = at._Find_first(); q < kMaxStates; q = at._Find_next(q))
            next |= relations[symbol][q];
          at = next;
          if (at.none()) break;
        }
        Row merged = head[p] | at;
        if (merged == head[p]) continue;
        head[p] = merged;
        grew = true;
      }
    }
  }
  return relations[start_][0].test(last);
}

bool ToyGrammar::Member(const Lexemes& lexemes) const {
  if (lexemes.size() + 1 > kMaxStates) throw std::length_error("toy grammar: text too long");
  auto known = members_.find(lexemes);
  if (known != members_.end()) return known->second;
  size_t states = lexemes.size() + 1;
  std::vector<Relation> edges(terminal_count_, Relation(states));
  for (size_t i = 0; i < lexemes.size(); ++i) AddEdge(edges, lexemes[i], i, i + 1);
  bool member = Spans(std::move(edges), states, lexemes.size());
  members_.emplace(lexemes, member);
  return member;
}

bool ToyGrammar::Viable(const Lexemes& left, const Lexemes& right) const {
  size_t gap = left.size();
  size_t states = left.size() + right.size() + 1;
  if (states > kMaxStates) throw std::length_error("toy grammar: text too long");
  std::vector<Relation> edges(terminal_count_, Relation(states));
  for (size_t i = 0; i < left.size(); ++i) AddEdge(edges, left[i], i, i + 1);
  for (Relation& relation : edges) relation[gap].set(gap);
  for (size_t i = 0; i < right.size(); ++i) AddEdge(edges, right[i], gap + i, gap + i + 1);
  return Spans(std::move(edges), states, states - 1);
}

// The automaton of L, then of at most `most` tokens (state `gap + k * width`: after k of them; the
// states between: inside one), then of R, which every one of those states may begin.
bool ToyGrammar::ViableWithin(const Lexemes& left, const Lexemes& right,
                              const std::vector<std::vector<std::string>>& tokens,
                              size_t most) const {
  size_t gap = left.size(), width = 1;
  for (const auto& token : tokens) width += token.size() - 1;
  size_t behind = gap + most * width + 1, states = behind + right.size();
  if (states > kMaxStates) throw std::length_error("toy grammar: text too long");
  std::vector<Relation> edges(terminal_count_, Relation(states));
  for (size_t i = 0; i < left.size(); ++i) AddEdge(edges, left[i], i, i + 1);
  for (size_t k = 0; k < most; ++k) {
    size_t inside = gap + k * width;
    for (const auto& token : tokens) {
      size_t from = gap + k * width;
      for (size_t i = 0; i < token.size(); ++i) {
        size_t to = i + 1 == token.size() ? gap + (k + 1) * width : ++inside;
        AddEdge(edges, {token[i]}, from, to);
        from = to;
      }
    }
  }
  // R begins behind any number of tokens, and ends in the last state; an empty R means that all of
  // them may be last.
  for (size_t i = 0; i < right.size(); ++i) AddEdge(edges, right[i], behind - 1 + i, behind + i);
  if (right.empty()) {
    for (size_t k = 0; k <= most; ++k) {
      if (Spans(edges, states, gap + k * width)) return true;
    }
    return false;
  }
  for (size_t k = 0; k < most; ++k) AddEdge(edges, right[0], gap + k * width, behind);
  return Spans(std::move(edges), states, states - 1);
}

namespace {

using Bodies = std::map<std::string, std::vector<std::vector<std::string>>>;

bool IsReduced(const Bodies& bodies) {
  std::set<std::string> productive, reachable{"S"};
  for (size_t round = 0; round <= bodies.size(); ++round) {
    for (const auto& [head, alternatives] : bodies) {
      for (const auto& body : alternatives) {
        bool all = std::all_of(body.begin(), body.end(), [&](const std::string& x) {
          return !bodies.contains(x) || productive.contains(x);
        });
        if (all) productive.insert(head);
        if (!reachable.contains(head)) continue;
        for (const std::string& x : body) {
          if (bodies.contains(x)) reachable.insert(x);
        }
      }
    }
  }
  return productive.size() == bodies.size() && reachable.size() == bodies.size();
}

}  // namespace

std::string RandomGrammar(std::mt19937& random, const std::vector<std::string>& terminals) {
  auto pick = [&](std::initializer_list<size_t> from) {
    return *(from.begin() + random() % from.size());
  };
  while (true) {
    std::vector<std::string> heads{"S", "A", "B"};
    heads.resize(pick({2, 2, 3}));
    Bodies bodies;
    for (const std::string& head : heads) {
      for (size_t i = pick({2, 2, 3}); i > 0; --i) {
        std::vector<std::string> body(pick({1, 1, 2, 2, 3}));
        for (std::string& name : body) {
          size_t at = random() % (heads.size() + 2 * terminals.size());
          name = at < heads.size() ? heads[at] : terminals[(at - heads.size()) % terminals.size()];
        }
        bodies[head].push_back(body);
      }
    }
    if (random() % 5 == 0) bodies[heads[random() % heads.size()]].emplace_back();
    if (!IsReduced(bodies)) continue;
    std::string text;
    for (const std::string& head : heads) {
      text += head + " ->";
      for (size_t i = 0; i < bodies[head].size(); ++i) {
        if (i > 0) text += " |";
        for (const std::string& name : bodies[head][i]) text += " " + name;
      }
      text += "\n";
    }
    return text;
  }
}

}  // namespace tenon::oracle
