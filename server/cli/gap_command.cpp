#include "server/cli/gap_command.h"

#include <charconv>
#include <istream>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/gap/budgeted_gap.h"
#include "model/text/text.h"
#include "server/complete/gap_sampler.h"
#include "server/complete/mask_stores.h"
#include "server/complete/token_cost.h"

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
  constraint::Scope scope = constraint::Scope::kFree;
  bool emit = false;  // is `insert` to be what tenon may write?
};

struct GapAnswer {
  bool viable = false;
  bool member = false;
  std::vector<std::string> expected;
  std::optional<std::string> closing;  // asked for, and found
  std::optional<std::vector<std::string>> samples;
  std::optional<uint32_t> needs;  // tokens, where those for the samples are too few
};

// The vocabulary that samples are drawn from, read when the first is asked for, and its mask stores.
class Vocabulary {
 public:
  Vocabulary(const Session& session, const GapOptions& options)
      : path_(options.tokenizer.value_or(session.options().model)), cache_(session.Cache()) {}
  tl::expected<const model::Tokenizer*, std::string> Get() {
    if (!tokenizer_) {
      auto opened = model::OpenTokenizer(path_);
      if (!opened) return tl::unexpected(opened.error().message);
      tokenizer_.emplace(*std::move(opened));
    }
    return &*tokenizer_;
  }
  // REQUIRES: Get() gave a tokenizer.
  std::shared_ptr<const constraint::MaskStore> StoreOf(const std::shared_ptr<const constraint::Language>& language) {
    if (!stores_) stores_.emplace(*tokenizer_, cache_);
    auto store = stores_->Of(language);
    if (store) return store;
    stores_->Wait();
    return stores_->Of(language);
  }

 private:
  std::string path_;
  std::shared_ptr<const constraint::LanguageCache> cache_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<MaskStores> stores_;  // behind the tokenizer, which it refers to
};

std::optional<size_t> Number(std::string_view digits) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Cut> CutFrom(std::string_view at) {
  const size_t dash = at.find('-');
  const auto begin = Number(at.substr(0, dash));
  const auto end = dash == std::string_view::npos ? begin : Number(at.substr(dash + 1));
  if (!begin || !end) return std::nullopt;
  return Cut{*begin, *end};
}

