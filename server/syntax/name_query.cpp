#include "server/syntax/name_query.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_set.hpp>

namespace tenon::server {
namespace {

constexpr uint32_t kNoCapture = ~0u;

struct Name {
  TSNode node;
  bool once;
  const void* scope;  // the id of a node that the match names; else null
};

bool Overlap(const TSNode& node, size_t begin_bytes, size_t end_bytes) {
  return ts_node_start_byte(node) < end_bytes && begin_bytes < ts_node_end_byte(node);
}

const char* WordsFor(TSQueryError error) {
  switch (error) {
    case TSQueryErrorNodeType:
      return "the language has no node of this kind";
    case TSQueryErrorField:
      return "the language has no field of this name";
    case TSQueryErrorCapture:
      return "no capture has this name";
    case TSQueryErrorStructure:
      return "no node has this shape";
    default:
      return "this is no query of tree-sitter";
  }
}

uint32_t CaptureNamed(const TSQuery* query, std::string_view name) {
  for (uint32_t id = 0; id < ts_query_capture_count(query); ++id) {
    uint32_t length = 0;
    const char* const text = ts_query_capture_name_for_id(query, id, &length);
    if (std::string_view(text, length) == name) return id;
  }
  return kNoCapture;
}

}  // namespace

struct NameQuery::Found {
  std::vector<Name> names;
  std::vector<std::vector<TSNode>> same;          // of each match
  boost::unordered_flat_set<const void*> scopes;  // the ids of nodes

  // The id of the name's scope; nothing is around a name of the outermost one.
  [[nodiscard]] const void* ScopeOf(const Name& name) const {
    if (name.scope) return name.scope;
    TSNode node = ts_node_parent(name.node);
    while (!ts_node_is_null(node) && !scopes.contains(node.id)) node = ts_node_parent(node);
    return ts_node_is_null(node) ? nullptr : node.id;
  }
};

tl::expected<NameQuery, std::string> NameQuery::Read(const TSLanguage* language,
                                                     std::string_view query) {
  uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  Query read(
      ts_query_new(language, query.data(), static_cast<uint32_t>(query.size()), &offset, &error),
      &ts_query_delete);
  if (read) return NameQuery(std::move(read));
  const std::string_view before = query.substr(0, offset);
  const std::string_view at = query.substr(offset, query.find('\n', offset) - offset);
  return tl::unexpected(fmt::format("line {}, at '{}': {}",
                                    std::count(before.begin(), before.end(), '\n') + 1, at,
                                    WordsFor(error)));
}

NameQuery::NameQuery(Query query)
    : query_(std::move(query)),
      scope_(CaptureNamed(query_.get(), "scope")),
      once_(CaptureNamed(query_.get(), "once")),
      again_(CaptureNamed(query_.get(), "again")),
      in_(CaptureNamed(query_.get(), "in")),
      same_(CaptureNamed(query_.get(), "same")) {}

NameQuery::Found NameQuery::Find(const SyntaxTree& tree) const {
  Found found;
  const std::unique_ptr<TSQueryCursor, decltype(&ts_query_cursor_delete)> cursor(
      ts_query_cursor_new(), &ts_query_cursor_delete);
  ts_query_cursor_exec(cursor.get(), query_.get(), tree.root());
  TSQueryMatch match;
  while (ts_query_cursor_next_match(cursor.get(), &match)) {
    const std::span captures(match.captures, match.capture_count);
    const auto in = std::find_if(captures.begin(), captures.end(),
                                 [&](const TSQueryCapture& c) { return c.index == in_; });
    const void* const scope = in == captures.end() ? nullptr : in->node.id;
    std::vector<TSNode> same;
    for (const TSQueryCapture& capture : captures) {
      if (capture.index == same_) same.push_back(capture.node);
      if (capture.index == scope_) found.scopes.insert(capture.node.id);
      if (capture.index == once_ || capture.index == again_)
        found.names.push_back({capture.node, capture.index == once_, scope});
    }
    if (!same.empty()) found.same.push_back(std::move(same));
  }
  return found;
}

bool NameQuery::Concern(const SyntaxTree& tree, size_t begin_bytes, size_t end_bytes) const {
  const Found found = Find(tree);
  const auto is_inside = [&](const TSNode& node) { return Overlap(node, begin_bytes, end_bytes); };
  return std::any_of(found.names.begin(), found.names.end(),
                     [&](const Name& name) { return is_inside(name.node); }) ||
         std::any_of(found.same.begin(), found.same.end(), [&](const std::vector<TSNode>& nodes) {
           return std::any_of(nodes.begin(), nodes.end(), is_inside);
         });
}

bool NameQuery::Breaks(const SyntaxTree& tree, size_t begin_bytes, size_t end_bytes) const {
  const Found found = Find(tree);
  const auto text_of = [&](const TSNode& node) {
    const size_t begin = ts_node_start_byte(node);
    return std::string_view(tree.text()).substr(begin, ts_node_end_byte(node) - begin);
  };
  const auto is_inside = [&](const TSNode& node) { return Overlap(node, begin_bytes, end_bytes); };
  const auto is_declared_again = [&](const Name& name) {
    if (!is_inside(name.node)) return false;
    const std::string_view text = text_of(name.node);
    const void* const scope = found.ScopeOf(name);
    return std::any_of(found.names.begin(), found.names.end(), [&](const Name& other) {
      // Two patterns may find a name, and a node whose whole text it is.
      return ts_node_start_byte(other.node) != ts_node_start_byte(name.node) &&
             (name.once || other.once) && text_of(other.node) == text &&
             found.ScopeOf(other) == scope;
    });
  };
  const auto differ = [&](const std::vector<TSNode>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), is_inside) &&
           std::any_of(nodes.begin(), nodes.end(),
                       [&](const TSNode& node) { return text_of(node) != text_of(nodes.front()); });
  };
  return std::any_of(found.names.begin(), found.names.end(), is_declared_again) ||
         std::any_of(found.same.begin(), found.same.end(), differ);
}

}  // namespace tenon::server
