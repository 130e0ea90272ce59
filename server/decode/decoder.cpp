#include "server/decode/decoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "server/decode/forced_tokens.h"
#include "server/decode/likelihood.h"
#include "server/decode/middle_end.h"
#include "server/request/lines.h"

namespace tenon::server {

namespace {

constexpr int kJoiningTokens = 64;
constexpr int kMaxWordsTakenBack = 4;  // of a middle

// How many tokens both begin with.
size_t CommonTokens(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

// One middle in the making.
class Decoder {
 public:
  Decoder(DecodeBeginning beginning, GapFilter filter, model::Sampler& sampler, DecodeText& text,
          const DecodeLimits& limits, std::stop_token cancel)
      : so_far_(std::move(beginning)),
        filter_(std::move(filter)),
        sampler_(sampler),
        text_(text),
        limits_(limits),
        cancel_(std::move(cancel)) {}

  DecodeResult Run(std::span<const float> logits) {
    while (drawn() < static_cast<uint32_t>(limits_.max_tokens)) {
      if (auto ended = Step(logits)) return *std::move(ended);
      if (late_) return CutByTime(so_far(), beginnings_);
      if (exhausted_) break;
    }
    return Spent(so_far());
  }

 private:
  // The middle before the token that began its last word, where a token did.
  struct WordBeginning {
    GapFilter filter;
    TokenId token;
    size_t tokens, written, nats;  // of so_far_
    int forced;
  };

  uint32_t drawn() const { return filter_.text().written().budget().drawn(); }

  DecodeStatistics Statistics() const {
    return {.drawn = static_cast<int>(drawn()),
            .refused = filter_.refused(),
            .masks = filter_.masks(),
            .forced = forced_};
  }

  MiddleSoFar so_far() const { return {filter_.text(), so_far_.nats, Statistics()}; }

  DecodeResult Result(const Gap& at, uint32_t tokens, Ended ended = Ended::kStop) const {
    return EndedAt(so_far(), at, ended, tokens);
  }

  // Is the deadline over? If not, the middle as it is becomes one that may be cut back to. `free`:
  // the next decode takes no time. Then healed text that is written anew is not the end.
  bool Late(bool free = false) {
    if (!limits_.deadline.exists()) return false;
    if (filter_.text().written().healed().empty()) beginnings_.push_back({filter_.gap(), drawn()});
    if (free && filter_.gap().middle().empty()) return false;
    return late_ = limits_.deadline.passed();
  }

  void Tell() const {
    if (limits_.on_middle) limits_.on_middle(filter_.gap().middle());
  }

  // Writes the forced text; false: there is none. Sets exhausted_ where the model cannot go on
  // after it.
  bool WriteForced(std::span<const float>& logits) {
    if (!filter_.text().written().healed().empty()) return false;
    auto forced = FindForced(filter_.gap(), so_far_.written, filter_.tokenizer(),
                             filter_.text().written().goal() == Goal::kText);
    if (!forced || !AcceptForced(*forced)) return false;
    const size_t kept = CommonTokens(so_far_.tokens, forced->tokens);
    so_far_.written += forced->bytes;
    so_far_.tokens = std::move(forced->tokens);
    Tell();
    if (Late()) return true;
    GoOnFrom(text_.Rewrite(kept, std::span(so_far_.tokens).subspan(kept)), logits);
    return true;
  }

  // Appends forced text to the middle, within the tokens; false: they are too few, or it does not
  // fit.
  bool AcceptForced(const ForcedTokens& forced) {
    const size_t written = so_far_.tokens.size(), all = forced.tokens.size();
    // At least one: the text may have become fewer tokens.
    const auto more = static_cast<uint32_t>(all > written ? all - written : 1);
    if (drawn() + more > static_cast<uint32_t>(limits_.max_tokens) ||
        !filter_.AcceptForced(forced.bytes, more))
      return false;
    forced_ += static_cast<int>(more);
    word_.reset();
    return true;
  }

  // One more token; the result where the middle ends before or after it. Sets exhausted_ where
  // none comes.
  std::optional<DecodeResult> Step(std::span<const float>& logits) {
    if (filter_.text().written().MayEnd() && filter_.gap().LiveBytes(1).empty())
      return Result(filter_.gap(), drawn());
    if (WriteForced(logits)) return std::nullopt;
    exhausted_ = true;
    if (filter_.text().converging()) {
      if (const auto joining = DrawJoining(logits))
        return EndedBy(filter_.JudgeJoining(*joining), NatsOfDrawn(logits, *joining));
    }
    auto token = sampler_.Draw(logits, filter_, cancel_);
    if (!token && filter_.text().first_choice().HoldsBack() && !cancel_.stop_requested()) {
      if (GoBack(logits)) return std::nullopt;
      filter_.LetGoOn();
      token = sampler_.Draw(logits, filter_, cancel_);
    }
    if (cancel_.stop_requested()) return Cancelled(Statistics());
    if (!token) return std::nullopt;  // every token is refused
    return Write(*token, logits);
  }

  // Writes a drawn token; the result where the middle ends before it or inside it. Clears
  // exhausted_ where the model goes on after it.
  std::optional<DecodeResult> Write(TokenId token, std::span<const float>& logits) {
    const double nats = NatsOfDrawn(logits, token);
    if (limits_.on_draw) limits_.on_draw({filter_, logits, so_far_, token, nats});
    NoteWord(token);
    const Judgement judged = filter_.Judge(token);
    if (judged.verdict == Judgement::Verdict::kRefused) return std::nullopt;
    if (judged.verdict != Judgement::Verdict::kAccepted) return EndedBy(judged, nats);
    so_far_.nats.push_back({filter_.gap().middle().size(), nats});
    if (!filter_.ConvergeWhereDue(judged)) return std::nullopt;
    so_far_.written += filter_.tokenizer().Bytes(token);
    so_far_.tokens.push_back(token);
    Tell();
    if (!Late(text_.LiesAhead(token))) GoOnFrom(text_.Append(token), logits);
    return std::nullopt;
  }

  // The model goes on with these logits. Sets exhausted_ where it cannot.
  void GoOnFrom(const DecodeText::Logits& next, std::span<const float>& logits) {
    exhausted_ = !next;
    if (next) logits = *next;
  }

  // The middle that ends before a drawn token, or inside it.
  DecodeResult EndedBy(const Judgement& judged, double nats) {
    const Gap& at = judged.head ? *judged.head : filter_.gap();
    so_far_.nats.push_back({at.middle().size(), nats});
    return Result(at, drawn() + 1, judged.ended);
  }

  // Keeps the beginning of the word with which the middle ends once the token is written.
  void NoteWord(TokenId token) {
    const std::string_view bytes = filter_.tokenizer().Bytes(token);
    if (filter_.text().written().BeginsLastWord(bytes))
      word_ = WordBeginning{.filter = filter_,
                            .token = token,
                            .tokens = so_far_.tokens.size(),
                            .written = so_far_.written.size(),
                            .nats = so_far_.nats.size(),
                            .forced = forced_};
    else if (!EndsInWord(bytes))
      word_.reset();
  }

  // Nothing may come where the writer has ended a word or a line, or lacks room. Then the word is
  // taken back, or the middle is to end as it is. False: another token has to go on here.
  bool GoBack(std::span<const float>& logits) {
    const bool lacks_room = filter_.text().first_choice().lacks_room();
    if (lacks_room && !filter_.text().written().EndsInWord()) return true;
    if (filter_.text().first_choice().line_ended() || !TakeWordBack()) return false;
    if (!lacks_room) GoOnFrom(text_.Rewrite(so_far_.tokens.size(), {}), logits);
    return true;
  }

  // Goes back to before the word with which the middle ends, and never draws its first token there
  // again; false: its beginning is not known, or enough words were taken back. `text_` stays.
  bool TakeWordBack() {
    if (!word_ || words_taken_back_ == kMaxWordsTakenBack) return false;
    ++words_taken_back_;
    const WordBeginning at = *std::exchange(word_, std::nullopt);
    filter_ = at.filter;
    filter_.Ban(at.token);
    so_far_.tokens.resize(at.tokens);
    so_far_.written.resize(at.written);
    so_far_.nats.resize(at.nats);
    forced_ = at.forced;
    std::erase_if(beginnings_, [this](const MiddleBeginning& b) { return b.drawn > drawn(); });
    return true;
  }

  double NatsOfDrawn(std::span<const float> logits, TokenId token) const {
    return NatsOf(logits, token, filter_.tokenizer(), filter_.text().written().healed());
  }

  // The likeliest of the next tokens after which the middle joins the right context; nothing where
  // none of the first few does, or where the model goes on in a word.
  std::optional<TokenId> DrawJoining(std::span<const float> logits) {
    std::stop_source enough;
    int tried = 0;
    auto joins = [&](TokenId token) {
      const std::string_view bytes = filter_.tokenizer().Bytes(token);
      if (++tried > kJoiningTokens || (tried == 1 && filter_.text().written().GoesOnInWord(bytes)))
        enough.request_stop();
      return !enough.stop_requested() && filter_.Joins(token);
    };
    return sampler_.Draw(logits, joins, enough.get_token());
  }

  DecodeBeginning so_far_;
  GapFilter filter_;
  model::Sampler& sampler_;
  DecodeText& text_;
  const DecodeLimits& limits_;
  std::stop_token cancel_;
  std::optional<WordBeginning> word_;  // with which the middle ends
  int words_taken_back_ = 0;
  int forced_ = 0;                           // of the tokens, as the budget counts them
  bool exhausted_ = false;                   // no token comes any more
  bool late_ = false;                        // the deadline passed
  std::vector<MiddleBeginning> beginnings_;  // with a deadline: the middle after each of its tokens
};

// Appends a token to a middle that the model alone writes, up to the end of its first line that is
// not blank. False: the middle has ended, with an end token or that line. No token ends it, too.
bool AppendInLine(std::optional<TokenId> token, bool ends, const model::Tokenizer& tokenizer,
                  std::span<const float> logits, DecodeResult& result) {
  ++result.tokens;
  if (!ends) result.middle += tokenizer.Bytes(*token);
  const size_t line = EndOfFirstLine(result.middle);
  if (line != std::string::npos) result.middle.resize(line);
  if (token) result.nats.push_back({result.middle.size(), NatsOf(logits, *token)});
  return !ends && line == std::string::npos;
}

}  // namespace

DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits,
                    DecodeText& text, const DecodeLimits& limits, std::stop_token cancel) {
  return DecodeOn({}, std::move(filter), sampler, logits, text, limits, std::move(cancel));
}

DecodeResult DecodeOn(DecodeBeginning beginning, GapFilter filter, model::Sampler& sampler,
                      std::span<const float> logits, DecodeText& text, const DecodeLimits& limits,
                      std::stop_token cancel) {
  return Decoder(std::move(beginning), std::move(filter), sampler, text, limits, std::move(cancel))
      .Run(logits);
}

DecodeResult DecodeUnconstrained(const model::Tokenizer& tokenizer,
                                 const std::vector<TokenId>& end_tokens, model::Sampler& sampler,
                                 std::span<const float> logits, DecodeText& text,
                                 const DecodeLimits& limits, const std::stop_token& cancel) {
  DecodeResult result;
  result.ended = Ended::kBudget;
  result.closed = true;
  while (result.tokens < limits.max_tokens) {
    const auto token = sampler.Draw(
        logits, [](TokenId) { return true; }, cancel);
    if (cancel.stop_requested()) {
      result.cancelled = true;
      break;
    }
    const bool ends = !token || model::IsOneOf(*token, end_tokens);
    if (!AppendInLine(token, ends, tokenizer, logits, result)) {
      result.ended = Ended::kStop;
      break;
    }
    if (limits.on_middle) limits.on_middle(result.middle);
    if (limits.deadline.passed()) {
      result.ended = Ended::kTime;
      CutWordAtEnd(result);
      break;
    }
    const DecodeText::Logits next = text.Append(*token);
    if (!next) break;
    logits = *next;
  }
  return result;
}

}  // namespace tenon::server
