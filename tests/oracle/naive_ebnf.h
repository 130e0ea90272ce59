// The language of a small EBNF grammar up to a length, by iterating sets of strings until nothing
// is added: the oracle for constraint/grammar. Slow and obvious; shares no code with what it
// checks.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace tenon::oracle {

struct Ebnf {
  enum Kind { kLetter, kRule, kSequence, kChoice, kRepeat } kind = kSequence;
  char letter = 0;
  size_t rule = 0;
  std::vector<Ebnf> children;
  size_t min = 0, max = 0;  // kRepeat; max kMany: any number
  static constexpr size_t kMany = 1000;
};

using Words = std::set<std::string>;

inline Words Joined(const Words& left, const Words& right, size_t longest) {
  Words words;
  for (const std::string& a : left) {
    for (const std::string& b : right) {
      if (a.size() + b.size() <= longest) words.insert(a + b);
    }
  }
  return words;
}

inline Words WordsOf(const Ebnf& node, const std::vector<Words>& rules, size_t longest) {
  Words words;
  switch (node.kind) {
    case Ebnf::kLetter:
      return {std::string(1, node.letter)};
    case Ebnf::kRule:
      return rules[node.rule];
    case Ebnf::kSequence:
      words = {""};
      for (const Ebnf& child : node.children)
        words = Joined(words, WordsOf(child, rules, longest), longest);
      return words;
    case Ebnf::kChoice:
      for (const Ebnf& child : node.children) words.merge(WordsOf(child, rules, longest));
      return words;
    case Ebnf::kRepeat: {
      const Words once = WordsOf(node.children[0], rules, longest);
      // More copies than `longest` add nothing but copies of the empty text.
      const size_t most = node.max == Ebnf::kMany ? node.min + longest : node.max;
      Words now = {""};
      for (size_t count = 0; count <= most; ++count) {
        if (count >= node.min) words.insert(now.begin(), now.end());
        now = Joined(now, once, longest);
      }
      return words;
    }
  }
  return words;
}

// [rule] all its words up to `longest` letters.
inline std::vector<Words> Languages(const std::vector<Ebnf>& rules, size_t longest) {
  std::vector<Words> words(rules.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < rules.size(); ++i) {
      Words now = WordsOf(rules[i], words, longest);
      changed = changed || now != words[i];
      words[i] = std::move(now);
    }
  }
  return words;
}

// In the dialect of docs/grammars.md, rules named by `name(index)`.
template <typename Name>
std::string Written(const Ebnf& node, Name name) {
  std::string out;
  switch (node.kind) {
    case Ebnf::kLetter:
      return "\"" + std::string(1, node.letter) + "\"";
    case Ebnf::kRule:
      return name(node.rule);
    case Ebnf::kSequence:
      for (const Ebnf& child : node.children)
        out += (out.empty() ? "(" : " ") + Written(child, name);
      return out.empty() ? "()" : out + ")";
    case Ebnf::kChoice:
      for (const Ebnf& child : node.children)
        out += (out.empty() ? "(" : " | ") + Written(child, name);
      return out + ")";
    case Ebnf::kRepeat:
      out = "(" + Written(node.children[0], name) + ")";
      if (node.max == Ebnf::kMany) return out + (node.min == 0 ? "*" : "+");
      if (node.min == 0 && node.max == 1) return out + "?";
      return out + "~" + std::to_string(node.min) + ".." + std::to_string(node.max);
  }
  return out;
}

}  // namespace tenon::oracle
