// `tenon eval typing`: some lines of a file are typed again, key by key, as in an editor that asks
// for a completion after each key.
//
// The region is cut out and typed into the gap. Example, with the region `x = answer`:
//
//   keys   text so far   offered     the rest of the line
//   0      |             `answer`    `x = answer`    wrong: a key is typed
//   4      x = |         `answer`    `answer`        right: accepted with one key
//
// An offer is accepted where its first line is the rest of the line at least, up to blanks at the
// end; further lines of it are not taken. Enter writes the blanks at the next line's
// beginning, too, as editors do, so these count neither as keys nor as characters. An editor may
// also close brackets and quotes ahead (closed_ahead.h): then they stand right of the cursor, and
// are typed over with a key each. There is a question before the first key and after each further
// one, none after an acceptance. After each answer there is a pause (AskingTerms::pause) in which
// the model goes on with what its time cut short.
//
//   keys saved   = 1 - (keys typed + acceptances) / characters
//   right prefix = characters offered before the first wrong one / characters offered
//
// Above, 4 keys and 1 acceptance stand for 10 characters: half of the keys are saved.
// Cost: a completion a key. Thread rule: that of the completer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/eval/asking.h"
#include "server/eval/plan.h"

namespace tenon::server {

// Begins after the blanks at a line's beginning, and ends at the end of a line's content.
struct TypedRegion {
  size_t begin_bytes = 0;
  size_t end_bytes = 0;
  bool operator==(const TypedRegion&) const = default;
};

// So many lines that people type, the first and the last of them not blank; nothing where the text
// has none such.
[[nodiscard]] std::optional<TypedRegion> ChooseRegion(std::string_view text, size_t lines,
                                                      Random& random);

struct TypingCount {
  size_t characters = 0;  // the keys that the region takes without completions
  size_t keys = 0;        // typed
  size_t acceptances = 0;
  size_t answered = 0;  // offers of more than blanks
  size_t offered_characters = 0;
  size_t right_characters = 0;  // of those offered, before the first wrong one
  std::vector<double> ms;       // of each question
  struct Offered {
    size_t typed_bytes = 0;  // of the region, before the question
    std::string text;        // empty: there was none
  };
  std::vector<Offered> offers;  // of each question
};
[[nodiscard]] TypingCount TypeRegion(const Asker& asker, const CorpusFile& file,
                                     const TypedRegion& region, ConstraintMode constraint,
                                     const std::vector<OtherText>& open = {},
                                     bool closes_ahead = false);

using PlannedRegion = Planned<TypedRegion>;
[[nodiscard]] tl::expected<std::vector<PlannedRegion>, std::string> PlanRegions(Corpus& corpus,
                                                                                size_t count,
                                                                                size_t lines,
                                                                                uint64_t seed);

// The name of its place and {"region": TEXT, "answers": {constraint: {"characters", "keys",
// "acceptances", "answered", "offered_characters", "right_characters", "ms": [...],
// "offers": [[bytes of the region typed before it, text], ...]}}}.
[[nodiscard]] nlohmann::json TypeAgain(const Asker& asker, const PlannedRegion& planned,
                                       const std::vector<ConstraintMode>& constraints,
                                       bool closes_ahead);

}  // namespace tenon::server
