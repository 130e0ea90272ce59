#include "server/cli/check_command.h"

#include <istream>

#include <fmt/format.h>

#include "constraint/language/language.h"
#include "protocol/text_document.h"

namespace tenon::server {
namespace {

// What is said of one file. Without a place: the file could not be checked at all.
struct Verdict {
  bool valid = false;
  std::optional<protocol::Position> at;
  std::string message;
};

struct CheckQuestion {
  std::string path;                 // may be empty where there is a text
  std::optional<std::string> text;  // else the file's
  std::optional<std::string> language;
  bool emit = false;
  std::string level;
};

Verdict CheckOne(const LanguageRegistry& languages, CheckQuestion question) {
  const std::string named = question.path.empty() ? "text" : question.path;
  const auto id = Session::LanguageOf(languages, question.language, named);
  if (!id) return {false, std::nullopt, id.error()};
  const auto language = languages.Get(*id);
  if (!language) return {false, std::nullopt, language.error()};
  const auto levels = (*language)->grammar.LevelsUpTo(question.level);
  if (!levels) return {false, std::nullopt, levels.error()};
  const auto strength = question.emit ? constraint::Strength::kEmit : constraint::Strength::kAccept;
  constraint::FileCheck checked;
  if (question.text) {
    checked.text = *std::move(question.text);
    checked.result = constraint::Check(**language, checked.text, strength, *levels);
  } else {
    auto read = ReadFile(question.path);
    if (!read) return {false, std::nullopt, read.error()};
    checked = constraint::CheckFile(**language, *std::move(read), strength, *levels);
  }
  if (checked.result.valid) return {true, std::nullopt, ""};
  const protocol::TextDocument document(std::move(checked.text), protocol::PositionEncoding::kUtf32);
  return {false, document.PositionAt(checked.result.offset_bytes), std::move(checked.result.message)};
}

nlohmann::json ToJson(const Verdict& verdict) {
  nlohmann::json line = {
      {"valid", verdict.valid}, {"line", nullptr}, {"column", nullptr}, {"message", verdict.message}};
  if (verdict.at) {
    line["line"] = verdict.at->line + 1;
    line["column"] = verdict.at->character + 1;
  }
  return line;
}

tl::expected<CheckQuestion, std::string> QuestionFrom(const nlohmann::json& line, const CheckOptions& options) {
  if (!line.is_object()) return tl::unexpected(std::string("a request is a JSON object on one line"));
  CheckQuestion question;
  question.language = options.language;
  question.emit = options.emit;
  question.level = options.level;
  for (const auto& [key, value] : line.items()) {
    if (key == "path" && value.is_string()) {
      question.path = value.get<std::string>();
    } else if (key == "text" && value.is_string()) {
      question.text = value.get<std::string>();
    } else if (key == "language" && value.is_string()) {
      question.language = value.get<std::string>();
    } else if (key == "emit" && value.is_boolean()) {
      question.emit = value.get<bool>();
    } else {
      return tl::unexpected(fmt::format(
          "\"{}\": a request has texts \"path\", \"text\", \"language\", and \"emit\", which is true or false", key));
    }
  }
  if (!question.text && question.path.empty())
    return tl::unexpected(std::string("a request needs \"path\" or \"text\""));
  return question;
}

}  // namespace

int RunCheck(const Session& session, const CheckOptions& options) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  bool all_valid = true;
  for (const std::string& path : options.files) {
    const Verdict verdict = CheckOne(**languages, {path, std::nullopt, options.language, options.emit, options.level});
    all_valid = all_valid && verdict.valid;
    if (session.json()) {
      nlohmann::json line = ToJson(verdict);
      line["path"] = path;
      session.PrintJson(line);
    } else if (verdict.at) {
      session.Print(
          fmt::format("{}:{}:{}: {}\n", path, verdict.at->line + 1, verdict.at->character + 1, verdict.message));
    } else if (!verdict.valid) {
      (void)session.Fail(verdict.message);
    }
  }
  return all_valid ? kDone : kFailed;
}

int RunCheckBatch(const Session& session, const CheckOptions& options) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  for (std::string line; std::getline(session.around().in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto question = QuestionFrom(nlohmann::json::parse(line, nullptr, false), options);
    session.PrintJson(question ? ToJson(CheckOne(**languages, *std::move(question)))
                               : nlohmann::json{{"error", question.error()}});
  }
  return kDone;
}

}  // namespace tenon::server
