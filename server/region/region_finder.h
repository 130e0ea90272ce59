// Finds the region of a broken file around a cursor (region.h): the largest for which a gap is
// viable, as the caller judges.
//
// Two proposers and a witness, and one judge: nobody but the engine is trusted.
//
// 1. The syntax tree of the whole file (tree_proposals.h).
// 2. The file's indentation, where the tree is one large error (outline_proposals.h).
// 3. The file itself (file_around.h): a region after which it reads on is better than any other,
//    and one whose closing text makes its first error come earlier is none.
//
// Stand-ins (surroundings.h), the texts in place of the constructs around a region, make a whole
// file of the region. They open each bracket that is left out before the region, and close each
// bracket that is around the region. Rules refuse proposals that would read text as something that
// it is not (region_rules.h).
//
// Source: the idea of completing in the largest valid part is tenon's; tree-sitter's recovery,
// which proposes: Wagner, Graham, 1998 (syntax_tree.h).
//
// Cost: a parse of the file, and kMaxJudgements questions at most, each linear in the text that
// is judged; twice as many where no region is found after which the file reads on, and again
// below a half-typed line and before the rest of a string. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

#include "server/region/region_rules.h"
#include "server/syntax/syntax_tree.h"
#include "tenon/language.h"

namespace tenon::server {

struct GapClosing {
  uint32_t bytes = 0;  // about as many as the shortest text has
  std::string text;    // one that closes the gap
};

class RegionFinder {
 public:
  struct Judge {
    // May some text follow `left`?
    std::function<bool(std::string_view left)> left;
    // How the gap is closed; nothing: it is not viable.
    std::function<std::optional<GapClosing>(std::string_view left, std::string_view right)> gap;
    // May some text follow `left`, by the grammar of given text? `left` begins as the file does;
    // or, of the second one, as a region with its stand-ins.
    std::function<bool(std::string_view left)> reads, reads_region;
    // A text that makes a whole of `left`; nothing: none is known.
    std::function<std::optional<std::string>(std::string_view left)> closing;
    // How far the file can be read without a middle (BytesUpToError, file_around.h).
    size_t bytes_up_to_error = 0;
  };
  static constexpr int kMaxJudgements = 200;

  RegionFinder(const TSLanguage* language, std::vector<RegionRule> rules)
      : language_(language), rules_(std::move(rules)) {}

  // Nothing: no region was found, or `stop` was requested.
  [[nodiscard]] std::optional<RegionProposal> Find(std::string_view text, size_t cursor,
                                                   const Judge& judge,
                                                   const std::stop_token& stop = {});

 private:
  const TSLanguage* language_;
  std::vector<RegionRule> rules_;
  std::optional<SyntaxTree> tree_;  // of the last text: the next parse is quicker
};

}  // namespace tenon::server
