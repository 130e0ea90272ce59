#include "server/eval/gaps.h"

#include <algorithm>
#include <string>

#include "server/eval/similarity.h"
#include "server/eval/text_lines.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/words.h"
#include "server/settings/setting_values.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// Draws that may be blank, one after another, before a text counts as too poor.
constexpr size_t kMaxFailedDraws = 100;
// The lines of a body; more of them nobody expects at once.
constexpr size_t kMinBodyLines = 2, kMaxBodyLines = 6;

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

// After the last comma of a list, or its beginning, and the blanks there. `list` begins after the
// list's bracket.
size_t LastItemOf(std::string_view list) {
  size_t item = 0, depth = 0;
  char quote = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (quote != 0) {
      if (list[i] == quote) quote = 0;
    } else if (std::string_view("\"'`").find(list[i]) != std::string_view::npos) {
      quote = list[i];
    } else if (kOpeningBrackets.find(list[i]) != std::string_view::npos) {
      ++depth;
    } else if (IsClosingBracket(list[i])) {
      --depth;
    } else if (list[i] == ',' && depth == 0) {
      item = i + 1;
    }
  }
  return std::min(list.find_first_not_of(' ', item), list.size());
}

// The last arguments of calls that hold a block: a bracket at a line's end, closed on a later line
// that goes on.
std::vector<CutPiece> BlocksIn(std::string_view text) {
  std::vector<CutPiece> blocks;
  for (const TextLine& line : LinesOf(text)) {
    if (line.blank()) continue;
    const size_t bracket = line.content_end_bytes - 1;
    const size_t kind = kOpeningBrackets.find(text[bracket]);
    const std::string_view before = text.substr(line.begin_bytes, bracket - line.begin_bytes);
    const std::vector<size_t> around = OpenBrackets(before);
    if (kind == std::string_view::npos || around.empty() || before[around.back()] != '(') continue;
    const size_t list = around.back() + 1;
    const size_t begin = line.begin_bytes + list + LastItemOf(before.substr(list));
    const std::string_view inside = text.substr(bracket + 1, kMaxTypedBytes);
    const std::vector<size_t> closing = LoneBracketsOf(inside).closing;
    if (closing.empty() || inside[closing.front()] != kClosingBrackets[kind]) continue;
    const size_t end = bracket + 1 + closing.front() + 1;
    const std::string_view after = text.substr(end, text.find('\n', end) - end);
    if (end - begin <= kMaxTypedBytes && !IsBlank(after))
      blocks.push_back({GapKind::kBlock, begin, end});
  }
  return blocks;
}

// The lines of each block, from the first line's content to the last one's end.
std::vector<CutPiece> BodiesIn(std::string_view text) {
  const std::vector<TextLine> lines = LinesOf(text);
  const auto columns = [text](const TextLine& line) {
    return IndentationColumns(text.substr(line.begin_bytes));
  };
  std::vector<CutPiece> bodies;
  for (size_t head = 0; head + 1 < lines.size(); ++head) {
    const size_t first = head + 1;
    if (lines[head].blank() || lines[first].blank()) continue;
    size_t count = 0, end = first;  // of lines that are not blank; after the last of them
    for (size_t i = first; i < lines.size() && count <= kMaxBodyLines; ++i) {
      if (lines[i].blank()) continue;
      if (columns(lines[i]) <= columns(lines[head])) break;
      ++count;
      end = i + 1;
    }
    if (count < kMinBodyLines || count > kMaxBodyLines) continue;
    const CutPiece body{GapKind::kBody, lines[first].content_begin_bytes,
                        lines[end - 1].content_end_bytes};
    if (EmptyBlockAt(text.substr(0, body.begin_bytes), text.substr(body.end_bytes)))
      bodies.push_back(body);
  }
  return bodies;
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
    case GapKind::kBlock:
      return "block";
    case GapKind::kBody:
      return "body";
  }
  return "tail";
}

std::optional<CutPiece> ChoosePiece(std::string_view text, GapKind kind, Random& random) {
  if (kind == GapKind::kBlock || kind == GapKind::kBody) {
    const std::vector<CutPiece> pieces = kind == GapKind::kBlock ? BlocksIn(text) : BodiesIn(text);
    return pieces.empty() ? std::nullopt : std::optional(pieces[random.Below(pieces.size())]);
  }
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
  if (kind == GapKind::kTail || kind == GapKind::kLine) completion = FirstLineOf(completion);
  piece = WithoutBlanksAtEnd(piece);
  completion = WithoutBlanksAtEnd(completion);
  quality.exact = piece == completion;
  quality.similarity = EditSimilarity(piece, completion);
  return quality;
}

tl::expected<std::vector<PlannedGap>, std::string> PlanGaps(Corpus& corpus, size_t count,
                                                            const std::vector<GapKind>& kinds,
                                                            uint64_t seed) {
  return PlanPlaces<CutPiece>(corpus, count, seed,
                              [&kinds](std::string_view text, size_t index, Random& random) {
                                return ChoosePiece(text, kinds[index % kinds.size()], random);
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
    record["answers"][ToString(constraint)] = {
        {"answered", quality.answered},
        {"exact", quality.exact},
        {"exact_any", quality.exact || IsExactAny(gap.place.kind, piece, offer)},
        {"similarity", quality.similarity},
        {"valid", quality.answered && language.Check(offer.whole).valid},
        {"text", offer.text},
        {"line_sureness", offer.line_sureness},
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
