#include "constraint/automata/regex_build.h"

#include <algorithm>
#include <utility>

#include "constraint/automata/regex_node.h"
#include "constraint/automata/utf8_ranges.h"

namespace tenon::constraint {
namespace {

bool IsNothing(const Regex& r) { return r->kind == RegexKind::kSet && r->set.empty(); }
bool IsEmpty(const Regex& r) { return r->kind == RegexKind::kConcat && r->children.empty(); }

bool Same(const Regex& a, const Regex& b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->set != b->set || a->children.size() != b->children.size())
    return false;
  if (a->kind == RegexKind::kRepeat && (a->min != b->min || a->max != b->max)) return false;
  return std::equal(a->children.begin(), a->children.end(), b->children.begin(), Same);
}

}  // namespace

Regex RegexOfSet(CodepointSet set) {
  auto node = std::make_shared<RegexNode>();
  node->kind = RegexKind::kSet;
  node->set = std::move(set);
  return node;
}

Regex RegexOfText(std::string_view text, bool ignore_case) {
  std::vector<Regex> parts;
  for (size_t i = 0; i < text.size();) {
    const DecodedCodepoint at = DecodeUtf8(text, i);
    const CodepointSet one = CodepointSet::Single(at.codepoint);
    parts.push_back(RegexOfSet(ignore_case ? one.CaseClosure() : one));
    i += at.length_bytes;
  }
  return RegexConcat(parts);
}

Regex RegexNothing() { return RegexOfSet({}); }
Regex RegexEmpty() { return std::make_shared<RegexNode>(); }

Regex RegexConcat(const std::vector<Regex>& parts) {
  auto node = std::make_shared<RegexNode>();
  for (const Regex& part : parts) {
    if (IsNothing(part)) return RegexNothing();
    if (part->kind == RegexKind::kConcat)
      node->children.insert(node->children.end(), part->children.begin(), part->children.end());
    else
      node->children.push_back(part);
  }
  if (node->children.size() == 1) return node->children[0];
  return node;
}

Regex RegexAlternate(const std::vector<Regex>& parts) {
  CodepointSet set;
  std::vector<Regex> children;
  auto add = [&](const Regex& part) {
    if (part->kind == RegexKind::kSet) {
      set = set.Union(part->set);
    } else if (std::none_of(children.begin(), children.end(),
                            [&](const Regex& c) { return Same(c, part); })) {
      children.push_back(part);
    }
  };
  for (const Regex& part : parts) {
    if (part->kind == RegexKind::kAlternate)
      std::for_each(part->children.begin(), part->children.end(), add);
    else
      add(part);
  }
  if (!set.empty()) children.insert(children.begin(), RegexOfSet(std::move(set)));
  if (children.empty()) return RegexNothing();
  if (children.size() == 1) return children[0];
  auto node = std::make_shared<RegexNode>();
  node->kind = RegexKind::kAlternate;
  node->children = std::move(children);
  return node;
}

Regex RegexRepeat(const Regex& part, uint32_t min, uint32_t max) {
  if (max == 0 || IsEmpty(part)) return RegexEmpty();
  if (IsNothing(part)) return min == 0 ? RegexEmpty() : RegexNothing();
  if (min == 1 && max == 1) return part;
  auto node = std::make_shared<RegexNode>();
  node->kind = RegexKind::kRepeat;
  node->children = {part};
  node->min = min;
  node->max = max;
  return node;
}

}  // namespace tenon::constraint
