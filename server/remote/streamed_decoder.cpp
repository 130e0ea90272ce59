#include "server/remote/streamed_decoder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/decode/forced_tokens.h"
#include "server/decode/middle_end.h"
#include "server/remote/healed_piece.h"
#include "server/request/blocks.h"

namespace tenon::server {

namespace {

constexpr size_t kMaxBranches = 4;  // of a piece

// One middle in the making.
class StreamedDecoder {
 public:
  // `healed`: all of the text that the prompt lacks.
  StreamedDecoder(GapText text, std::string healed, TextSource& source, const DecodeLimits& limits,
                  std::vector<StreamedBranch>* branches)
      : text_(std::move(text)),
        healed_(std::move(healed)),
        source_(source),
        limits_(limits),
        branches_(branches) {}

  // `nats`: of what is written already.
  tl::expected<DecodeResult, StreamFault> RunWith(std::vector<TokenNats> nats,
                                                  const ShownText& next) {
    nats_ = std::move(nats);
    written_before_ = static_cast<int>(drawn()) + 1;
    std::optional<DecodeResult> ended;
    if (!Append(next, ended) && !ended) return Finished(NoMiddle({}));
    return Run(std::move(ended));
  }

  // `ended`: how the middle has ended already.
  tl::expected<DecodeResult, StreamFault> Run(std::optional<DecodeResult> ended = {}) {
    while (!ended) {
      (void)WriteForced();
      if (text_.written().MayEnd() && text_.written().gap().LiveBytes(1).empty())
        return Finished(Result(text_.written().gap(), drawn()));
      if (left() <= 0) return Finished(Spent(so_far()));
      if (requests_ == kMaxRequests) return Finished(GivenUp());
      ++requests_;
      auto stream = source_.Open(written(), left(), opening());
      if (!stream) return Fault(std::move(stream.error()));
      for (Step step = Step::kGoOn; step == Step::kGoOn && !ended;) {
        if (left() <= 0) return Finished(Spent(so_far()));
        auto piece = (*stream)->Next();
        if (!piece) return Fault(std::move(piece.error()));
        if (!*piece) return Finished(Spent(so_far()));
        received_ += !(*piece)->text.ends;
        step = Take(**piece, ended);
        if (late_ && !ended) return Finished(CutByTime(so_far(), beginnings_));
      }
    }
    return Finished(*std::move(ended));
  }

 private:
  enum class Step : uint8_t { kGoOn, kRepeat };
  // The middle before the piece that began its last word, where one did, with what the server has
  // shown in the piece's place.
  struct WordBeginning {
    GapText text;
    size_t nats;  // of nats_
    int forced, repaired;
    std::vector<ShownText> others;
  };

  uint32_t drawn() const { return text_.written().budget().drawn(); }
  int left() const { return limits_.max_tokens - static_cast<int>(drawn()); }
  // After the prompt.
  std::string written() const {
    return healed_.substr(0, healed_.size() - text_.written().healed().size()) +
           text_.written().gap().middle();
  }
  // A blank middle may not end, but for that of a text.
  Opening opening() const {
    return {text_.written().healed(),
            text_.written().goal() != Goal::kText && IsBlank(text_.written().gap().middle())};
  }
  MiddleSoFar so_far() const { return {text_, nats_, {}}; }
  DecodeResult Result(const Gap& at, uint32_t tokens, Ended ended = Ended::kStop) const {
    return EndedAt(so_far(), at, ended, tokens);
  }

  // The middle with its closing text; as it is where it has no budget, and so none is known.
  DecodeResult GivenUp() const {
    return text_.written().budget().tokens() == kUnlimitedTokens
               ? Spent(so_far())
               : Closed(so_far(), Ended::kWitness);
  }

  // With the counts.
  DecodeResult Finished(DecodeResult result) const {
    result.statistics.drawn = static_cast<int>(drawn()) - written_before_;
    result.statistics.refused = refused_;
    result.statistics.forced = forced_;
    result.statistics.requests = requests_;
    const int used =
        std::min(result.tokens, static_cast<int>(drawn()) - forced_ - repaired_) - written_before_;
    result.statistics.wasted = std::max(0, received_ - std::max(used, 0));
    return result;
  }

  tl::expected<DecodeResult, StreamFault> Fault(StreamFault fault) const {
    switch (fault.kind) {
      case StreamFault::Kind::kCancelled:
        return Finished(Cancelled({}));
      case StreamFault::Kind::kLate:
        return Finished(CutByTime(so_far(), beginnings_));
      case StreamFault::Kind::kServer:
        break;
    }
    return tl::unexpected(std::move(fault));
  }

  void Tell() const {
    if (limits_.on_middle) limits_.on_middle(text_.written().gap().middle());
  }

  // The middle was written on.
  void Wrote() {
    word_.reset();
    Tell();
    if (!limits_.deadline.exists()) return;
    if (text_.written().healed().empty()) beginnings_.push_back({text_.written().gap(), drawn()});
    late_ = limits_.deadline.passed();
  }

