#include "server/region/containers.h"

#include <algorithm>
#include <utility>

namespace tenon::server {
namespace {

std::vector<TSNode> ChildrenOf(TSNode node) {
  std::vector<TSNode> children;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      children.push_back(ts_tree_cursor_current_node(&cursor));
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  return children;
}

// The child that the cursor lies within; the end where there is none.
std::vector<TSNode>::const_iterator ChildAround(const std::vector<TSNode>& children,
                                                size_t cursor) {
  return std::find_if(children.begin(), children.end(), [cursor](TSNode child) {
    return ts_node_start_byte(child) < cursor && cursor < ts_node_end_byte(child);
  });
}

// `tokens`: separated by blanks.
bool IsToken(TSNode node, std::string_view tokens) {
  if (ts_node_is_named(node)) return false;
  const std::string_view type = ts_node_type(node);
  for (size_t begin = 0; begin < tokens.size();) {
    const size_t end = std::min(tokens.find(' ', begin), tokens.size());
    if (tokens.substr(begin, end - begin) == type) return true;
    begin = end + 1;
  }
  return false;
}

bool Has(const std::vector<TSNode>& children, std::string_view token) {
  return std::any_of(children.begin(), children.end(), [&](TSNode child) {
    return !ts_node_is_named(child) && ts_node_type(child) == token;
  });
}

struct NodeAround {
  std::string_view type;  // empty around the root
  std::vector<TSNode> children;
  std::string_view container;  // the kind of the innermost one around it; empty where none is
};

// The first rule that fits; null where none does.
const RegionRule* RuleFor(TSNode node, const NodeAround& around,
                          const std::vector<RegionRule>& rules) {
  const auto fits = [&](const RegionRule& rule) {
    const auto names = [&](std::string_view kind) {
      return std::find(rule.parents.begin(), rule.parents.end(), kind) != rule.parents.end();
    };
    return rule.node == ts_node_type(node) &&
           (rule.parents.empty() || names(around.type) || names(around.container)) &&
           (rule.token.empty() || Has(around.children, rule.token));
  };
  const auto rule = std::find_if(rules.begin(), rules.end(), fits);
  return rule == rules.end() ? nullptr : &*rule;
}

// Does an error after the cursor hold the end of a statement? A bracket that closes a list after
// it is not the list's: in `f(|` above `g(a);` it is that of `g`.
bool EndsStatement(TSNode child, size_t cursor, std::string_view text) {
  const size_t begin = ts_node_start_byte(child), end = ts_node_end_byte(child);
  return ts_node_is_error(child) && begin >= cursor &&
         text.substr(begin, end - begin).find(';') != std::string_view::npos;
}

Container ContainerOf(TSNode node, const std::vector<TSNode>& children, const RegionRule* rule,
                      size_t cursor, std::string_view text) {
  Container container;
  container.rule = rule;
  container.begin = ts_node_start_byte(node);
  container.end = ts_node_end_byte(node);
  bool opened = false;
  for (const TSNode child : children) {
    if (!opened && IsToken(child, "( [ { <")) {
      opened = true;
      container.begin = ts_node_end_byte(child);
      container.units.clear();
    } else if (opened && IsToken(child, ") ] } > />")) {
      container.end = ts_node_start_byte(child);
      if (ts_node_is_missing(child)) container.whole = false;
    } else if (ts_node_is_named(child) || ts_node_is_error(child)) {
      if (!rule->filler.empty() && opened && EndsStatement(child, cursor, text))
        container.whole = false;
      container.units.push_back(
          {ts_node_start_byte(child), ts_node_end_byte(child), ts_node_is_error(child)});
    }
  }
  return container;
}

}  // namespace

std::vector<Container> ContainersAt(TSNode root, std::string_view text, size_t cursor,
                                    const std::vector<RegionRule>& rules) {
  std::vector<Container> containers;
  TSNode node = root;
  NodeAround around;
  bool whole = true;
  for (;;) {
    std::vector<TSNode> children = ChildrenOf(node);
    // A file that tree-sitter cannot read at all is one error in place of the root.
    const RegionRule* rule = RuleFor(node, around, rules);
    if (ts_node_is_error(node)) {
      whole = false;
      if (around.type.empty() && !rules.empty()) rule = &rules.front();
    }
    if (rule != nullptr) {
      containers.push_back(ContainerOf(node, children, rule, cursor, text));
      if (around.type.empty()) {
        containers.back().begin = 0;
        containers.back().end = ts_node_end_byte(node);
      }
      whole = whole && containers.back().whole;
      containers.back().whole = whole;
    }
    const auto inside = ChildAround(children, cursor);
    if (inside == children.end() || containers.size() == kMaxContainers) return containers;
    const TSNode next = *inside;
    around = {ts_node_type(node), std::move(children), rule ? rule->node : around.container};
    node = next;
  }
}

size_t FirstPartOf(TSNode root) {
  for (const TSNode child : ChildrenOf(root))
    if (!ts_node_is_extra(child) || ts_node_is_error(child)) return ts_node_start_byte(child);
  return ts_node_end_byte(root);
}

TokenOfLines TokenOfLinesAt(TSNode root, size_t cursor, std::string_view text) {
  TSNode node = root, around = root;
  bool in_error = ts_node_is_error(root);
  for (;;) {
    const std::vector<TSNode> children = ChildrenOf(node);
    const auto inside = ChildAround(children, cursor);
    if (inside == children.end()) {
      if (!children.empty()) return {};
      break;
    }
    around = node;
    node = *inside;
    in_error = in_error || ts_node_is_error(node);
  }
  // A comment is a token by itself: around it is the construct whose parts it separates.
  if (ts_node_is_extra(node)) {
    around = node;
    in_error = false;
  } else if (in_error && ts_node_is_error(around)) {
    return {};
  }
  const size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
  if (text.substr(begin, end - begin).find('\n') == std::string_view::npos) return {};
  return {{ts_node_start_byte(around), ts_node_end_byte(around)}, in_error};
}

}  // namespace tenon::server
