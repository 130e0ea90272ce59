#include "server/cli/gap_command.h"

#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/text/text.h"
#include "server/cli/cut.h"
#include "server/cli/stage_dump.h"
#include "server/decode/gap_sampler.h"
#include "server/decode/mask_stores.h"
#include "server/decode/token_cost.h"
#include "server/region/file_around.h"
#include "server/region/region_gaps.h"
#include "server/region/seam_order.h"
#include "server/syntax/syntax_registry.h"
#include "tenon/budget.h"

namespace tenon::server {
namespace {

using nlohmann::json;

struct GapQuestion {
  std::string text;
  std::string path;  // may be empty
  std::optional<std::string> language;
  Cut cut;
  std::string insert;
  bool close = false;
  SampleOptions sample;
  Scope scope = Scope::kFree;
  bool emit = false;    // `insert` has to obey the rules of completions
  bool region = false;  // where the file is broken elsewhere, the region around the gap counts
};

struct GapAnswer {
  bool viable = false;
  bool member = false;
  std::optional<Region> region;  // the gap is viable in it, and not in the whole file
  Seam seam = Seam::kClosed;     // at which a text of tenon's own closes the gap
  std::vector<std::string> expected;
  std::optional<std::string> closing;  // asked for, and found
  std::optional<std::vector<std::string>> samples;
  std::optional<uint32_t> needs;  // tokens, where those for the samples are too few
};

// The vocabulary that samples are drawn from, read when the first is asked for, and its mask
// stores.
class SampleVocabulary {
 public:
  SampleVocabulary(const Invocation& invocation, const GapOptions& options)
      : invocation_(invocation), wanted_(options.tokenizer), cache_(invocation.cache()) {}
  tl::expected<const model::Tokenizer*, std::string> Get() {
    if (!tokenizer_) {
      const auto path = invocation_.TokenizerPath(wanted_);
      if (!path) return tl::unexpected(path.error());
      auto opened = model::OpenTokenizer(*path);
      if (!opened) return tl::unexpected(opened.error().message);
      tokenizer_.emplace(*std::move(opened));
    }
    return &*tokenizer_;
  }
  // REQUIRES: Get() gave a tokenizer.
  MaskStore StoreOf(const Language& language) {
    if (!stores_) stores_.emplace(*tokenizer_, cache_);
    if (const auto store = stores_->Of(language)) return *store;
    stores_->Wait();
    return *stores_->Of(language);
  }