  bool WriteForced() {
    if (!text_.written().healed().empty()) return false;
    const std::string forced =
        ForcedText(text_.written().gap(), text_.written().goal() == Goal::kText);
    if (forced.empty()) return false;
    const uint32_t tokens = std::max(1u, text_.written().gap().CountTokens(forced));
    if (tokens > static_cast<uint32_t>(std::max(left(), 0)) || !text_.AcceptForced(forced, tokens))
      return false;
    forced_ += static_cast<int>(tokens);
    Wrote();
    return true;
  }

  // The effect of a piece that the server has sent. Sets `ended` where the middle ends.
  Step Take(const TextPiece& piece, std::optional<DecodeResult>& ended) {
    if (piece.text.ends) {
      if (!text_.written().healed().empty()) return GiveHealingUp();
      const Judgement judged = text_.JudgeEnd();
      if (judged.verdict != Judgement::Verdict::kRefused) {
        ended = Result(judged.head ? *judged.head : text_.written().gap(), drawn());
        return Step::kRepeat;
      }
      text_.FirstChoiceRefused({});
      // Where a block begins the model ends a line, and not the middle.
      if (text_.BeginsBlock()) return Repair(piece, ended);
      const auto cost = text_.written().budget().ClosingBytes();
      if (!IsBlank(text_.written().gap().middle()) && cost && *cost <= kMaxSlackBytes) {
        ended = GivenUp();
        return Step::kRepeat;
      }
      (void)text_.ConvergeWhereDue({}, true);
      return Repair(piece, ended);
    }
    if (piece.text.bytes.empty()) return Step::kGoOn;
    if (text_.converging() && Join(piece, ended)) return Step::kRepeat;
    auto beginning = BeginningOf(piece);
    auto word = WordWith(piece);
    const bool taken = Append(piece.text.bytes, NatsOf(piece, text_.written().healed()), ended);
    if ((taken || ended) && beginning) AddBranches(*std::move(beginning), piece);
    if (taken) {
      word_ = std::move(word);
      return Step::kGoOn;
    }
    if (ended) return Step::kRepeat;
    ++refused_;
    if (!text_.written().healed().empty()) return GiveHealingUp();
    text_.FirstChoiceRefused(piece.text.bytes);
    if (text_.first_choice().lacks_room()) {
      if (text_.written().EndsInWord() && word_) GoBackTo(*std::exchange(word_, std::nullopt));
      ended = Spent(so_far());
      return Step::kRepeat;
    }
    const bool too_long = text_.written().gap().Check(piece.text.bytes);
    if (too_long || text_.written().MayEnd()) {
      ended = text_.written().MayEnd() ? Result(text_.written().gap(), drawn()) : GivenUp();
      return Step::kRepeat;
    }
    return Repair(piece, ended);
  }

  // The server does not write the healed text: it is shown to it instead.
  Step GiveHealingUp() {
    text_.GiveHealedUp();
    return Step::kRepeat;
  }

  // Ends the middle with the piece, or with the likeliest in its place, that makes it a member.
  bool Join(const TextPiece& piece, std::optional<DecodeResult>& ended) {
    const auto joins = [this](const ShownText& shown) {
      return !shown.ends && !shown.bytes.empty() && text_.Joins(shown.bytes);
    };
    const ShownText* joining = joins(piece.text) ? &piece.text : nullptr;
    if (joining == nullptr) text_.FirstChoiceRefused(piece.text.bytes);
    const auto other = std::find_if(piece.others.begin(), piece.others.end(), joins);
    if (joining == nullptr && other != piece.others.end()) joining = &*other;
    if (joining == nullptr) return false;
    const Judgement judged = text_.JudgeJoining(joining->bytes);
    const Gap& at = judged.head ? *judged.head : text_.written().gap();
    if (joining->nats) nats_.push_back({at.middle().size(), *joining->nats});
    repaired_ += joining != &piece.text;
    ended = Result(at, drawn() + 1);
    return true;
  }

  // Nothing where no other text may be wanted in the piece's place.
  [[nodiscard]] std::optional<StreamedBranch::Beginning> BeginningOf(const TextPiece& piece) const {
    if (branches_ == nullptr || piece.others.empty()) return std::nullopt;
    return StreamedBranch::Beginning{text_, healed_, nats_};
  }
  void AddBranches(StreamedBranch::Beginning beginning, const TextPiece& piece) {
    const auto before = std::make_shared<const StreamedBranch::Beginning>(std::move(beginning));
    double nats = 0;
    for (const TokenNats& token : before->nats) nats += token.nats;
    size_t added = 0;
    for (const ShownText& other : piece.others) {
      if (added == kMaxBranches) return;
      if (other.ends || !WritesOn(other.bytes, before->text.written().healed()) || !other.nats)
        continue;
      branches_->push_back({before, other, nats + *other.nats});
      ++added;
    }
  }

