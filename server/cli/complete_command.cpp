#include "server/cli/complete_command.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "protocol/text_document.h"
#include "server/settings/settings.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr size_t kLinesAround = 3;

// LINE:COL, both from 1; nothing where it is not that.
std::optional<protocol::Position> PositionFrom(std::string_view at) {
  uint32_t line = 0;
  uint32_t column = 0;
  const char* const end = at.data() + at.size();
  const auto first = std::from_chars(at.data(), end, line);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, column);
  if (second.ec != std::errc() || second.ptr != end || line == 0 || column == 0)
    return std::nullopt;
  return protocol::Position{line - 1, column - 1};
}

// The place as a byte offset; the error says how many lines or characters there are.
tl::expected<size_t, std::string> OffsetOf(const protocol::TextDocument& document,
                                           const std::string& at) {
  const auto position = PositionFrom(at);
  if (!position) return tl::unexpected(fmt::format("--at {}: must be LINE:COL, both from 1", at));
  if (position->line >= document.line_count()) {
    return tl::unexpected(fmt::format("--at {}: the file has {} lines", at, document.line_count()));
  }
  const size_t offset = document.OffsetAt(*position);
  if (document.PositionAt(offset) != *position) {
    const size_t characters =
        document
            .PositionAt(document.LineStart(position->line) + document.Line(position->line).size())
            .character;
    return tl::unexpected(
        fmt::format("--at {}: line {} has {} characters", at, position->line + 1, characters));
  }
  return offset;
}

json ToJson(const CompletionAnswer& answer) {
  json items = json::array();
  for (const CompletionItem& item : answer.items) {
    items.push_back({{"text", item.text},
                     {"range", {item.range_begin_bytes, item.range_end_bytes}},
                     {"guarantee", ToString(item.guarantee)},
                     {"tokens", item.tokens},
                     {"ended", ToString(item.ended)}});
  }
  json line = {{"items", std::move(items)}, {"timings_ms", answer.timings_ms}};
  if (answer.statistics) {
    line["statistics"] = {{"drawn", answer.statistics->drawn},
                          {"refused", answer.statistics->refused},
                          {"masks", answer.statistics->masks},
                          {"forced", answer.statistics->forced},
                          {"passes", answer.statistics->passes}};
    if (answer.statistics->requests > 0) {
      line["statistics"]["requests"] = answer.statistics->requests;
      line["statistics"]["wasted"] = answer.statistics->wasted;
    }
  }
  if (answer.items.empty()) {
    line["guarantee"] = ToString(Guarantee::kNone);
    line["reason"] = answer.reason;
    if (answer.needs_tokens) {
      line["infeasible"] = true;
      line["needs"] = *answer.needs_tokens;
    }
  }
  return line;
}

// The lines around the cursor with the completion in its place, marked by colour on a terminal and
// by ├ ┤ elsewhere.
std::string InPlace(const protocol::TextDocument& document, const CompletionItem& item,
                    bool colour) {
  const size_t first = document.LineOf(item.range_begin_bytes);
  const size_t last = document.LineOf(item.range_end_bytes);
  const size_t begin = document.LineStart(first - std::min(first, kLinesAround));
  const size_t last_shown = std::min(last + kLinesAround, document.line_count() - 1);
  const size_t end = document.LineStart(last_shown) + document.Line(last_shown).size();
  const std::string& text = document.text();
  std::string shown = text.substr(begin, item.range_begin_bytes - begin);
  shown += colour ? "\x1b[1;32m" : "├";
  shown += item.text;
  shown += colour ? "\x1b[0m" : "┤";
  shown += text.substr(item.range_end_bytes, end - item.range_end_bytes);
  return shown + "\n";
}

void Show(const Invocation& invocation, const protocol::TextDocument& document,
          const CompletionAnswer& answer) {
  for (const CompletionItem& item : answer.items) {
    invocation.Print(InPlace(document, item, invocation.process().out_is_terminal));
    const auto total = answer.timings_ms.find("total");
    invocation.Print(fmt::format(
        "\nguarantee {}, ended by {}, {} tokens{}\n", ToString(item.guarantee),
        ToString(item.ended), item.tokens,
        total == answer.timings_ms.end() ? "" : fmt::format(", {:.0f} ms", total->second)));
  }
  if (answer.items.empty()) {
    invocation.Print(
        fmt::format("nothing to offer{}\n", answer.reason.empty() ? "" : ": " + answer.reason));
  }
}

