// The questions of an evaluation, chosen before the first is asked: places in files of a corpus.
//
// Example: three gaps of each language are planned. The first one is a tail in `b.py`, the second
// one a piece inside a line of `a.py`, and so on: a new file each as long as there are some. The
// same seed gives the same plan, so a run that was stopped can go on.
//
// Cost: reading and checking the files. Thread rule: one thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/eval/corpus.h"

namespace tenon::server {

template <typename Place>
struct Planned {
  std::shared_ptr<const CorpusFile> file;
  Place place;
  std::vector<OtherText> open = {};  // files that are open beside it
};

// `count` different places of each language, fewer where the folder does not have so many.
// `choose(text, index, random)` draws the index-th place of a language from a text, as
// std::optional<Place>; nothing where the text has none. A Place has begin_bytes and end_bytes.
template <typename Place, typename Choose>
[[nodiscard]] tl::expected<std::vector<Planned<Place>>, std::string> PlanPlaces(Corpus& corpus,
                                                                                size_t count,
                                                                                uint64_t seed,
                                                                                Choose choose) {
  // Draws in vain, one after another, before a language counts as used up.
  constexpr size_t kMaxFailedDraws = 100;
  std::vector<Planned<Place>> plan;
  std::set<std::tuple<std::string, size_t, size_t>> planned;
  for (const std::string& language : corpus.languages()) {
    Random random(seed);
    size_t found = 0;
    for (size_t failed = 0; found < count && failed < kMaxFailedDraws;) {
      const auto file = corpus.Next(language);
      if (!file) return tl::unexpected(file.error());
      if (*file == nullptr) break;
      const std::optional<Place> place = choose((*file)->text, found, random);
      const bool is_new =
          place && planned.insert({(*file)->path, place->begin_bytes, place->end_bytes}).second;
      if (is_new) plan.push_back({*file, *place});
      found += is_new ? 1 : 0;
      failed = is_new ? 0 : failed + 1;
    }
  }
  return plan;
}

// {"language", "path", "at": [A, B]}: names the place in its folder.
template <typename Place>
[[nodiscard]] nlohmann::json NameOf(const Planned<Place>& planned) {
  return {{"language", planned.file->language},
          {"path", planned.file->path},
          {"at", {planned.place.begin_bytes, planned.place.end_bytes}}};
}

}  // namespace tenon::server