 private:
  const Invocation& invocation_;
  std::optional<std::string> wanted_;
  Cache cache_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<MaskStores> stores_;  // after the tokenizer, which it refers to
};

// A, [A], [A, B] or the command line's text.
std::optional<Cut> CutFromJson(const json& at) {
  if (at.is_string()) return CutFrom(at.get_ref<const std::string&>());
  if (at.is_number_unsigned()) return Cut{at.get<size_t>(), at.get<size_t>()};
  if (!at.is_array() || at.empty() || at.size() > 2) return std::nullopt;
  for (const json& offset : at) {
    if (!offset.is_number_unsigned()) return std::nullopt;
  }
  return Cut{at.front().get<size_t>(), at.back().get<size_t>()};
}

constexpr size_t kMaxRefusals = 8;  // of samples in a region

// `fits`: may the text be offered, as a completion?
void Sample(const GapQuestion& question, const Gap& gap, const model::Tokenizer& tokenizer,
            const MaskStore& store, const std::function<bool(std::string_view)>& fits,
            GapAnswer& answer) {
  Budget budgeted(gap, question.sample.max_tokens);
  answer.samples.emplace();
  if (!budgeted.feasible()) {
    answer.needs = budgeted.needs();
    return;
  }
  GapSampler sampler(tokenizer, store, std::move(budgeted), question.sample.seed);
  for (size_t refusals = 0;
       answer.samples->size() < question.sample.count && refusals < kMaxRefusals;) {
    std::string sample = sampler.Draw();
    if (fits(sample))
      answer.samples->push_back(std::move(sample));
    else
      ++refusals;
  }
}

// The gap in the region of a broken file; nothing where there is none.
std::optional<RegionGap> OpenInRegion(const SyntaxRegistry& syntaxes,
                                      const std::string& language_id, const Language& language,
                                      std::string_view text, size_t cursor,
                                      const tenon::GapOptions& options) {
  const auto syntax = syntaxes.Get(language_id);
  if (!syntax) return std::nullopt;
  return RegionGaps(language, *syntax).Open(text, cursor, options);
}

// A gap that a text of tenon's own closes, in the whole file over a seam, or in a region.
struct JoinedGap {
  Gap gap;
  Seam seam = Seam::kClosed;
  std::optional<Region> region = {};
};

// Nothing: no text of tenon's own closes it there.
std::optional<JoinedGap> OpenOver(Seam seam, const Language& language, std::string_view left,
                                  std::string_view right, tenon::GapOptions options) {
  options.seam = seam;
  Gap gap = Gap::Open(language, left, right, std::move(options));
  if (!gap.viable() || !gap.Close()) return std::nullopt;
  return JoinedGap{std::move(gap), seam};
}

// Behind `inserted`, the gap for texts of tenon's own, which obey the emit grammar and the seam
// rule, whatever the given text obeyed. `seam`: at which it is open; becomes wider where that takes
// it.
Gap OpenForOwnTexts(const Language& language, const std::string& inserted, std::string_view right,
                    const tenon::GapOptions& as_asked, Seam& seam) {
  tenon::GapOptions own = as_asked;
  own.emit = true;
  own.seam = seam;
  Gap gap = Gap::Open(language, inserted, right, own);
  if (gap.viable() && gap.Close()) return gap;
  for (const Seam wider : {Seam::kLine, Seam::kRest, Seam::kOpen}) {
    auto over = OpenOver(wider, language, inserted, right, own);
    if (!over) continue;
    seam = wider;
    return std::move(over->gap);
  }
  return gap;
}

tl::expected<GapAnswer, std::string> Ask(const LanguageRegistry& languages,
                                         const SyntaxRegistry& syntaxes,
                                         const GapQuestion& question,
                                         SampleVocabulary& vocabulary) {
  const auto contexts = TakeOut(question.cut, question.text);
  if (!contexts) return tl::unexpected(contexts.error());
  const auto id = Invocation::LanguageOf(languages, question.language,
                                         question.path.empty() ? "text" : question.path);
  if (!id) return tl::unexpected(id.error());
  const auto language = languages.Get(*id);
  if (!language) return tl::unexpected(language.error());
  tenon::GapOptions as_asked;
  as_asked.scope = question.scope;
  // A scope limits a written text, so the rules for writing hold under it.
  as_asked.emit = question.emit || question.scope != Scope::kFree;
  tl::expected<const model::Tokenizer*, std::string> tokenizer = nullptr;
  if (question.sample.count > 0) {
    tokenizer = vocabulary.Get();
    if (!tokenizer) return tl::unexpected(tokenizer.error());
    as_asked.count = CanonicalCount(**tokenizer);
  }
  std::string_view left = contexts->left, right = contexts->right;
  Gap gap = Gap::Open(*language, left, right, as_asked);
  GapAnswer answer;
  // As in a completion (docs/design/seams.md): where no text of tenon's own joins the whole file, a
  // string that the right side ends may do, or a region, or whatever the right side ends.
  const std::string whole = std::string(left) + std::string(right);
  const auto over_seam = [&](Seam seam) {
    return as_asked.emit ? OpenOver(seam, *language, left, right, as_asked) : std::nullopt;
  };
  const auto in_region = [&]() -> std::optional<JoinedGap> {
    if (!question.region) return std::nullopt;
    auto found = OpenInRegion(syntaxes, *id, *language, whole, left.size(), as_asked);
    if (!found) return std::nullopt;
    return JoinedGap{std::move(found->gap), found->seam, std::move(found->region)};
  };
  const auto leaves_right_out = [&](const JoinedGap& in) {
    return LeavesRightOut(*in.region, whole, left.size());
  };
  std::string left_of_region, right_of_region;
  const bool joined = gap.viable() && (!as_asked.emit || !(question.region || question.close) ||
                                       gap.Close().has_value());
  if (!joined) {
    if (auto found = FirstBehindClosedSeam<JoinedGap>(over_seam, in_region, leaves_right_out)) {
      gap = std::move(found->gap);
      answer.seam = found->seam;
      answer.region = std::move(found->region);
    }
  }
  if (answer.region) {
    left_of_region = answer.region->Left(whole, contexts->left.size());
    right_of_region = answer.region->Right(whole, contexts->left.size());
    left = left_of_region;
    right = right_of_region;
  }
  if (question.sample.count > 0) answer.samples.emplace();
  if (!gap.viable() || (!question.insert.empty() && !gap.Accept(question.insert))) return answer;
  if (question.scope != Scope::kFree && !gap.Close()) return answer;
  answer.viable = true;
  answer.member = gap.Member();
  answer.expected = gap.Expected();
  if (question.close || question.sample.count > 0) {
    if (!as_asked.emit)
      gap = OpenForOwnTexts(*language, std::string(left) + question.insert, right, as_asked,
                            answer.seam);
    const auto fits = [&](std::string_view text) {
      return !answer.region || FitsFile(*language, *answer.region, whole, contexts->left.size(),
                                        question.insert + std::string(text));
    };
    if (question.close) {
      auto closing = gap.Close();
      if (closing && fits(closing->text)) answer.closing = std::move(closing->text);
    }
    if (question.sample.count > 0)
      Sample(question, gap, **tokenizer, vocabulary.StoreOf(*language), fits, answer);
  }
  return answer;
}

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

tl::expected<GapQuestion, std::string> QuestionFrom(const json& line) {
  const auto text_of =
      [&line](const char* name) -> tl::expected<std::optional<std::string>, std::string> {
    const auto found = line.find(name);
    if (found == line.end() || found->is_null()) return std::nullopt;
    if (!found->is_string()) return tl::unexpected(fmt::format("\"{}\" must be a text", name));
    return found->get<std::string>();
  };
  const auto path = text_of("path");
  const auto text = text_of("text");
  const auto insert = text_of("insert");
  const auto language = text_of("language");
  const auto scope = text_of("scope");
  for (const auto* member : {&path, &text, &insert, &language, &scope}) {
    if (!*member) return tl::unexpected(member->error());
  }
  GapQuestion question;
  question.path = path->value_or("");
  question.language = *language;
  question.insert = insert->value_or("");
  const auto known = ScopeNamed(scope->value_or("free"));
  if (!known)
    return tl::unexpected(
        std::string("\"scope\" must be argument, line, statement, block or free"));
  question.scope = *known;
  if (!*text && !*path) return tl::unexpected(std::string("a request needs \"path\" or \"text\""));
  if (*text) {
    question.text = **text;
  } else {
    auto read = ReadFile(question.path);
    if (!read) return tl::unexpected(std::move(read.error()));
    question.text = *std::move(read);
  }
  const std::optional<Cut> cut = line.contains("at") ? CutFromJson(line["at"]) : std::nullopt;
  if (!cut) return tl::unexpected(std::string("\"at\" must be [A, B], byte offsets"));
  question.cut = *cut;
  for (const auto& [name, into] :
       {std::pair("close", &question.close), std::pair("emit", &question.emit),
        std::pair("region", &question.region)}) {
    const auto found = line.find(name);
    if (found == line.end()) continue;
    if (!found->is_boolean())
      return tl::unexpected(fmt::format("\"{}\" must be true or false", name));
    *into = found->get<bool>();
  }
  const auto number = [&line](const char* name, uint64_t max,
                              auto& into) -> tl::expected<void, std::string> {
    const auto found = line.find(name);
    if (found == line.end()) return {};
    if (!found->is_number_unsigned() || found->get<uint64_t>() > max)
      return tl::unexpected(fmt::format("\"{}\" must be a whole number from 0 to {}", name, max));
    into = static_cast<std::decay_t<decltype(into)>>(found->get<uint64_t>());
    return {};
  };
  for (const auto& read :
       {number("sample", kMaxSamples, question.sample.count),
        number("max_tokens", kMaxSampleTokens, question.sample.max_tokens),
        number("seed", std::numeric_limits<uint64_t>::max(), question.sample.seed)}) {
    if (!read) return tl::unexpected(read.error());
  }
  return question;
}

}  // namespace

int RunGap(const Invocation& invocation, const GapOptions& options) {
  if (options.explain || !options.dump.empty()) return DumpGapStage(invocation, options);
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  auto text = ReadFile(options.file);
  if (!text) return invocation.Fail(text.error());
  const std::optional<Cut> cut = CutFrom(options.at);
  if (!cut)
    return invocation.Fail(fmt::format("--at {}: must be A or A-B, byte offsets", options.at),
                           kExitWrongUsage);
  const auto scope = ScopeNamed(options.scope);
  if (!scope)
    return invocation.Fail("--scope must be argument, line, statement, block or free",
                           kExitWrongUsage);
  SampleVocabulary vocabulary(invocation, options);
  GapQuestion question{*std::move(text),
                       options.file,
                       options.language,
                       *cut,
                       options.insert.value_or(""),
                       options.close,
                       options.sample,
                       *scope};
  question.region = options.region;
  const auto answer = Ask(**languages, SyntaxRegistry(*languages, invocation.SyntaxFolders()),
                          question, vocabulary);
  if (!answer) return invocation.Fail(answer.error());
  if (invocation.json()) {
    invocation.PrintJson(ToJson(*answer));
    return kExitDone;
  }
  const char* what = options.insert ? "the text" : "the empty text";
  invocation.Print(fmt::format("{}{}\n",
                               answer->viable ? "viable" : "not viable: nothing can close this gap",
                               options.insert ? " after the text" : ""));
  invocation.Print(
      fmt::format("{} {} the gap\n", what, answer->member ? "closes" : "does not close"));
  if (answer->region)
    invocation.Print(fmt::format("in the region {}-{} alone: the file is broken elsewhere\n",
                                 answer->region->begin, answer->region->end));
  if (answer->seam != Seam::kClosed)
    invocation.Print(fmt::format("the text begins a {} that the right side ends\n",
                                 answer->seam == Seam::kLine ? "string" : "string or comment"));
  if (answer->viable)
    invocation.Print(fmt::format("expected: {}\n", fmt::join(answer->expected, " ")));
  if (answer->closing) invocation.Print(fmt::format("closed by: [{}]\n", *answer->closing));
  if (answer->needs) invocation.Print(fmt::format("infeasible, needs {} tokens\n", *answer->needs));
  for (const std::string& sample : answer->samples.value_or(std::vector<std::string>{}))
    invocation.Print(fmt::format("[{}]\n", sample));
  return kExitDone;
}

int RunGapBatch(const Invocation& invocation, const GapOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  SampleVocabulary vocabulary(invocation, options);
  const SyntaxRegistry syntaxes(*languages, invocation.SyntaxFolders());
  invocation.AnswerLines(
      [&languages, &syntaxes, &vocabulary](const json& line) -> tl::expected<json, std::string> {
        const auto question = QuestionFrom(line);
        if (!question) return tl::unexpected(question.error());
        const auto answer = Ask(**languages, syntaxes, *question, vocabulary);
        if (!answer) return tl::unexpected(answer.error());
        return ToJson(*answer);
      });
  return kExitDone;
}

}  // namespace tenon::server