// The end of the last line of `text`, at most `most` bytes of it.
std::string_view EndOfLine(std::string_view text, size_t most) {
  text.remove_prefix(text.find_last_of('\n') + 1);
  size_t begin = text.size() - std::min(text.size(), most);
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) ++begin;
  return text.substr(begin);
}

// Tells how far a completion is: on a line of the terminal that is wiped at the end, or in JSON
// lines.
class WorkShown {
 public:
  WorkShown(const Invocation& invocation, bool stream)
      : invocation_(invocation),
        as_json_(stream && invocation.json()),
        on_terminal_(invocation.process().out_is_terminal && !invocation.json()) {}
  ~WorkShown() {
    if (on_terminal_) invocation_.process().err << kWipe << std::flush;
  }
  WorkShown(const WorkShown&) = delete;
  WorkShown& operator=(const WorkShown&) = delete;

  [[nodiscard]] bool wanted() const { return as_json_ || on_terminal_; }
  void operator()(const CompletionProgress& progress) const {
    constexpr size_t kWidth = 70;
    if (as_json_) {
      invocation_.PrintJson({{"read_tokens", progress.read_tokens},
                             {"prompt_tokens", progress.prompt.size()},
                             {"middle", progress.middle}});
    } else if (progress.middle.empty()) {
      invocation_.process().err << kWipe
                                << fmt::format("{} of the prompt's {} tokens are read",
                                               progress.read_tokens, progress.prompt.size())
                                << std::flush;
    } else {
      invocation_.process().err << kWipe << EndOfLine(progress.middle, kWidth) << std::flush;
    }
  }

 private:
  static constexpr const char* kWipe = "\r\x1b[K";
  const Invocation& invocation_;
  bool as_json_;
  bool on_terminal_;
};

// What the options, else the settings say of the middle, wherever it is written. REQUIRES: the
// request has its language.
void SetTerms(const CompleteOptions& options, const Settings& settings,
              CompletionRequest& request) {
  request.max_tokens = options.max_tokens.value_or(settings.max_tokens);
  if (options.budget_ms) request.time_budget = std::chrono::milliseconds(*options.budget_ms);
  const auto level = settings.levels.find(request.language_id);
  request.level = options.level.value_or(level == settings.levels.end() ? "" : level->second);
  request.temperature = options.temperature.value_or(settings.temperature);
  request.seed = options.seed.value_or(settings.seed);
}

// The request of --prompt; the error names the missing option.
tl::expected<CompletionRequest, OptionFault> PromptRequest(const CompleteOptions& options,
                                                           const Settings& settings) {
  if (!options.file.empty() || !options.at.empty())
    return tl::unexpected(
        OptionFault{"--prompt takes the place of FILE and --at: give one or the other"});
  if (options.language && options.regex) {
    return tl::unexpected(OptionFault{
        "--prompt takes --language L or --regex R, which is a language of its own: give one or the "
        "other"});
  }
  if (!options.language && !options.regex) {
    return tl::unexpected(
        OptionFault{"--prompt needs --language L, what the text is in, or --regex R, what is "
                    "written after it"});
  }
  CompletionRequest request;
  request.text = *options.prompt;
  request.offset_bytes = request.text.size();
  request.language_id = options.language.value_or("");
  request.regex = options.regex;
  request.prompt = true;
  SetTerms(options, settings, request);
  return request;
}

// The texts of --open.
tl::expected<std::vector<OtherText>, OptionFault> OpenTexts(const CompleteOptions& options) {
  std::vector<OtherText> texts;
  for (const std::string& path : options.open) {
    auto text = ReadFile(path);
    if (!text) return tl::unexpected(OptionFault{text.error(), kExitFailed});
    texts.push_back({*std::move(text), std::filesystem::path(path).filename().string(),
                     std::filesystem::absolute(path).string()});
  }
  return texts;
}

