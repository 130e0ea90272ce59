#include "server/cli/check_command.h"

#include <fmt/format.h>

#include "protocol/text_document.h"
#include "tenon/language.h"

namespace tenon::server {
namespace {

// The answer about one file. Without a place: the file could not be checked at all.
struct CheckAnswer {
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

CheckAnswer CheckOne(const LanguageRegistry& languages, CheckQuestion question) {
  const auto id = Invocation::LanguageOf(languages, question.language, question.path);
  if (!id) return {false, std::nullopt, id.error()};
  // Several files are checked at once: the message names this one.
  const std::string place = question.path.empty() ? "" : question.path + ": ";
  const auto language = languages.Get(*id);
  if (!language) return {false, std::nullopt, place + language.error()};
  const auto level = language->FindLevel(question.level);
  if (!level) return {false, std::nullopt, place + level.error().ToString()};
  const Strength strength = question.emit ? Strength::kEmit : Strength::kAccept;
  FileCheck file;
  if (question.text) {
    file.text = *std::move(question.text);
    file.check = language->Check(file.text, strength, *level);
  } else {
    auto read = ReadFile(question.path);
    if (!read) return {false, std::nullopt, read.error()};
    file = language->CheckFile(*std::move(read), strength, *level);
  }
  if (file.check.valid) return {true, std::nullopt, ""};
  const protocol::TextDocument document(std::move(file.text), protocol::PositionEncoding::kUtf32);
  return {false, document.PositionAt(file.check.offset_bytes), std::move(file.check.message)};
}

nlohmann::json ToJson(const CheckAnswer& answer) {
  nlohmann::json line = {
      {"valid", answer.valid}, {"line", nullptr}, {"column", nullptr}, {"message", answer.message}};
  if (answer.at) {
    line["line"] = answer.at->line + 1;
    line["column"] = answer.at->character + 1;
  }
  return line;
}

tl::expected<CheckQuestion, std::string> QuestionFrom(const nlohmann::json& line,
                                                      const CheckOptions& options) {
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
      return tl::unexpected(
          fmt::format("\"{}\": a request has texts \"path\", \"text\", \"language\", and \"emit\", "
                      "which is true or false",
                      key));
    }
  }
  if (!question.text && question.path.empty())
    return tl::unexpected(std::string("a request needs \"path\" or \"text\""));
  return question;
}

}  // namespace

int RunCheck(const Invocation& invocation, const CheckOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  bool all_valid = true;
  for (const std::string& path : options.files) {
    const CheckAnswer answer = CheckOne(**languages, {.path = path,
                                                      .text = std::nullopt,
                                                      .language = options.language,
                                                      .emit = options.emit,
                                                      .level = options.level});
    all_valid = all_valid && answer.valid;
    if (invocation.json()) {
      nlohmann::json line = ToJson(answer);
      line["path"] = path;
      invocation.PrintJson(line);
    } else if (answer.at) {
      invocation.Print(fmt::format("{}:{}:{}: {}\n", path, answer.at->line + 1,
                                   answer.at->character + 1, answer.message));
    } else if (!answer.valid) {
      (void)invocation.Fail(answer.message);
    }
  }
  return all_valid ? kExitDone : kExitFailed;
}

int RunCheckBatch(const Invocation& invocation, const CheckOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  return invocation.AnswerLines(
      [&languages,
       &options](const nlohmann::json& line) -> tl::expected<nlohmann::json, std::string> {
        auto question = QuestionFrom(line, options);
        if (!question) return tl::unexpected(question.error());
        return ToJson(CheckOne(**languages, *std::move(question)));
      });
}

}  // namespace tenon::server
