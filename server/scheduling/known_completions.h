// The completions of one document that are known already: while the user writes what was offered,
// the rest of it is offered again, without the model.
//
// Example, with the cursor as `|`. At `x = |` the answer was `max(a, b)`, and `x = max(a, b)` was
// verified together with the text around it.
//
//   the user                      the text           offered, without the model
//   types `ma`                    x = ma|            x(a, b)
//   accepts the word `max`        x = max|           (a, b)
//   deletes back to `x = m|`      x = m|             ax(a, b)
//   types `(`, `)` comes with it  x = max(|)         a, b
//   types `z`                     x = maz|           nothing: the model is asked
//   types anywhere else           ...                nothing: the model is asked
//
// Let an answer have replaced a stretch X of the text P X S by M. Then the verified text is
// P M S. For a text T with its cursor at c the answer is still known where M = M1 M2 M3 with
//
//   T = P M1 | Y S     and Y = X (M2 is the rest of M and replaces X), or Y = M3 (M2 goes before
//                      it: the editor has closed a bracket ahead)
//
// Either way the text becomes P M S, the very text that was verified, so its guarantee holds for
// M2. M2 is not blank, and c does not lie before the cursor of the question: nothing is offered
// that the user has deleted from the text that was there before.
//
// A text that has changed in P or S is another text: nothing is known about it. P and S are not
// kept but their lengths and XXH3 checksums of 128 bits, so the memory does not grow with the file.
//
// An answer of several items is known as long as one of them is. An item that the user refuses
// (server/offers/unwanted_texts.h) is not offered.
//
// A question for several items is answered by an answer that had as many. An answer with fewer
// items gives its items first, and the completer is asked for the others. Example: at `x = |` a
// keystroke was answered by `max(a, b)`; a person who asks there for three items gets `max(a, b)`
// again, and two that are computed.
//
// An answer that was cut short by its time serves questions with no more time than that. So a
// person who asks gets more than a keystroke got.
//
// Cost: at most kMaxAnswers answers, each with its M; Find compares M1 and Y, and only then reads P
// and S, some 20 us for 400 KB. Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/request/completer.h"

namespace tenon::server {

class KnownCompletions {
 public:
  static constexpr size_t kMaxAnswers = 16;

  // Learns the answer to a request; forgets the oldest where there are too many. An answer without
  // an item teaches nothing.
  void Add(const CompletionRequest& request, const CompletionAnswer& answer);
  void Forget() { known_.clear(); }
  // The newest known answer that still holds. Its `known` is set.
  [[nodiscard]] std::optional<CompletionAnswer> Find(const CompletionRequest& request) const;
  // The newest that time did not cut short, though the request asks for more items than it had.
  [[nodiscard]] std::optional<CompletionAnswer> FindFewer(const CompletionRequest& request) const;

 private:
  struct Side {
    size_t bytes = 0;
    std::array<uint64_t, 2> checksum{};
    [[nodiscard]] static Side Of(std::string_view text);
    [[nodiscard]] bool Is(std::string_view text) const;
  };
  struct Known {
    CompletionRequest terms;  // the request without its text
    bool cut_by_time = false;
    struct Item {
      Side before;           // P
      std::string replaced;  // X, right of the cursor
      Side after;            // S
      CompletionItem item;   // with M
    };
    std::vector<Item> items;
  };
  // The items of an answer to these terms that still hold; nothing where none does.
  [[nodiscard]] static std::optional<CompletionAnswer> RestOf(const Known& known,
                                                              const CompletionRequest& request);
  [[nodiscard]] static std::optional<CompletionItem> RestOf(const Known& known,
                                                            const Known::Item& item,
                                                            const CompletionRequest& request);

  std::list<Known> known_;  // the newest first
};

// Asks for the items beside those that are known, and the question for all of them again.
void AskBeside(const CompletionAnswer& known, CompletionRequest& request);
[[nodiscard]] CompletionRequest AskForAll(CompletionRequest beside);
// The answer to the whole question: the known items, and `others`, ranked as candidates are
// (server/decode/candidates.h).
[[nodiscard]] CompletionAnswer Joined(const CompletionAnswer& known, CompletionAnswer others);

}  // namespace tenon::server
