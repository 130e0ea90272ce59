#include "server/eval/gaps.h"

#include <algorithm>
#include <string>

#include "server/eval/similarity.h"
#include "server/eval/text_lines.h"
#include "server/request/words.h"
#include "server/settings/setting_values.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// Draws that may be blank, one after another, before a text counts as too poor.
constexpr size_t kMaxFailedDraws = 100;

// The least number of characters that a line has for this kind.
size_t LeastCharacters(GapKind kind) {
  return kind == GapKind::kLine ? 1 : kind == GapKind::kTail ? 2 : 3;
}

// A random piece of the line, which may be blank. REQUIRES: the line has LeastCharacters.
CutPiece PieceOf(std::string_view text, const TextLine& line, GapKind kind, Random& random) {
  if (kind == GapKind::kLine) return {kind, line.content_begin_bytes, line.end_bytes};
  const auto offsets = CharacterOffsets(text, line.content_begin_bytes, line.content_end_bytes);
  const size_t characters = offsets.size() - 1;
  if (kind == GapKind::kTail)
    return {kind, offsets[1 + random.Below(characters - 1)], line.end_bytes};
  const size_t first = 1 + random.Below(characters - 2);
  const size_t last = first + 1 + random.Below(characters - 1 - first);
  return {kind, offsets[first], offsets[last]};
}

// Does one of the further candidates equal the piece?
bool IsExactAny(GapKind kind, std::string_view piece, const Offer& offer) {
  return std::any_of(offer.others.begin(), offer.others.end(),
                     [&](const std::string& other) { return Compare(kind, piece, other).exact; });
}

}  // namespace

const char* ToString(GapKind kind) {
  switch (kind) {
    case GapKind::kTail:
      return "tail";
    case GapKind::kInside:
      return "inside";
    case GapKind::kLine:
      return "line";
  }
  return "tail";
}

std::optional<CutPiece> ChoosePiece(std::string_view text, GapKind kind, Random& random) {
  std::vector<TextLine> fitting;
  for (const TextLine& line : LinesOf(text)) {
    if (!IsTyped(line)) continue;
    const size_t characters =
        CharacterOffsets(text, line.content_begin_bytes, line.content_end_bytes).size() - 1;
    if (characters >= LeastCharacters(kind)) fitting.push_back(line);
  }
  for (size_t i = 0; i < kMaxFailedDraws && !fitting.empty(); ++i) {
    const CutPiece piece = PieceOf(text, fitting[random.Below(fitting.size())], kind, random);
    if (!IsBlank(text.substr(piece.begin_bytes, piece.end_bytes - piece.begin_bytes))) return piece;
  }
  return std::nullopt;
}

GapQuality Compare(GapKind kind, std::string_view piece, std::string_view completion) {
  GapQuality quality;
  quality.answered = !IsBlank(completion);
  if (!quality.answered) return quality;
  if (kind != GapKind::kInside) completion = FirstLineOf(completion);
  piece = WithoutBlanksAtEnd(piece);
  completion = WithoutBlanksAtEnd(completion);
  quality.exact = piece == completion;
  quality.similarity = EditSimilarity(piece, completion);
  return quality;
}

tl::expected<std::vector<PlannedGap>, std::string> PlanGaps(Corpus& corpus, size_t count,
                                                            uint64_t seed) {
  return PlanPlaces<CutPiece>(
      corpus, count, seed, [](std::string_view text, size_t index, Random& random) {
        return ChoosePiece(text, kGapKinds[index % kGapKinds.size()], random);
      });
}

json AskAboutGap(const Asker& asker, const PlannedGap& gap, const Language& language,
                 const std::vector<ConstraintMode>& constraints) {
  const std::string_view text = gap.file->text;
  const std::string_view left = text.substr(0, gap.place.begin_bytes),
                         right = text.substr(gap.place.end_bytes);
  const std::string_view piece =
      text.substr(gap.place.begin_bytes, gap.place.end_bytes - gap.place.begin_bytes);
  const CursorPlace at{.text = std::string(left) + std::string(right),
                       .offset_bytes = left.size(),
                       .language = gap.file->language,
                       .path = gap.file->path,
                       .open = gap.open};
  json record = NameOf(gap);
  record["kind"] = ToString(gap.place.kind);
  record["piece"] = piece;
  record["bytes"] = piece.size();
  record["answers"] = json::object();
  for (const ConstraintMode constraint : constraints) {
    asker.DropPrompt();
    const Offer offer = asker.Ask(at, constraint);
    const GapQuality quality = Compare(gap.place.kind, piece, offer.text);
    std::string whole(left);
    whole.append(offer.text).append(right);
    record["answers"][ToString(constraint)] = {
        {"answered", quality.answered},
        {"exact", quality.exact},
        {"exact_any", quality.exact || IsExactAny(gap.place.kind, piece, offer)},
        {"similarity", quality.similarity},
        {"valid", quality.answered && language.Check(whole).valid},
        {"text", offer.text},
        {"ended", offer.ended},
        {"tokens", offer.tokens},
        {"ms", offer.ms},
        {"reason", offer.reason}};
    if (offer.requests > 0) {
      record["answers"][ToString(constraint)]["requests"] = offer.requests;
      record["answers"][ToString(constraint)]["wasted"] = offer.wasted;
    }
  }
  const auto nats = asker.NatsOf(at, piece);
  record["nats"] = nats ? json(*nats) : json();
  if (!nats) record["no_nats"] = nats.error();
  return record;
}

}  // namespace tenon::server