// The request of FILE --at LINE:COL.
tl::expected<CompletionRequest, OptionFault> FileRequest(const CompleteOptions& options,
                                                         const Settings& settings,
                                                         const LanguageRegistry& languages) {
  if (options.regex) return tl::unexpected(OptionFault{"--regex needs --prompt TEXT"});
  if (options.file.empty() || options.at.empty())
    return tl::unexpected(OptionFault{"complete needs FILE --at LINE:COL, or --prompt TEXT"});
  auto text = ReadFile(options.file);
  if (!text) return tl::unexpected(OptionFault{text.error(), kExitFailed});
  const protocol::TextDocument document(*std::move(text), protocol::PositionEncoding::kUtf32);
  const auto offset = OffsetOf(document, options.at);
  if (!offset)
    return tl::unexpected(OptionFault{fmt::format("{}: {}", options.file, offset.error())});
  const auto constraint = options.constraint ? ConstraintModeFromName(*options.constraint)
                                             : std::optional(settings.constraint);
  if (!constraint) return tl::unexpected(OptionFault{"--constraint must be off, left or both"});
  const auto language = Invocation::LanguageOf(languages, options.language, options.file);
  if (!language && *constraint != ConstraintMode::kOff) {
    return tl::unexpected(
        OptionFault{language.error() + "; --constraint off completes any file, without a guarantee",
                    kExitFailed});
  }
  const auto scope = options.scope ? ScopeNamed(*options.scope) : std::optional(settings.scope);
  if (!scope)
    return tl::unexpected(OptionFault{"--scope must be argument, line, statement, block or free"});
  auto open = OpenTexts(options);
  if (!open) return tl::unexpected(std::move(open.error()));
  CompletionRequest request;
  request.text = document.text();
  request.offset_bytes = *offset;
  request.language_id = language.value_or("plaintext");
  request.name = std::filesystem::path(options.file).filename().string();
  request.constraint = *constraint;
  request.scope = *scope;
  request.other_files = settings.other_files;
  request.other_texts = *std::move(open);
  SetTerms(options, settings, request);
  return request;
}

// Why nothing can be written under the constraint of a request, whatever the model would write: the
// expression is ill formed, or the language or its level is unknown. A language with a syntax alone
// has no level, and is completed under that syntax.
std::optional<std::string> FaultOf(const LanguageRegistry& languages,
                                   const CompletionRequest& request) {
  if (!request.prompt && (request.constraint == ConstraintMode::kOff ||
                          (!languages.HasGrammar(request.language_id) &&
                           !languages.Syntax(request.language_id).empty())))
    return std::nullopt;
  const auto language = request.regex
                            ? Language::FromRegex(*request.regex).map_error([](const Error& error) {
                                return error.ToString();
                              })
                            : languages.Get(request.language_id);
  if (!language) return language.error();
  const auto level = language->FindLevel(request.level);
  if (!level) return level.error().ToString();
  return std::nullopt;
}

int CompleteAndShow(const Invocation& invocation,
                    const std::shared_ptr<const LanguageRegistry>& languages,
                    CompletionRequest request, bool stream) {
  if (const auto fault = FaultOf(*languages, request)) return invocation.Fail(*fault);
  const auto begun = std::chrono::steady_clock::now();
  const auto made = invocation.NewCompleter(languages);
  if (!made) return invocation.Fail(made.error());
  const std::unique_ptr<Completer>& completer = *made;
  const CompleterStatus status = completer->WaitUntilLoaded();
  if (status.state == CompleterState::kFailed) return invocation.Fail(status.message);
  const std::chrono::duration<double, std::milli> load = std::chrono::steady_clock::now() - begun;
  CompletionAnswer answer;
  {
    const WorkShown shown(invocation, stream);
    if (shown.wanted())
      request.on_progress = [&](const CompletionProgress& progress) { shown(progress); };
    answer = completer->Complete(request, std::stop_token());
  }
  answer.timings_ms["load"] = load.count();
  if (invocation.json())
    invocation.PrintJson(ToJson(answer));
  else
    Show(invocation, protocol::TextDocument(request.text, protocol::PositionEncoding::kUtf32),
         answer);
  return kExitDone;
}

}  // namespace

int RunComplete(const Invocation& invocation, const CompleteOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  const Settings settings = invocation.settings().Merge().settings;
  auto request = options.prompt ? PromptRequest(options, settings)
                                : FileRequest(options, settings, **languages);
  if (!request) return invocation.Fail(request.error());
  return CompleteAndShow(invocation, *languages, *std::move(request), options.stream);
}

}  // namespace tenon::server
