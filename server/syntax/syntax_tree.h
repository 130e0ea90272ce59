// The syntax tree of a text, by tree-sitter: a tree for every text, whole or broken.
//
// tree-sitter never fails to parse. Unreadable text becomes an ERROR node, and a token that it
// adds itself, so that the rest makes sense, a MISSING node. Example: `f(a, |` in Python has a tree
// with an error, `f(a, b)|` has none. So counting errors compares two texts: one that has no more
// than another is no more broken.
//
// A tree of an earlier text makes the next parse fast: the common beginning and end are found
// by comparing both texts, and only the subtrees between are read anew.
//
// Source: Wagner, Graham, Efficient and Flexible Incremental Parsing, TOPLAS 1998; the C library
// that cmake/tree_sitter.cmake builds.
// Cost: docs/measured_editing.md. A parse that takes far more steps than a text of its length needs
// is given up; a text full of errors can still take seconds, so pass a token that a deadline stops
// (deadline_stop.h). Thread rule: one tree is used by one thread at a time; trees of one text
// share memory and may be used by different threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

namespace tenon::server {

// Bytes [begin, end) of a text. Empty for a token that is missing.
struct SyntaxError {
  size_t begin_bytes = 0;
  size_t end_bytes = 0;
  friend bool operator==(const SyntaxError&, const SyntaxError&) = default;
};

class SyntaxTree {
 public:
  // `before`: the tree of an earlier text of the same document, in the same language; it stays as
  // it is. Nothing where `stop` was requested, where the parse took too many steps, or where the
  // text is longer than kMaxBytes.
  static std::optional<SyntaxTree> Parse(const TSLanguage* language, std::string_view text,
                                         const SyntaxTree* before = nullptr,
                                         std::stop_token stop = {});
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  // Shares the nodes; linear in the text alone.
  [[nodiscard]] SyntaxTree Copy() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  // Valid as long as the tree is.
  [[nodiscard]] TSNode root() const;

  // How many nodes are ERROR or MISSING. Constant time where there is none, else linear in the
  // nodes beside errors.
  [[nodiscard]] size_t error_count() const;
  // Their places, in the order in which they begin; an error inside another comes after it.
  [[nodiscard]] std::vector<SyntaxError> errors() const;

 private:
  using Owned = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;
  SyntaxTree(std::string text, Owned tree);
  // Calls `visit` for each error. No recursion: a tree may be as deep as its text is long.
  void ForEachError(const std::function<void(TSNode)>& visit) const;

  std::string text_;
  Owned tree_;
};

}  // namespace tenon::server
