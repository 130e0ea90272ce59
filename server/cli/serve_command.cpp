#include "server/cli/serve_command.h"

#include <utility>

#include "server/lsp/stdio_loop.h"

namespace tenon::server {

int RunServe(const Session& session) {
  const auto log = session.MakeLog("info");
  if (!log) return session.Fail(log.error());
  (void)session.Cache(*log);  // what it has to say stands in the server's log
  auto loaded = session.Languages();
  // Without grammars the server still answers, with nothing, and the log says why.
  if (!loaded) (*log)->error("no language is known: {}", loaded.error());
  const std::shared_ptr<const LanguageRegistry> shipped =
      loaded ? *std::move(loaded) : std::make_shared<const LanguageRegistry>();
  std::shared_ptr<const LanguageRegistry> languages =
      shipped;  // with those of the client's settings, once they are known

  StdioOptions options;
  options.log = *log;
  options.version = session.around().version;
  options.defaults.model = session.options().model;
  options.find_language = [&languages](std::string_view language_id, std::string_view name) {
    return languages->Find(language_id, name);
  };
  options.make_completer = [&languages, &shipped, &session, &log](const Settings& settings) {
    if (auto more = shipped->With(settings.grammars); more)
      languages = *std::move(more);
    else
      (*log)->error("the setting 'grammars': {}", more.error());
    CompleterOptions completer_options;
    completer_options.model_path = settings.model.value_or(session.options().model);
    completer_options.threads = session.options().threads;
    return session.around().make_completer(completer_options, languages);
  };
  (*log)->info("tenon {} serves on standard input and output", session.around().version);
  return RunStdio(std::move(options), [&session, &log](int exit_code) {
    (*log)->flush();
    session.around().end_process(exit_code);
  });
}

}  // namespace tenon::server
