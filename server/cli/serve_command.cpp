#include "server/cli/serve_command.h"

#include <utility>

#include "server/lsp/stdio_loop.h"

namespace tenon::server {

int RunServe(const Invocation& invocation) {
  const auto log = invocation.MakeLog("info");
  if (!log) return invocation.Fail(log.error());
  (void)invocation.cache(*log);  // its notes go to the server's log
  auto loaded = invocation.Languages();
  // Without grammars the server still answers, with nothing, and the log says why.
  if (!loaded) (*log)->error("no language is known: {}", loaded.error());
  const std::shared_ptr<const LanguageRegistry> shipped =
      loaded ? *std::move(loaded) : std::make_shared<const LanguageRegistry>();
  std::shared_ptr<const LanguageRegistry> languages =
      shipped;  // with those of the client's settings, once they are known

  StdioOptions options;
  options.log = *log;
  options.version = invocation.around().version;
  options.defaults.model = invocation.options().model;
  options.find_language = [&languages](std::string_view language_id, std::string_view name) {
    return languages->Find(language_id, name);
  };
  options.make_completer = [&languages, &shipped, &invocation, &log](const Settings& settings) {
    if (auto more = shipped->With(settings.grammars); more)
      languages = *std::move(more);
    else
      (*log)->error("the setting 'grammars': {}", more.error());
    CompleterOptions completer_options;
    completer_options.model_path = settings.model.value_or(invocation.options().model);
    completer_options.adapter = invocation.options().adapter;
    completer_options.threads = invocation.options().threads;
    return invocation.around().make_completer(completer_options, languages);
  };
  (*log)->info("tenon {} serves on standard input and output", invocation.around().version);
  return RunStdio(std::move(options), [&invocation, &log](int exit_code) {
    (*log)->flush();
    invocation.around().end_process(exit_code);
  });
}

}  // namespace tenon::server
