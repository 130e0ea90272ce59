// The fields of a mask store on disk.
//
// Its language and vocabulary are not among them: the reader of a store brings its own. The
// pool's index by content is left out too, because it serves building alone.
//
// Source: archive.h. Cost: that of archive.h. Thread rule: plain functions.
#pragma once

#include <memory>
#include <utility>

#include "constraint/cache/archive.h"
#include "constraint/mask/mask.h"

namespace tenon::constraint {

template <>
inline constexpr bool kFlat<Guards> = sizeof(Guards) == sizeof(Guards::states);
template <>
inline constexpr bool kFlat<MaskStore::Node> = sizeof(MaskStore::Node) == 16;
template <>
inline constexpr bool kFlat<MaskStore::Child> = sizeof(MaskStore::Child) == 24;
template <>
struct CacheFields<MaskStore::Piece::Filter> {
  static constexpr MaskStore::Piece::Filter kLast = MaskStore::Piece::Filter::kOutside;
};

template <>
struct CacheFields<TokenSetPool> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& pool) {
    // Ids by content, and lists kept to reuse their memory, serve building alone.
    [[maybe_unused]] auto& [tokens, words, sets, lists, bitmaps, ids, scratch, marks] = pool;
    archive(tokens, words, sets, lists, bitmaps);
  }
};

template <>
struct CacheFields<MaskStore> {
  template <typename Archive, typename Value>
  static void Of(Archive& archive, Value& store) {
    [[maybe_unused]] auto& [language, vocabulary, ranges, pieces, nodes, children, seen, groups,
                            members, guards, blanks, sets, holding_line_ends, entries,
                            most_pushes] = store;
    archive(ranges, pieces, nodes, children, seen, groups, members, guards, blanks, sets,
            holding_line_ends, entries, most_pushes);
  }
  static std::shared_ptr<MaskStore> Empty(std::shared_ptr<const Language> language,
                                          std::shared_ptr<const TokenVocabulary> vocabulary) {
    return std::shared_ptr<MaskStore>(new MaskStore(std::move(language), std::move(vocabulary)));
  }
};

}  // namespace tenon::constraint
