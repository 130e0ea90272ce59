#include "server/cli/server_options.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "server/models/file_hash.h"
#include "server/request/checked_completer.h"

namespace tenon::server {
namespace {

// The completer of a server that has no model: it has failed to load one from the beginning, and
// says why.
class NoModel final : public Completer {
 public:
  explicit NoModel(std::string why) { SetStatus({CompleterState::kFailed, std::move(why)}); }
  CompletionAnswer Complete(const CompletionRequest&, std::stop_token) override {
    return CompletionAnswer::Nothing(status().message);
  }
};

// A listener with which the hash leaves the processor to others. A stop ends its rests.
HashProgress UnhurriedUntil(std::stop_token stop) {
  const auto rest = [stop = std::move(stop)](std::chrono::nanoseconds time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    stopped.wait_for(lock, stop, time, [] { return false; });
  };
  return Unhurried([] { return std::chrono::steady_clock::now().time_since_epoch(); }, rest);
}

// The completer, whose model's file is checked in the background where that was not done before.
std::unique_ptr<Completer> Checked(std::unique_ptr<Completer> completer, ModelCheck check,
                                   std::shared_ptr<spdlog::logger> log) {
  if (check.Known() != ModelVerdict::kUnchecked) return completer;
  const auto find_fault = [check = std::move(check), log = std::move(log)](
                              const std::stop_token& stop) -> std::optional<std::string> {
    const auto hash = check.Check(stop, UnhurriedUntil(stop));
    if (hash) {
      log->info("the model's file has the SHA-256 that it should have: {}", *hash);
      return std::nullopt;
    }
    if (hash.error().damaged) return hash.error().message;
    if (!stop.stop_requested()) log->warn("{}", hash.error().message);
    return std::nullopt;
  };
  return std::make_unique<CheckedCompleter>(std::move(completer), find_fault);
}

}  // namespace

StdioOptions ServerOptions(const Invocation& invocation,
                           const std::shared_ptr<spdlog::logger>& log) {
  (void)invocation.cache(log);  // its notes go to the server's log
  auto loaded = invocation.ShippedLanguages();
  // Without grammars the server still answers, with nothing, and the log says why.
  if (!loaded) log->error("no language is known: {}", loaded.error());
  const std::shared_ptr<const LanguageRegistry> shipped =
      loaded ? *std::move(loaded) : std::make_shared<const LanguageRegistry>();
  // With those of the client's settings, once they are known.
  const auto languages = std::make_shared<std::shared_ptr<const LanguageRegistry>>(shipped);

  StdioOptions options;
  options.service.log = log;
  options.service.version = invocation.process().version;
  options.service.find_language = [languages](std::string_view language_id, std::string_view name) {
    return (*languages)->Find(language_id, name);
  };
  options.service.languages = [languages] { return (*languages)->Ids(); };
  options.service.settings = invocation.settings();
  options.make_completer = [languages, &invocation,
                            log](const Settings& settings) -> std::unique_ptr<Completer> {
    if (auto more = invocation.LanguagesWith(settings.grammars)) *languages = *std::move(more);
    if (settings.remote.wanted()) {
      auto remote = invocation.NewRemoteCompleter(settings.remote, *languages);
      const CompleterStatus status = remote->status();
      if (status.state == CompleterState::kFailed)
        log->error("{}", status.message);
      else
        log->info("remote engine: {}", status.message);
      return remote;
    }
    const auto model = invocation.Model(settings.model, log);
    if (!model) {
      log->error("{}", model.error());
      return std::make_unique<NoModel>(model.error());
    }
    CompleterOptions completer_options = invocation.CompleterOptionsFor(*model, log);
    if (settings.adapter) completer_options.adapter = *settings.adapter;
    completer_options.threads = settings.threads;
    completer_options.engine = settings.engine;
    completer_options.device = settings.device;
    return Checked(invocation.process().make_completer(completer_options, *languages),
                   invocation.CheckOf(*model), log);
  };
  return options;
}

}  // namespace tenon::server
