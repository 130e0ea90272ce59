// Lists of declared names against lists that are searched entry by entry: long ones, in branches,
// with scopes and trials.
#include "constraint/lexical_context/declared_names.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

constexpr uint8_t kSets = 4;  // two in each of two lines

NameSet Set(uint8_t number) { return {static_cast<uint8_t>(number / 2), number}; }

// A list of the arena, and the same list as plain entries, the last one last.
struct Entry {
  std::string text;  // empty: a scope of line 0 begins
  uint8_t set = 0;
};
struct Both {
  NamesId id;
  std::vector<Entry> entries;
};

std::optional<uint8_t> Searched(const Both& list, const std::string& text, uint8_t line) {
  for (auto entry = list.entries.rbegin(); entry != list.entries.rend(); ++entry)
    if (entry->text == text && Set(entry->set).line == line) return entry->set;
  return std::nullopt;
}

class DeclaredNamesTest : public testing::Test {
 protected:
  uint32_t Draw(uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(0, most - 1)(random_);
  }
  std::string Name() { return "n" + std::to_string(Draw(60)); }

  Both Declared(const Both& list, const std::string& text, uint8_t set) {
    Both next = list;
    next.id = arena_.Declare(list.id, Set(set), arena_.Append({}, text));
    next.entries.push_back({text, set});
    return next;
  }
  Both Opened(const Both& list) {
    Both next = list;
    next.id = arena_.Open(list.id, 0);
    next.entries.push_back({});
    return next;
  }
  // Ends a scope of line 0.
  Both Closed(const Both& list) {
    Both next{arena_.Close(list.id, 0), {}};
    size_t begin = list.entries.size();
    while (begin > 0 && !list.entries[begin - 1].text.empty()) --begin;
    if (begin == 0) return list;
    next.entries.assign(list.entries.begin(),
                        list.entries.begin() + static_cast<std::ptrdiff_t>(begin) - 1);
    for (size_t i = begin; i < list.entries.size(); ++i)
      if (Set(list.entries[i].set).line != 0) next.entries.push_back(list.entries[i]);
    return next;
  }
  Both Moved(const Both& list) {
    const uint32_t what = Draw(10);
    if (what == 0) return Opened(list);
    if (what == 1) return Closed(list);
    return Declared(list, Name(), static_cast<uint8_t>(Draw(kSets)));
  }
  void ExpectSame(const Both& list) {
    for (int i = 0; i < 4; ++i) {
      const std::string text = Name();
      const auto line = static_cast<uint8_t>(Draw(2));
      EXPECT_EQ(arena_.SetOf(list.id, arena_.Append({}, text), line), Searched(list, text, line))
          << text << " among " << list.entries.size();
    }
  }

  NameArena arena_;
  std::mt19937 random_{20261126};
};

TEST_F(DeclaredNamesTest, LongListsInBranchesAreThoseOfASearch) {
  std::vector<Both> lists(8);
  for (int step = 0; step < 20000; ++step) {
    Both& list = lists[Draw(8)];
    list =
        Draw(200) == 0 ? lists[Draw(8)] : Moved(list);  // now and then a branch goes on elsewhere
    if (list.entries.size() > 400) list = {};
    ExpectSame(list);
  }
}

// A text whose only declaration is in a scope that has ended, asked for many times after many
// declarations of other texts, does not cost their product.
TEST_F(DeclaredNamesTest, ATextOfAnEndedScopeIsLookedUpAtOnce) {
  constexpr size_t kNames = 100000;
  const TextId local = arena_.Append({}, "local");
  NamesId list = arena_.Close(arena_.Declare(arena_.Open({}, 0), Set(0), local), 0);
  for (size_t i = 0; i < kNames; ++i)
    list = arena_.Declare(list, Set(0), arena_.Append({}, "n" + std::to_string(i)));
  for (size_t i = 0; i < kNames; ++i) ASSERT_FALSE(arena_.SetOf(list, local, 0));
  list = arena_.Declare(list, Set(1), local);
  EXPECT_EQ(arena_.SetOf(list, local, 0), 1);
}

TEST_F(DeclaredNamesTest, WhatWasTriedLeavesNoTrace) {
  std::vector<Both> lists(4);
  for (int round = 0; round < 1500; ++round) {
    Both& list = lists[Draw(4)];
    list = Moved(list);
    if (list.entries.size() > 200) list = {};
    arena_.BeginTrial();
    Both tried = lists[Draw(4)];
    for (uint32_t i = Draw(12); i > 0; --i) {
      tried = Moved(tried);
      ExpectSame(tried);
    }
    arena_.EndTrial();
    for (const Both& kept : lists) ExpectSame(kept);
  }
}

}  // namespace
}  // namespace tenon::constraint
