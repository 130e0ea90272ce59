// A backtracking matcher with groups, back-references, lazy repetition and atomic groups: the
// oracle for what constraint/automata makes of them. It tries ways in the order of Python's `re`.
//
// Knows characters, '.', classes without ranges, groups (plain, (?:...), (?>...)), '|', '*', '+',
// '?', {m,n}, each also with '?', and \1 to \9. A text matches if some way through all that stands
// before the first lazy repetition, and from there on the first way that ends anywhere, ends at the
// end of the text. Shares no code with what it checks. Cost: exponential; for short texts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::oracle {

class BacktrackingRegex {
 public:
  // Nothing: the pattern is ill-formed.
  static std::optional<BacktrackingRegex> Parse(const std::string& pattern) {
    BacktrackingRegex regex;
    size_t at = 0;
    regex.root_ = regex.Alternation(pattern, at);
    if (!regex.root_ || at != pattern.size()) return std::nullopt;
    return regex;
  }

  bool Matches(const std::string& text) const {
    Run run{text, std::vector<Span>(groups_.size() + 1), false, 0};
    return Try(*root_, run, 0, [&](size_t end) {
      run.end = end;
      return run.first_counts || end == text.size();
    });
  }

 private:
  using Span = std::optional<std::pair<size_t, size_t>>;
  struct Node {
    enum Kind { kChar, kConcat, kOr, kRepeat, kGroup, kReference, kAtomic } kind = kConcat;
    std::string characters;
    bool negated = false, lazy = false;
    std::vector<std::shared_ptr<Node>> children;
    size_t min = 0, max = kMany, group = 0;
  };
  using NodePtr = std::shared_ptr<Node>;
  struct Run {
    const std::string& text;
    std::vector<Span> groups;
    bool first_counts = false;  // behind a lazy repetition
    size_t end = 0;             // of the last way that came to the pattern's end
  };
  using Next = std::function<bool(size_t)>;
  static constexpr size_t kMany = 1000000;

  bool Try(const Node& node, Run& run, size_t at, const Next& next) const {
    switch (node.kind) {
      case Node::kChar:
        return at < run.text.size() &&
               (node.characters.find(run.text[at]) == std::string::npos) == node.negated &&
               next(at + 1);
      case Node::kConcat:
        return Parts(node, 0, run, at, next);
      case Node::kOr:
        for (const NodePtr& child : node.children) {
          if (Try(*child, run, at, next)) return true;
        }
        return false;
      case Node::kRepeat:
        if (!node.lazy || run.first_counts) return Rounds(node, 0, run, at, next);
        return First(run, [&] { return Rounds(node, 0, run, at, next); }) &&
               run.end == run.text.size();
      case Node::kGroup:
        return Try(*node.children[0], run, at, [&](size_t end) {
          const Span before = std::exchange(run.groups[node.group], Span({at, end}));
          if (next(end)) return true;
          run.groups[node.group] = before;
          return false;
        });
      case Node::kReference: {
        const Span span = run.groups[node.group];
        if (!span) return false;
        const std::string said = run.text.substr(span->first, span->second - span->first);
        return run.text.compare(at, said.size(), said) == 0 && next(at + said.size());
      }
      case Node::kAtomic: {
        size_t end = 0;
        const std::vector<Span> before = run.groups;
        const auto body = [&] {
          return Try(*node.children[0], run, at, [&](size_t e) {
            end = e;
            return true;
          });
        };
        if (First(run, body) && next(end)) return true;
        run.groups = before;
        return false;
      }
    }
    return false;
  }

  // The first way counts, wherever it ends.
  template <typename Body>
  static bool First(Run& run, const Body& body) {
    const bool before = std::exchange(run.first_counts, true);
    const bool found = body();
    run.first_counts = before;
    return found;
  }

  bool Parts(const Node& node, size_t i, Run& run, size_t at, const Next& next) const {
    if (i == node.children.size()) return next(at);
    return Try(*node.children[i], run, at,
               [&](size_t end) { return Parts(node, i + 1, run, end, next); });
  }

  bool Rounds(const Node& node, size_t round, Run& run, size_t at, const Next& next) const {
    if (node.lazy && round >= node.min && next(at)) return true;
    const auto again = [&](size_t end) {
      return (end > at || round < node.min) && Rounds(node, round + 1, run, end, next);
    };
    if (round < node.max && Try(*node.children[0], run, at, again)) return true;
    return !node.lazy && round >= node.min && next(at);
  }

  NodePtr Alternation(const std::string& p, size_t& at) {
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

  NodePtr Sequence(const std::string& p, size_t& at) {
    auto node = std::make_shared<Node>();
    while (at < p.size() && p[at] != '|' && p[at] != ')') {
      NodePtr part = One(p, at);
      if (!part) return nullptr;
      if (Quantifier(p, at, part) && (!part || Quantifier(p, at, part))) return nullptr;
      node->children.push_back(part);
    }
    return node;
  }

  NodePtr One(const std::string& p, size_t& at) {
    const char c = p[at++];
    auto node = std::make_shared<Node>();
    if (c == '(') {
      const std::string prefix = p.substr(at, 2);
      const bool plain = prefix == "?:", atomic = prefix == "?>";
      if (plain || atomic) at += 2;
      node->kind = atomic ? Node::kAtomic : Node::kGroup;
      if (!plain && !atomic) {
        groups_.push_back(true);
        node->group = groups_.size();
      }
      NodePtr body = Alternation(p, at);
      if (!body || at >= p.size() || p[at++] != ')') return nullptr;
      if (plain) return body;
      if (!atomic) groups_[node->group - 1] = false;
      node->children = {body};
      return node;
    }
    if (c == '*' || c == '+' || c == '?') return nullptr;
    if (c == '\\' && at < p.size() && p[at] >= '1' && p[at] <= '9') {
      node->kind = Node::kReference;
      node->group = static_cast<size_t>(p[at++] - '0');
      if (node->group > groups_.size() || groups_[node->group - 1]) return nullptr;
      return node;
    }
    node->kind = Node::kChar;
    node->negated = c == '.';
    node->characters = c == '.' ? "\n" : std::string(1, c);
    if (c == '[') {
      node->negated = p.at(at) == '^';
      const size_t close = p.find(']', at);
      node->characters = p.substr(at + node->negated, close - at - node->negated);
      at = close + 1;
    }
    return node;
  }

  // True: one was read. `part` becomes the repetition, or null where the counts are reversed.
  static bool Quantifier(const std::string& p, size_t& at, NodePtr& part) {
    if (at >= p.size()) return false;
    auto node = std::make_shared<Node>();
    node->kind = Node::kRepeat;
    node->children = {part};
    if (p[at] == '{') {  // of the form {m,n} with one digit each
      node->min = static_cast<size_t>(p.at(at + 1) - '0');
      node->max = static_cast<size_t>(p.at(at + 3) - '0');
      at += 4;
    } else if (p[at] == '+') {
      node->min = 1;
    } else if (p[at] == '?') {
      node->max = 1;
    } else if (p[at] != '*') {
      return false;
    }
    ++at;
    node->lazy = at < p.size() && p[at] == '?';
    at += node->lazy;
    part = node->max < node->min ? nullptr : node;
    return true;
  }

  NodePtr root_;
  std::vector<bool> groups_;  // [number - 1] still open
};

}  // namespace tenon::oracle
