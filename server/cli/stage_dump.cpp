#include "server/cli/stage_dump.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "constraint/closing/closing.h"
#include "constraint/library/internals.h"
#include "constraint/mask/mask.h"
#include "model/text/text.h"
#include "server/cli/cut_file.h"
#include "server/decode/mask_stores.h"

namespace tenon::server {
namespace {

using nlohmann::json;

int PrintStage(const Invocation& invocation, std::string_view path, std::string_view stage,
               const std::string& dump) {
  if (invocation.json())
    invocation.PrintJson({{"path", path}, {"stage", stage}, {"dump", dump}});
  else
    invocation.Print(dump);
  return kExitDone;
}

std::string DumpOf(const std::shared_ptr<const constraint::Language>& language,
                   std::string_view stage, const std::string& left, std::string_view right) {
  if (stage == "lexer") return constraint::Dump(language->lexer, language->grammar);
  if (stage == "right") {
    constraint::RightContext context(language, right, true, 0);
    return constraint::Dump(context);
  }
  const constraint::GapState gap =
      constraint::OpenGap(language, left, right, constraint::GapPolicy{});
  if (stage == "demand") return constraint::Dump(gap.shared()->graph(), language->grammar);
  if (stage == "classes") return constraint::Dump(gap);
  constraint::Closer closer(gap);
  return constraint::Dump(closer, gap);
}

json LexemesToJson(const std::vector<constraint::ShownLexeme>& lexemes) {
  json list = json::array();
  for (const constraint::ShownLexeme& lexeme : lexemes)
    list.push_back({{"terminal", lexeme.terminal}, {"text", lexeme.text}});
  return list;
}

json ToJson(const constraint::GapExplanation& of) {
  json brackets = json::array();
  for (const constraint::OpenBracket& bracket : of.brackets)
    brackets.push_back(
        {{"text", bracket.text}, {"line", bracket.place.line}, {"column", bracket.place.column}});
  json left = {{"lexemes", LexemesToJson(of.left)},
               {"in_progress", nullptr},
               {"open_brackets", std::move(brackets)},
               {"open_blocks", of.blocks},
               {"inside", of.inside}};
  if (of.in_progress) left["in_progress"] = LexemesToJson({*of.in_progress})[0];
  json line = {{"viable", of.viable},
               {"left", std::move(left)},
               {"right",
                {{"joined", LexemesToJson(of.joined)},
                 {"apart", LexemesToJson(of.apart)},
                 {"goes_on_in", of.demands}}},
               {"member", of.closed},
               {"expected", of.expected},
               {"closing", nullptr}};
  if (!of.viable) line["why_not"] = of.why_not;
  if (of.closing) line["closing"] = *of.closing;
  return line;
}

}  // namespace

int DumpGrammarStage(const Invocation& invocation, const GrammarOptions& options,
                     const Language& compiled) {
  const std::shared_ptr<const constraint::Language>& language = Internals::Of(compiled);
  if (options.dump == "lexer")
    return PrintStage(invocation, options.path, options.dump,
                      constraint::Dump(language->lexer, language->grammar));
  if (options.dump == "table")
    return PrintStage(invocation, options.path, options.dump,
                      language->table.Dump(language->grammar));
  const auto path = invocation.TokenizerPath(options.tokenizer);
  if (!path) return invocation.Fail(path.error());
  const auto tokenizer = model::OpenTokenizer(*path);
  if (!tokenizer) return invocation.Fail(tokenizer.error().message);
  const MaskStore store = MaskStore::Build(compiled, VocabularyOf(*tokenizer), invocation.cache());
  return PrintStage(invocation, options.path, options.dump,
                    constraint::Dump(*Internals::Of(store)));
}

int DumpGapStage(const Invocation& invocation, const GapOptions& options) {
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  const auto file = ReadCutFile(options.file, options.at);
  if (!file) return invocation.Fail(file.error());
  const Contexts contexts = file->contexts();
  const auto id = Invocation::LanguageOf(**languages, options.language, options.file);
  if (!id) return invocation.Fail(id.error());
  const auto language = (*languages)->Get(*id);
  if (!language) return invocation.Fail(fmt::format("{}: {}", options.file, language.error()));
  const std::string left = std::string(contexts.left) + options.insert.value_or("");
  if (!options.explain)
    return PrintStage(invocation, options.file, options.dump,
                      DumpOf(Internals::Of(*language), options.dump, left, contexts.right));
  const constraint::GapExplanation explanation =
      constraint::ExplainGap(Internals::Of(*language), left, contexts.right);
  if (invocation.json())
    invocation.PrintJson(ToJson(explanation));
  else
    invocation.Print(constraint::ToText(explanation));
  return kExitDone;
}

}  // namespace tenon::server
