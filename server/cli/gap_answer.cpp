#include "server/cli/gap_answer.h"

#include <utility>

#include "server/decode/gap_sampler.h"
#include "server/decode/token_cost.h"
#include "server/region/file_around.h"
#include "server/region/region_gaps.h"
#include "server/region/seam_order.h"
#include "tenon/budget.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr size_t kMaxRefusals = 8;  // of samples in a region

}  // namespace

json ToJson(const GapAnswer& answer) {
  json line = {{"viable", answer.viable}, {"member", answer.member}, {"expected", answer.expected}};
  if (answer.region) {
    line["region"] = {{"at", {answer.region->begin, answer.region->end}},
                      {"before", answer.region->before},
                      {"after", answer.region->after}};
  }
  if (answer.seam != Seam::kClosed) line["seam"] = ToString(answer.seam);
  if (answer.closing) line["closing"] = *answer.closing;
  if (answer.samples) line["samples"] = *answer.samples;
  if (answer.needs) {
    line["infeasible"] = true;
    line["needs"] = *answer.needs;
  }
  return line;
}

GapAnswerer::GapAnswerer(const Invocation& invocation,
                         std::shared_ptr<const LanguageRegistry> languages,
                         std::optional<std::string> tokenizer)
    : invocation_(invocation),
      languages_(std::move(languages)),
      syntaxes_(languages_, invocation.SyntaxFolders()),
      wanted_vocabulary_(std::move(tokenizer)),
      cache_(invocation.cache()) {}

Gap GapAnswerer::Subject::OpenGap() const {
  const std::string_view whole = text;
  return Gap::Open(language, whole.substr(0, cursor), whole.substr(cursor), options);
}

std::string GapAnswerer::Subject::Left(const std::optional<Region>& region) const {
  return region ? region->Left(text, cursor) : text.substr(0, cursor);
}

std::string GapAnswerer::Subject::Right(const std::optional<Region>& region) const {
  return region ? region->Right(text, cursor) : text.substr(cursor);
}

tl::expected<const model::Tokenizer*, std::string> GapAnswerer::Vocabulary() {
  if (!tokenizer_) {
    const auto path = invocation_.TokenizerPath(wanted_vocabulary_);
    if (!path) return tl::unexpected(path.error());
    auto opened = model::OpenTokenizer(*path);
    if (!opened) return tl::unexpected(opened.error().message);
    tokenizer_.emplace(*std::move(opened));
  }
  return &*tokenizer_;
}

MaskStore GapAnswerer::StoreOf(const Language& language) {
  if (!stores_) stores_.emplace(*tokenizer_, cache_);
  if (const auto store = stores_->Of(language)) return *store;
  stores_->Wait();
  return *stores_->Of(language);
}

tl::expected<GapAnswerer::Subject, std::string> GapAnswerer::SubjectOf(
    const GapQuestion& question) {
  const auto contexts = TakeOut(question.cut, question.text);
  if (!contexts) return tl::unexpected(contexts.error());
  const auto id = Invocation::LanguageOf(*languages_, question.language, question.path);
  if (!id) return tl::unexpected(id.error());
  const auto language = languages_->Get(*id);
  if (!language) {
    const std::string place = question.path.empty() ? "" : question.path + ": ";
    return tl::unexpected(place + language.error());
  }
  Subject subject{.language = *language,
                  .language_id = *id,
                  .text = std::string(contexts->left) + std::string(contexts->right),
                  .cursor = contexts->left.size(),
                  .options = {}};
  subject.options.scope = question.scope;
  subject.options.emit = question.obeys_emit();
  if (question.sample.count > 0) {
    const auto tokenizer = Vocabulary();
    if (!tokenizer) return tl::unexpected(tokenizer.error());
    subject.options.count = CanonicalCount(**tokenizer);
  }
  return subject;
}

std::optional<GapAnswerer::OpenedGap> GapAnswerer::OpenOver(Seam seam, const Subject& subject) {
  Subject over = subject;
  over.options.seam = seam;
  Gap gap = over.OpenGap();
  if (!gap.viable() || !gap.Close()) return std::nullopt;
  return OpenedGap{std::move(gap), seam};
}

