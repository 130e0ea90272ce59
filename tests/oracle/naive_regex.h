// A slow, obvious matcher for a small part of the regular expression syntax: the oracle for
// constraint/automata.
//
// Knows characters, '.', classes with ranges and negation, groups, '|', '*', '+', '?', {m}, {m,}
// and {m,n}. Works on code points; shares no code with what it checks. A node maps the set of
// places where a match may begin to the set of places where it may end, so it needs no backtracking
// order and ends on nested repetitions.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tenon::oracle {

class NaiveRegex {
 public:
  // Nothing: the pattern is ill-formed.
  static std::optional<NaiveRegex> Parse(const std::u32string& pattern) {
    NaiveRegex regex;
    size_t at = 0;
    regex.root_ = Alternation(pattern, at);
    if (!regex.root_ || at != pattern.size()) return std::nullopt;
    return regex;
  }

  bool Matches(const std::u32string& text) const {
    return root_->Ends(text, {0}).count(text.size()) > 0;
  }

 private:
  using Places = std::set<size_t>;
  struct Node {
    enum Kind { kChar, kConcat, kOr, kRepeat } kind = kConcat;
    std::vector<std::pair<char32_t, char32_t>> ranges;
    bool negated = false;
    std::vector<std::shared_ptr<Node>> children;
    size_t min = 0, max = 0;  // max 0: unbounded

    Places Ends(const std::u32string& text, const Places& begins) const {
      Places ends;
      if (kind == kChar) {
        for (const size_t i : begins) {
          if (i < text.size() && Has(text[i])) ends.insert(i + 1);
        }
      } else if (kind == kConcat) {
        ends = begins;
        for (const auto& child : children) ends = child->Ends(text, ends);
      } else if (kind == kOr) {
        for (const auto& child : children) ends.merge(child->Ends(text, begins));
      } else {
        // More rounds than characters and required copies bring nothing new.
        const size_t rounds = max > 0 ? max : min + text.size() + 1;
        Places now = begins;
        for (size_t round = 0; round <= rounds; ++round) {
          if (round >= min) ends.insert(now.begin(), now.end());
          now = children[0]->Ends(text, now);
        }
        if (max_is_zero) ends = begins;
      }
      return ends;
    }
    bool Has(char32_t c) const {
      bool inside = false;
      for (const auto& [low, high] : ranges) inside = inside || (low <= c && c <= high);
      return inside != negated;
    }
    bool max_is_zero = false;
  };
  using NodePtr = std::shared_ptr<Node>;

  static NodePtr Alternation(const std::u32string& p, size_t& at) {
    auto node = std::make_shared<Node>();
    node->kind = Node::kOr;
    while (true) {
      NodePtr branch = Sequence(p, at);
      if (!branch) return nullptr;
      node->children.push_back(branch);
      if (at >= p.size() || p[at] != '|') return node;
      ++at;
    }
  }

  static NodePtr Sequence(const std::u32string& p, size_t& at) {
    auto node = std::make_shared<Node>();
    while (at < p.size() && p[at] != '|' && p[at] != ')') {
      NodePtr part = One(p, at);
      if (!part) return nullptr;
      if (Repeat(p, at, part) && !part) return nullptr;
      NodePtr again = part;
      if (Repeat(p, at, again)) return nullptr;  // two quantifiers in a row
      node->children.push_back(part);
    }
    return node;
  }

  static NodePtr One(const std::u32string& p, size_t& at) {
    const char32_t c = p[at++];
    if (c == '(') {
      NodePtr body = Alternation(p, at);
      if (!body || at >= p.size() || p[at++] != ')') return nullptr;
      return body;
    }
    if (c == '*' || c == '+' || c == '?') return nullptr;
    auto node = std::make_shared<Node>();
    node->kind = Node::kChar;
    if (c == '.') {
      node->ranges = {{'\n', '\n'}};
      node->negated = true;
      return node;
    }
    if (c != '[') {
      node->ranges = {{c, c}};
      return node;
    }
    if (at < p.size() && p[at] == '^') {
      node->negated = true;
      ++at;
    }
    for (bool first = true; at < p.size(); first = false) {
      if (p[at] == ']' && !first) {
        ++at;
        return node;
      }
      const char32_t low = p[at++];
      char32_t high = low;
      if (at + 1 < p.size() && p[at] == '-' && p[at + 1] != ']') {
        high = p[at + 1];
        at += 2;
      }
      if (low > high) return nullptr;
      node->ranges.push_back({low, high});
    }
    return nullptr;
  }

  // True: a quantifier was read. `part` becomes the repetition, or null where the counts are
  // reversed.
  static bool Repeat(const std::u32string& p, size_t& at, NodePtr& part) {
    if (at >= p.size()) return false;
    auto node = std::make_shared<Node>();
    node->kind = Node::kRepeat;
    node->children = {part};
    size_t next = at + 1;
    if (p[at] == '+') {
      node->min = 1;
    } else if (p[at] == '?') {
      node->max = 1;
    } else if (p[at] == '{') {
      const size_t digits = next;
      node->min = Number(p, next);
      if (next == digits) return false;
      node->max = node->min;
      bool bounded = true;
      if (next < p.size() && p[next] == ',') {
        const size_t upper = ++next;
        node->max = Number(p, next);
        bounded = next != upper;
      }
      if (next >= p.size() || p[next] != '}') return false;
      ++next;
      if (bounded && node->max < node->min)
        node = nullptr;
      else
        node->max_is_zero = bounded && node->max == 0;
    } else if (p[at] != '*') {
      return false;
    }
    at = next;
    part = node;
    return true;
  }

  static size_t Number(const std::u32string& p, size_t& at) {
    size_t value = 0;
    while (at < p.size() && p[at] >= '0' && p[at] <= '9') value = value * 10 + (p[at++] - '0');
    return value;
  }

  NodePtr root_;
};

}  // namespace tenon::oracle