namespace {

// A, [A], [A, B] or the command line's text.
std::optional<Cut> CutFrom(const json& at) {
  if (at.is_string()) return CutFrom(std::string_view(at.get_ref<const std::string&>()));
  if (at.is_number_unsigned()) return Cut{at.get<size_t>(), at.get<size_t>()};
  if (!at.is_array() || at.empty() || at.size() > 2) return std::nullopt;
  for (const json& offset : at) {
    if (!offset.is_number_unsigned()) return std::nullopt;
  }
  return Cut{at.front().get<size_t>(), at.back().get<size_t>()};
}

void Sample(const GapQuestion& question, const constraint::GapState& gap, const model::Tokenizer& tokenizer,
            std::shared_ptr<const constraint::MaskStore> store, GapAnswer& answer) {
  constraint::BudgetedGap budgeted(gap, question.sample.max_tokens);
  answer.samples.emplace();
  if (!budgeted.feasible()) {
    answer.needs = budgeted.needs();
    return;
  }
  GapSampler sampler(tokenizer, std::move(store), std::move(budgeted), question.sample.seed);
  while (answer.samples->size() < question.sample.count) answer.samples->push_back(sampler.Draw());
}

tl::expected<GapAnswer, std::string> Ask(const LanguageRegistry& languages, const GapQuestion& question,
                                         Vocabulary& vocabulary) {
  if (question.cut.begin > question.cut.end || question.cut.end > question.text.size()) {
    return tl::unexpected(fmt::format("{}-{} is no stretch of this text of {} bytes", question.cut.begin,
                                      question.cut.end, question.text.size()));
  }
  const auto id = Session::LanguageOf(languages, question.language, question.path.empty() ? "text" : question.path);
  if (!id) return tl::unexpected(id.error());
  const auto language = languages.Get(*id);
  if (!language) return tl::unexpected(language.error());
  const std::string_view text = question.text;
  constraint::GapPolicy policy;
  policy.scope = question.scope;
  policy.emit = question.emit || question.scope != constraint::Scope::kFree;  // a scope is about what is written
  auto state =
      constraint::GapState::Open(*language, text.substr(0, question.cut.begin), text.substr(question.cut.end), policy);
  GapAnswer answer;
  if (question.sample.count > 0) answer.samples.emplace();
  if (!state.viable() || (!question.insert.empty() && !state.Accept(question.insert))) return answer;
  if (question.scope != constraint::Scope::kFree && !state.Close()) return answer;
  answer.viable = true;
  answer.member = state.Member();
  answer.expected = state.Expected();
  if (question.close || question.sample.count > 0) {
    // What tenon would write itself: by the emit grammar and the seam rule.
    constraint::GapPolicy own;
    own.scope = question.scope;
    tl::expected<const model::Tokenizer*, std::string> tokenizer = nullptr;
    if (question.sample.count > 0) {
      tokenizer = vocabulary.Get();
      if (!tokenizer) return tl::unexpected(tokenizer.error());
      own.count = CanonicalCount(**tokenizer);
    }
    const std::string left = std::string(text.substr(0, question.cut.begin)) + question.insert;
    const auto ours = constraint::GapState::Open(*language, left, text.substr(question.cut.end), std::move(own));
    if (question.close) {
      if (auto closing = ours.Close()) answer.closing = std::move(closing->text);
    }
    if (question.sample.count > 0) Sample(question, ours, **tokenizer, vocabulary.StoreOf(*language), answer);
  }
  return answer;
}

json ToJson(const GapAnswer& answer) {
  json line = {{"viable", answer.viable}, {"member", answer.member}, {"expected", answer.expected}};
  if (answer.closing) line["closing"] = *answer.closing;
  if (answer.samples) line["samples"] = *answer.samples;
  if (answer.needs) {
    line["infeasible"] = true;
    line["needs"] = *answer.needs;
  }
  return line;
}

tl::expected<GapQuestion, std::string> QuestionFrom(const json& line) {
  if (!line.is_object()) return tl::unexpected(std::string("a request is a JSON object on one line"));
  const auto text_of = [&line](const char* name) -> tl::expected<std::optional<std::string>, std::string> {
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
  const auto known = constraint::ScopeFromName(scope->value_or("free"));
  if (!known) return tl::unexpected(std::string("\"scope\" must be argument, line, statement, block or free"));
  question.scope = *known;
  if (!*text && !*path) return tl::unexpected(std::string("a request needs \"path\" or \"text\""));
  if (*text) {
    question.text = **text;
  } else {
    auto read = ReadFile(question.path);
    if (!read) return tl::unexpected(std::move(read.error()));
    question.text = *std::move(read);
  }
  const std::optional<Cut> cut = line.contains("at") ? CutFrom(line["at"]) : std::nullopt;
  if (!cut) return tl::unexpected(std::string("\"at\" must be [A, B], byte offsets"));
  question.cut = *cut;
  for (const auto& [name, into] : {std::pair("close", &question.close), std::pair("emit", &question.emit)}) {
    const auto found = line.find(name);
    if (found == line.end()) continue;
    if (!found->is_boolean()) return tl::unexpected(fmt::format("\"{}\" must be true or false", name));
    *into = found->get<bool>();
  }
  const auto number = [&line](const char* name, uint64_t most, auto& into) -> tl::expected<void, std::string> {
    const auto found = line.find(name);
    if (found == line.end()) return {};
    if (!found->is_number_unsigned() || found->get<uint64_t>() > most)
      return tl::unexpected(fmt::format("\"{}\" must be a whole number from 0 to {}", name, most));
    into = static_cast<std::decay_t<decltype(into)>>(found->get<uint64_t>());
    return {};
  };
  for (const auto& read : {number("sample", kMostSamples, question.sample.count),
                           number("max_tokens", kMostSampleTokens, question.sample.max_tokens),
                           number("seed", std::numeric_limits<uint64_t>::max(), question.sample.seed)}) {
    if (!read) return tl::unexpected(read.error());
  }
  return question;
}

}  // namespace

int RunGap(const Session& session, const GapOptions& options) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  auto text = ReadFile(options.file);
  if (!text) return session.Fail(text.error());
  const std::optional<Cut> cut = CutFrom(std::string_view(options.at));
  if (!cut) return session.Fail(fmt::format("--at {}: must be A or A-B, byte offsets", options.at), kWrongUsage);
  const auto scope = constraint::ScopeFromName(options.scope);
  if (!scope) return session.Fail("--scope must be argument, line, statement, block or free", kWrongUsage);
  Vocabulary vocabulary(session, options);
  const auto answer = Ask(**languages,
                          {*std::move(text), options.file, options.language, *cut, options.insert.value_or(""),
                           options.close, options.sample, *scope},
                          vocabulary);
  if (!answer) return session.Fail(answer.error());
  if (session.json()) {
    session.PrintJson(ToJson(*answer));
    return kDone;
  }
  const char* what = options.insert ? "the text" : "the empty text";
  session.Print(fmt::format("{}{}\n", answer->viable ? "viable" : "not viable: nothing can close this gap",
                            options.insert ? " after the text" : ""));
  session.Print(fmt::format("{} {} the gap\n", what, answer->member ? "closes" : "does not close"));
  if (answer->viable) session.Print(fmt::format("expected: {}\n", fmt::join(answer->expected, " ")));
  if (answer->closing) session.Print(fmt::format("closed by: [{}]\n", *answer->closing));
  if (answer->needs) session.Print(fmt::format("infeasible, needs {} tokens\n", *answer->needs));
  for (const std::string& sample : answer->samples.value_or(std::vector<std::string>{}))
    session.Print(fmt::format("[{}]\n", sample));
  return kDone;
}

int RunGapBatch(const Session& session, const GapOptions& options) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  Vocabulary vocabulary(session, options);
  for (std::string line; std::getline(session.around().in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto answer = QuestionFrom(json::parse(line, nullptr, false))
                            .and_then([&languages, &vocabulary](const GapQuestion& question) {
                              return Ask(**languages, question, vocabulary);
                            });
    session.PrintJson(answer ? ToJson(*answer) : json{{"error", answer.error()}});
  }
  return kDone;
}

}  // namespace tenon::server