  // False: it was refused, or the middle has ended.
  bool Append(const ShownText& shown, std::optional<DecodeResult>& ended) {
    return Append(shown.bytes, shown.nats, ended);
  }
  bool Append(std::string_view bytes, std::optional<double> nats,
              std::optional<DecodeResult>& ended) {
    const Judgement judged = text_.Judge(bytes);
    if (judged.verdict == Judgement::Verdict::kRefused) return false;
    const Gap& after = judged.head ? *judged.head : text_.written().gap();
    if (nats) nats_.push_back({after.middle().size(), *nats});
    if (judged.verdict != Judgement::Verdict::kAccepted) {
      ended = Result(after, drawn() + 1, judged.ended);
      return false;
    }
    if (!text_.ConvergeWhereDue(judged, false)) {
      ended = GivenUp();
      return false;
    }
    Wrote();
    return true;
  }

  // The beginning of the word with which the middle ends once the piece is written.
  std::optional<WordBeginning> WordWith(const TextPiece& piece) const {
    const std::string_view bytes = piece.text.bytes;
    if (text_.written().BeginsLastWord(bytes))
      return WordBeginning{.text = text_,
                           .nats = nats_.size(),
                           .forced = forced_,
                           .repaired = repaired_,
                           .others = piece.others};
    return IsWordByte(bytes.back()) ? word_ : std::nullopt;
  }

  // Writes another text that the server has shown in the place of the word with which the middle
  // ends; false: the word's beginning is not known, or none fits.
  bool TakeWordBack(std::optional<DecodeResult>& ended) {
    if (!word_) return false;
    const WordBeginning at = *std::exchange(word_, std::nullopt);
    const auto other =
        std::find_if(at.others.begin(), at.others.end(), [&at](const ShownText& shown) {
          GapText text = at.text;
          return !shown.ends && !shown.bytes.empty() &&
                 text.Judge(shown.bytes).verdict != Judgement::Verdict::kRefused;
        });
    if (other == at.others.end()) return false;
    GoBackTo(at);
    ++repaired_;
    (void)Append(*other, ended);
    return true;
  }

  void GoBackTo(const WordBeginning& word) {
    text_ = word.text;
    nats_.resize(word.nats);
    forced_ = word.forced;
    repaired_ = word.repaired;
    std::erase_if(beginnings_, [this](const MiddleBeginning& b) { return b.drawn > drawn(); });
  }

  // Writes the likeliest of the texts that fits, or ends the middle with it; false: none fits.
  bool AppendOneOf(const std::vector<ShownText>& others, std::optional<DecodeResult>& ended) {
    for (const ShownText& other : others) {
      if (other.ends || other.bytes.empty()) continue;
      if (Append(other, ended)) {
        ++repaired_;
        return true;
      }
      if (ended) return true;
    }
    return false;
  }

  // Writes something else in the place of a piece that cannot come.
  Step Repair(const TextPiece& piece, std::optional<DecodeResult>& ended) {
    if (AppendOneOf(piece.others, ended)) return Step::kRepeat;
    if (text_.first_choice().word_ended()) {
      if (TakeWordBack(ended)) return Step::kRepeat;
      text_.LetGoOn();
      if (AppendOneOf(piece.others, ended)) return Step::kRepeat;
    }
    if (text_.first_choice().line_ended() && Append({text_.written().gap().line_end()}, ended)) {
      ++repaired_;
      return Step::kRepeat;
    }
    text_.LetGoOn();
    const std::string_view bytes = piece.text.bytes;
    for (size_t size = bytes.size(); size-- > 1;) {
      if (IsWordByte(bytes[size - 1]) && IsWordByte(bytes[size])) continue;
      if (Append({std::string(bytes.substr(0, size))}, ended)) {
        ++repaired_;
        return Step::kRepeat;
      }
      if (ended) return Step::kRepeat;
    }
    if (!WriteForced()) ended = GivenUp();
    return Step::kRepeat;
  }

  GapText text_;
  const std::string healed_;
  TextSource& source_;
  const DecodeLimits& limits_;
  std::vector<StreamedBranch>* branches_;  // null: nobody wants them
  std::vector<TokenNats> nats_;
  std::vector<MiddleBeginning> beginnings_;  // with a deadline: the middle after each piece
  std::optional<WordBeginning> word_;        // with which the middle ends
  int written_before_ = 0;                   // tokens that this decoding began with
  int requests_ = 0;
  int received_ = 0;   // pieces
  int refused_ = 0;    // of them
  int forced_ = 0;     // tokens
  int repaired_ = 0;   // pieces that were taken in the place of one that was sent
  bool late_ = false;  // the deadline passed
};

}  // namespace

tl::expected<DecodeResult, StreamFault> DecodeStreamed(GapText text, TextSource& source,
                                                       const DecodeLimits& limits,
                                                       std::vector<StreamedBranch>* branches) {
  std::string healed = text.written().healed();
  return StreamedDecoder(std::move(text), std::move(healed), source, limits, branches).Run();
}

tl::expected<DecodeResult, StreamFault> DecodeBranch(const StreamedBranch& branch,
                                                     TextSource& source,
                                                     const DecodeLimits& limits) {
  return StreamedDecoder(branch.before->text, branch.before->healed, source, limits, nullptr)
      .RunWith(branch.before->nats, branch.next);
}

}  // namespace tenon::server
