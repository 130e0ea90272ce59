#include "server/syntax/syntax_tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tenon::server {
namespace {

// tree-sitter calls the progress callback once in 100 steps of its parser, which takes 0.05 ms
// where all is well and ten times that among errors. Program text takes a call for every 200 bytes,
// nothing but brackets one for every 33.
constexpr size_t kCallsForAnyText = 2'000;
constexpr size_t kBytesForACall = 30;
constexpr size_t kMaxCalls = 50'000;

// What a parse reads and when it ends; tree-sitter's callbacks get a pointer to it.
struct Parsing {
  std::string_view text;
  std::stop_token stop;
  size_t calls_left;
};

const char* Read(void* payload, uint32_t byte, TSPoint /*position*/, uint32_t* bytes_read) {
  const std::string_view text = static_cast<const Parsing*>(payload)->text;
  const size_t begin = std::min<size_t>(byte, text.size());
  *bytes_read = static_cast<uint32_t>(text.size() - begin);
  return text.data() + begin;
}

// True: give up.
bool Progress(TSParseState* state) {
  auto& parsing = *static_cast<Parsing*>(state->payload);
  return parsing.stop.stop_requested() || parsing.calls_left-- == 0;
}

// Row and column, in bytes, of the end of a text that begins at `from`.
TSPoint EndOf(std::string_view text, TSPoint from) {
  const auto rows = std::count(text.begin(), text.end(), '\n');
  if (rows == 0) return {from.row, from.column + static_cast<uint32_t>(text.size())};
  return {from.row + static_cast<uint32_t>(rows),
          static_cast<uint32_t>(text.size() - text.rfind('\n') - 1)};
}

// The one edit that makes `after` of `before`: all between what both begin and end with.
TSInputEdit EditBetween(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  const size_t prefix = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<ptrdiff_t>(shorter), after.begin())
          .first -
      before.begin());
  const size_t most = shorter - prefix;
  const size_t suffix = static_cast<size_t>(
      std::mismatch(before.rbegin(), before.rbegin() + static_cast<ptrdiff_t>(most), after.rbegin())
          .first -
      before.rbegin());
  const TSPoint start = EndOf(before.substr(0, prefix), {0, 0});
  const std::string_view old_part = before.substr(prefix, before.size() - suffix - prefix);
  const std::string_view new_part = after.substr(prefix, after.size() - suffix - prefix);
  return {.start_byte = static_cast<uint32_t>(prefix),
          .old_end_byte = static_cast<uint32_t>(prefix + old_part.size()),
          .new_end_byte = static_cast<uint32_t>(prefix + new_part.size()),
          .start_point = start,
          .old_end_point = EndOf(old_part, start),
          .new_end_point = EndOf(new_part, start)};
}

}  // namespace

std::optional<SyntaxTree> SyntaxTree::Parse(const TSLanguage* language, std::string_view text,
                                            const SyntaxTree* before, std::stop_token stop) {
  if (text.size() > kMaxBytes) return std::nullopt;
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), language)) return std::nullopt;
  Owned old(nullptr, ts_tree_delete);
  if (before != nullptr) {
    old.reset(ts_tree_copy(before->tree_.get()));
    if (before->text_ != text) {
      const TSInputEdit edit = EditBetween(before->text_, text);
      ts_tree_edit(old.get(), &edit);
    }
  }
  Parsing parsing{text, std::move(stop),
                  std::min(kCallsForAnyText + text.size() / kBytesForACall, kMaxCalls)};
  const TSInput input{&parsing, Read, TSInputEncodingUTF8, nullptr};
  Owned tree(ts_parser_parse_with_options(parser.get(), old.get(), input,
                                          TSParseOptions{&parsing, Progress}),
             ts_tree_delete);
  if (!tree) return std::nullopt;
  return SyntaxTree(std::string(text), std::move(tree));
}

SyntaxTree::SyntaxTree(std::string text, Owned tree)
    : text_(std::move(text)), tree_(std::move(tree)) {}

SyntaxTree SyntaxTree::Copy() const {
  return {text_, Owned(ts_tree_copy(tree_.get()), ts_tree_delete)};
}

TSNode SyntaxTree::root() const { return ts_tree_root_node(tree_.get()); }

void SyntaxTree::ForEachError(const std::function<void(TSNode)>& visit) const {
  const TSNode top = root();
  if (!ts_node_has_error(top)) return;
  TSTreeCursor cursor = ts_tree_cursor_new(top);
  for (bool more = true; more;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const bool broken = ts_node_has_error(node);
    if (ts_node_is_error(node) || ts_node_is_missing(node)) visit(node);
    if (broken && ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      more = ts_tree_cursor_goto_parent(&cursor);
      if (!more) break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

size_t SyntaxTree::error_count() const {
  size_t count = 0;
  ForEachError([&count](TSNode) { ++count; });
  return count;
}

std::vector<SyntaxError> SyntaxTree::errors() const {
  std::vector<SyntaxError> errors;
  ForEachError([&errors](TSNode node) {
    errors.push_back({ts_node_start_byte(node), ts_node_end_byte(node)});
  });
  return errors;
}

}  // namespace tenon::server
