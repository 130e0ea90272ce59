#include "server/cli/check_command.h"

#include <fmt/format.h>

#include "constraint/gap/language.h"
#include "protocol/text_document.h"

namespace tenon::server {
namespace {

// What is said of one file. Without a place: the file could not be checked at all.
struct Verdict {
  bool valid = false;
  std::optional<protocol::Position> at;
  std::string message;
};

Verdict CheckFile(const LanguageRegistry& languages, const CheckOptions& options, const std::string& path) {
  const auto id = Session::LanguageOf(languages, options.language, path);
  if (!id) return {false, std::nullopt, id.error()};
  const auto language = languages.Get(*id);
  if (!language) return {false, std::nullopt, language.error()};
  auto text = ReadFile(path);
  if (!text) return {false, std::nullopt, text.error()};
  const auto strength = options.emit ? constraint::Strength::kEmit : constraint::Strength::kAccept;
  const constraint::CheckResult result = constraint::Check(**language, *text, strength);
  if (result.valid) return {true, std::nullopt, ""};
  const protocol::TextDocument document(*std::move(text), protocol::PositionEncoding::kUtf32);
  return {false, document.PositionAt(result.offset_bytes), result.message};
}

}  // namespace

int RunCheck(const Session& session, const CheckOptions& options) {
  const auto languages = session.Languages();
  if (!languages) return session.Fail(languages.error());
  bool all_valid = true;
  for (const std::string& path : options.files) {
    const Verdict verdict = CheckFile(**languages, options, path);
    all_valid = all_valid && verdict.valid;
    if (session.json()) {
      nlohmann::json line = {{"path", path},
                             {"valid", verdict.valid},
                             {"line", nullptr},
                             {"column", nullptr},
                             {"message", verdict.message}};
      if (verdict.at) {
        line["line"] = verdict.at->line + 1;
        line["column"] = verdict.at->character + 1;
      }
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

}  // namespace tenon::server