std::optional<GapAnswerer::OpenedGap> GapAnswerer::OpenInRegion(const Subject& subject) const {
  const auto syntax = syntaxes_.Get(subject.language_id);
  if (!syntax) return std::nullopt;
  auto found =
      RegionGaps(subject.language, *syntax).Open(subject.text, subject.cursor, subject.options);
  if (!found) return std::nullopt;
  return OpenedGap{std::move(found->gap), found->seam, std::move(found->region)};
}

GapAnswerer::OpenedGap GapAnswerer::Open(const GapQuestion& question,
                                         const Subject& subject) const {
  OpenedGap whole{subject.OpenGap()};
  const bool writes = subject.options.emit && (question.region || question.close);
  const auto closing = writes && whole.gap.viable() ? whole.gap.Close() : std::nullopt;
  if (whole.gap.viable() && (!writes || closing)) {
    const bool region_first =
        closing && question.region && IsRegionFirst(subject.text, subject.cursor, closing->text);
    auto in_region = region_first ? OpenInRegion(subject) : std::nullopt;
    return in_region ? *std::move(in_region) : std::move(whole);
  }
  const auto over_seam = [&](Seam seam) {
    return subject.options.emit ? OpenOver(seam, subject) : std::nullopt;
  };
  const auto in_region = [&] { return question.region ? OpenInRegion(subject) : std::nullopt; };
  const auto seams_before = [&](const OpenedGap& in) {
    return SeamsBefore(*in.region, subject.text, subject.cursor);
  };
  auto found = FirstAfterClosedSeam<OpenedGap>(over_seam, in_region, seams_before);
  return found ? *std::move(found) : std::move(whole);
}

void GapAnswerer::OpenForOwnTexts(const GapQuestion& question, const Subject& subject,
                                  OpenedGap& opened) {
  Subject own = subject;
  const std::string left = subject.Left(opened.region) + question.insert;
  own.text = left + subject.Right(opened.region);
  own.cursor = left.size();
  own.options.emit = true;
  own.options.seam = opened.seam;
  opened.gap = own.OpenGap();
  if (opened.gap.viable() && opened.gap.Close()) return;
  for (const Seam wider : {Seam::kLine, Seam::kRest, Seam::kOpen}) {
    auto over = OpenOver(wider, own);
    if (!over) continue;
    opened.gap = std::move(over->gap);
    opened.seam = wider;
    return;
  }
}

void GapAnswerer::AddSamples(const SampleOptions& wanted, const Subject& subject, const Gap& gap,
                             const Fits& fits, GapAnswer& answer) {
  Budget budgeted(gap, wanted.max_tokens);
  if (!budgeted.feasible()) {
    answer.needs = budgeted.needs();
    return;
  }
  GapSampler sampler(*tokenizer_, StoreOf(subject.language), std::move(budgeted), wanted.seed);
  for (size_t refusals = 0; answer.samples->size() < wanted.count && refusals < kMaxRefusals;) {
    std::string sample = sampler.Draw();
    if (fits(sample))
      answer.samples->push_back(std::move(sample));
    else
      ++refusals;
  }
}

tl::expected<GapAnswer, std::string> GapAnswerer::Answer(const GapQuestion& question) {
  const auto subject = SubjectOf(question);
  if (!subject) return tl::unexpected(subject.error());
  OpenedGap opened = Open(question, *subject);
  GapAnswer answer;
  answer.seam = opened.seam;
  answer.region = opened.region;
  if (question.sample.count > 0) answer.samples.emplace();
  Gap& gap = opened.gap;
  if (!gap.viable() || (!question.insert.empty() && !gap.Accept(question.insert))) return answer;
  if (question.scope != Scope::kFree && !gap.Close()) return answer;
  answer.viable = true;
  answer.member = gap.Member();
  answer.expected = gap.Expected();
  if (!question.close && question.sample.count == 0) return answer;
  if (!subject->options.emit) OpenForOwnTexts(question, *subject, opened);
  answer.seam = opened.seam;
  const Fits fits = [&](std::string_view text) {
    return !opened.region || FitsFile(subject->language, *opened.region, subject->text,
                                      subject->cursor, question.insert + std::string(text));
  };
  if (question.close) {
    auto closing = gap.Close();
    if (closing && fits(closing->text)) answer.closing = std::move(closing->text);
  }
  if (question.sample.count > 0) AddSamples(question.sample, *subject, gap, fits, answer);
  return answer;
}

}  // namespace tenon::server
