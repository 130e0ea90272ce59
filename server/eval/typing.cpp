#include "server/eval/typing.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>

#include "server/eval/closed_ahead.h"
#include "server/eval/similarity.h"
#include "server/eval/text_lines.h"
#include "server/request/words.h"
#include "server/settings/setting_values.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// The text of a region with a cursor that moves through it.
class Typist {
 public:
  Typist(std::string_view text, const TypedRegion& region)
      : text_(text), cursor_(region.begin_bytes), end_(region.end_bytes) {}

  [[nodiscard]] bool done() const { return cursor_ >= end_; }
  [[nodiscard]] size_t cursor() const { return cursor_; }
  [[nodiscard]] std::string_view Rest() const { return text_.substr(cursor_, end_ - cursor_); }
  [[nodiscard]] std::string_view RestOfLine() const { return FirstLineOf(Rest()); }

  // One character; of a line end also the blanks after it.
  void Type() {
    const std::string_view rest = Rest();
    if (rest.starts_with("\n") || rest.starts_with("\r\n")) {
      const size_t line_end = rest.find('\n');
      cursor_ += std::min(rest.find_first_not_of(kBlanks, line_end + 1), rest.size());
    } else {
      cursor_ = CharacterOffsets(text_, cursor_, end_)[1];
    }
  }
  void AcceptLine() { cursor_ += RestOfLine().size(); }

 private:
  std::string_view text_;
  size_t cursor_;
  size_t end_;
};

size_t KeysWithoutCompletions(std::string_view text, const TypedRegion& region) {
  size_t keys = 0;
  for (Typist typist(text, region); !typist.done(); typist.Type()) ++keys;
  return keys;
}

void CountOffered(const Offer& offer, std::string_view rest, TypingCount& count) {
  if (!offer.answered()) return;
  const std::u32string offered = CharactersOf(offer.text), wanted = CharactersOf(rest);
  const auto wrong = std::mismatch(offered.begin(), offered.end(), wanted.begin(), wanted.end());
  ++count.answered;
  count.offered_characters += offered.size();
  count.right_characters += static_cast<size_t>(wrong.first - offered.begin());
}

// Does the cursor's line become the right one?
bool FinishesLine(const Offer& offer, size_t cursor, std::string_view rest_of_line) {
  const std::string_view wanted = WithoutBlanksAtEnd(rest_of_line);
  if (wanted.empty() || !offer.answered() || offer.whole.size() < cursor) return false;
  return WithoutBlanksAtEnd(FirstLineOf(std::string_view(offer.whole).substr(cursor))) == wanted;
}

}  // namespace

std::optional<TypedRegion> ChooseRegion(std::string_view text, size_t lines, Random& random) {
  const std::vector<TextLine> all = LinesOf(text);
  std::vector<TypedRegion> fitting;
  for (size_t first = 0; lines > 0 && first + lines <= all.size(); ++first) {
    const TextLine &begin = all[first], &end = all[first + lines - 1];
    const std::span<const TextLine> chosen = std::span(all).subspan(first, lines);
    if (!begin.blank() && !end.blank() && std::all_of(chosen.begin(), chosen.end(), IsTyped))
      fitting.push_back({begin.content_begin_bytes, end.content_end_bytes});
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[random.Below(fitting.size())];
}

TypingCount TypeRegion(const Asker& asker, const CorpusFile& file, const TypedRegion& region,
                       ConstraintMode constraint, const std::vector<OtherText>& open,
                       bool closes_ahead) {
  const std::string_view text = file.text;
  std::optional<ClosedAhead> closed;
  if (closes_ahead) closed.emplace(text, region.begin_bytes, region.end_bytes);
  TypingCount count;
  count.characters = KeysWithoutCompletions(text, region);
  Typist typist(text, region);
  std::chrono::milliseconds waited{0};  // of the next question
  for (bool accepted = false; !typist.done();) {
    if (!accepted) {
      CursorPlace at{.text = std::string(text.substr(0, typist.cursor())),
                     .offset_bytes = typist.cursor(),
                     .language = file.language,
                     .path = file.path,
                     .open = open};
      if (closed) at.text += closed->After(typist.cursor() - region.begin_bytes);
      at.text += text.substr(region.end_bytes);
      const Offer offer = asker.Ask(at, constraint, waited);
      count.ms.push_back(offer.ms);
      count.offers.push_back({typist.cursor() - region.begin_bytes, offer.text});
      CountOffered(offer, typist.Rest(), count);
      waited = asker.Pause(at, constraint);
      accepted = FinishesLine(offer, typist.cursor(), typist.RestOfLine());
      if (accepted) {
        typist.AcceptLine();
        ++count.acceptances;
        continue;
      }
    }
    typist.Type();
    ++count.keys;
    accepted = false;
  }
  return count;
}

tl::expected<std::vector<PlannedRegion>, std::string> PlanRegions(Corpus& corpus, size_t count,
                                                                  size_t lines, uint64_t seed) {
  return PlanPlaces<TypedRegion>(corpus, count, seed,
                                 [lines](std::string_view text, size_t /*index*/, Random& random) {
                                   return ChooseRegion(text, lines, random);
                                 });
}

json TypeAgain(const Asker& asker, const PlannedRegion& planned,
               const std::vector<ConstraintMode>& constraints, bool closes_ahead) {
  json record = NameOf(planned);
  record["answers"] = json::object();
  const TypedRegion& region = planned.place;
  record["region"] =
      planned.file->text.substr(region.begin_bytes, region.end_bytes - region.begin_bytes);
  for (const ConstraintMode constraint : constraints) {
    asker.DropPrompt();
    const TypingCount count =
        TypeRegion(asker, *planned.file, region, constraint, planned.open, closes_ahead);
    json offers = json::array();
    for (const auto& [typed, text] : count.offers) offers.push_back({typed, text});
    record["answers"][ToString(constraint)] = {{"offers", std::move(offers)},
                                               {"characters", count.characters},
                                               {"keys", count.keys},
                                               {"acceptances", count.acceptances},
                                               {"answered", count.answered},
                                               {"offered_characters", count.offered_characters},
                                               {"right_characters", count.right_characters},
                                               {"ms", count.ms}};
  }
  return record;
}

}  // namespace tenon::server
