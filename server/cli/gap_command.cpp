#include "server/cli/gap_command.h"

#include <charconv>
#include <istream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/gap/gap_state.h"

namespace tenon::server {
namespace {

using nlohmann::json;

struct Cut {
  size_t begin = 0;
  size_t end = 0;
};

struct GapQuestion {
  std::string text;
  std::string path;  // may be empty
  std::optional<std::string> language;
  Cut cut;
  std::string insert;
  bool close = false;
};

struct GapAnswer {
  bool viable = false;
  bool member = false;
  std::vector<std::string> expected;
  std::optional<std::string> closing;  // asked for, and found
};

std::optional<size_t> Number(std::string_view digits) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// "A" or "A-B".
std::optional<Cut> CutFrom(std::string_view at) {
  const size_t dash = at.find('-');
  const auto begin = Number(at.substr(0, dash));
  const auto end = dash == std::string_view::npos ? begin : Number(at.substr(dash + 1));
  if (!begin || !end) return std::nullopt;
  return Cut{*begin, *end};
}

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

tl::expected<GapAnswer, std::string> Ask(const LanguageRegistry& languages, const GapQuestion& question) {
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
  policy.emit = false;
  auto state =
      constraint::GapState::Open(*language, text.substr(0, question.cut.begin), text.substr(question.cut.end), policy);
  GapAnswer answer;
  if (!state.viable() || (!question.insert.empty() && !state.Accept(question.insert))) return answer;
  answer.viable = true;
  answer.member = state.Member();
  answer.expected = state.Expected();
  if (question.close) {
    // What tenon would write itself: by the emit grammar and the seam rule.
    const std::string left = std::string(text.substr(0, question.cut.begin)) + question.insert;
    const auto ours = constraint::GapState::Open(*language, left, text.substr(question.cut.end), {});
    if (auto closing = ours.Close()) answer.closing = std::move(closing->text);
  }
  return answer;
}

json ToJson(const GapAnswer& answer) {
  json line = {{"viable", answer.viable}, {"member", answer.member}, {"expected", answer.expected}};
  if (answer.closing) line["closing"] = *answer.closing;
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
  for (const auto* member : {&path, &text, &insert, &language}) {
    if (!*member) return tl::unexpected(member->error());
  }
  GapQuestion question;
  question.path = path->value_or("");
  question.language = *language;
  question.insert = insert->value_or("");
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
  const auto close = line.find("close");
  if (close != line.end() && !close->is_boolean())
    return tl::unexpected(std::string("\"close\" must be true or false"));
  question.close = close != line.end() && close->get<bool>();
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
  const auto answer = Ask(**languages, {*std::move(text), options.file, options.language, *cut,
                                        options.insert.value_or(""), options.close});
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
  return kDone;
}

int RunGapBatch(const Session& session) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  for (std::string line; std::getline(session.around().in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto answer =
        QuestionFrom(json::parse(line, nullptr, false)).and_then([&languages](const GapQuestion& question) {
          return Ask(**languages, question);
        });
    session.PrintJson(answer ? ToJson(*answer) : json{{"error", answer.error()}});
  }
  return kDone;
}

}  // namespace tenon::server
