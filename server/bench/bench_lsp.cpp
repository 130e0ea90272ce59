#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"
#include "server/lsp/lsp_server.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// How much is typed anew, at how many places.
constexpr size_t kTypedLineBytes = 150;
constexpr size_t kTypedPlaces = 5;
constexpr size_t kKeysBetweenErrors = 10;
constexpr const char* kUri = "file:///bench";

// A language server in this process; the calling thread is its I/O thread.
class Editor {
 public:
  Editor(const Invocation& invocation, std::shared_ptr<const LanguageRegistry> languages,
         const ModelChoice& model, std::shared_ptr<spdlog::logger> log, bool work_ahead)
      : languages_(std::move(languages)),
        completer_(
            [this, &invocation, &model](const Settings&) {
              return invocation.process().make_completer(
                  invocation.CompleterOptionsFor(model, nullptr), languages_);
            },
            [this](std::function<void()> task) {
              const std::lock_guard lock(mutex_);
              tasks_.push_back(std::move(task));
              posted_.notify_all();
            }),
        server_(Outside(std::move(log), work_ahead)) {
    Tell({{"id", 0}, {"method", "initialize"}, {"params", json::object()}});
    Tell({{"method", "initialized"}, {"params", json::object()}});
    status_ = completer_.completer()->WaitUntilLoaded();
  }

  [[nodiscard]] const CompleterStatus& status() const { return status_; }

  void Open(const std::string& language, const std::string& text) {
    Tell({{"method", "textDocument/didOpen"},
          {"params",
           {{"textDocument",
             {{"uri", kUri}, {"languageId", language}, {"version", 1}, {"text", text}}}}}});
  }
  // Replaces the bytes of the line from `begin` to `end`, as a key or the key for deleting does.
  std::chrono::duration<double> Change(size_t line, size_t begin, size_t end,
                                       const std::string& text) {
    const auto at = [line](size_t character) {
      return json{{"line", line}, {"character", character}};
    };
    return Tell({{"method", "textDocument/didChange"},
                 {"params",
                  {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                   {"contentChanges",
                    {{{"range", {{"start", at(begin)}, {"end", at(end)}}}, {"text", text}}}}}}});
  }
  // The time until the answer; `at_once`: it came before the question's handling was over.
  std::chrono::duration<double> Ask(size_t line, size_t character, bool& at_once) {
    const auto begun = Clock::now();
    AskOnly(line, character);
    at_once = answers_.contains(last_id_);
    RunTasksUntil([this] { return answers_.contains(last_id_); });
    return Clock::now() - begun;
  }
  void AskOnly(size_t line, size_t character) {
    Tell({{"id", ++last_id_},
          {"method", "textDocument/inlineCompletion"},
          {"params",
           {{"textDocument", {{"uri", kUri}}},
            {"position", {{"line", line}, {"character", character}}},
            {"context", {{"triggerKind", 2}}}}}});
  }
  // Of the last question.
  std::chrono::duration<double> Cancel() {
    return Tell({{"method", "$/cancelRequest"}, {"params", {{"id", last_id_}}}});
  }
  [[nodiscard]] bool answered() const { return answers_.contains(last_id_); }
  void Pause(std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    RunTasksUntil([end] { return Clock::now() >= end; });
  }
  void WaitUntilIdle() {
    RunTasksUntil([this] { return server_.idle(); });
  }

 private:
  LspServer::Outside Outside(std::shared_ptr<spdlog::logger> log, bool work_ahead) {
    LspServer::Outside outside;
    outside.send = [this](const json& message) {
      if (message.contains("id") && message["id"].is_number_integer())
        answers_.insert(message["id"].get<int64_t>());
    };
    outside.post = [this](std::function<void()> task) {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      posted_.notify_all();
    };
    outside.service.completer = &completer_;
    outside.service.find_language = [this](std::string_view id, std::string_view name) {
      return languages_->Find(id, std::string(name));
    };
    outside.service.languages = [this] { return languages_->Ids(); };
    outside.on_process_end = [](int64_t, const std::function<void()>&) {};
    outside.exit = [](int) {};
    outside.service.log = std::move(log);
    Settings settings;
    settings.work_ahead = work_ahead;
    outside.service.settings = SettingLayers(settings);
    return outside;
  }

  std::chrono::duration<double> Tell(json message) {
    message["jsonrpc"] = "2.0";
    const protocol::Frame frame = message.dump();
    const auto begun = Clock::now();
    server_.OnFrame(frame);
    return Clock::now() - begun;
  }

  template <typename Done>
  void RunTasksUntil(Done done) {
    while (!done()) {
      std::unique_lock lock(mutex_);
      if (!posted_.wait_for(lock, std::chrono::milliseconds(1), [this] { return !tasks_.empty(); }))
        continue;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::shared_ptr<const LanguageRegistry> languages_;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> tasks_;  // guarded by mutex_
  std::set<int64_t> answers_;
  int64_t last_id_ = 0;
  CompleterStatus status_;
  SharedCompleter completer_;
  LspServer server_;
};

struct Rows {
  explicit Rows(bool ahead)
      : change("did_change", TimeUnit::kMicroseconds),
        along("type_through", TimeUnit::kMicroseconds),
        asked("request", TimeUnit::kMilliseconds),
        cancelled("cancel_to_answer", TimeUnit::kMicroseconds),
        stopped("cancel_to_idle", TimeUnit::kMilliseconds) {
    for (Timings* row : All()) row->Note("work_ahead", ahead);
  }
  std::vector<Timings*> All() { return {&change, &along, &asked, &cancelled, &stopped}; }

  Timings change, along, asked, cancelled, stopped;
};

// A wrong key, a question that is cancelled while it is computed, and the key that deletes it.
void Err(Editor& editor, size_t line, size_t character, Rows& rows) {
  rows.change.Add(editor.Change(line, character, character, "q"));
  editor.AskOnly(line, character + 1);
  editor.Pause(std::chrono::milliseconds(5));
  if (!editor.answered()) {
    const auto begun = Clock::now();
    rows.cancelled.Add(editor.Cancel());
    editor.WaitUntilIdle();
    rows.stopped.Add(Clock::now() - begun);
  }
  rows.change.Add(editor.Change(line, character, character + 1, ""));
}

// Lines of a text, [begin, end) in bytes.
struct Stretch {
  size_t begin = 0;
  size_t end = 0;
};

// The lines after kTypedPlaces places of the text, where there are any.
std::vector<Stretch> StretchesOf(const std::string& text) {
  std::vector<Stretch> stretches;
  for (size_t i = 0; i < kTypedPlaces; ++i) {
    const size_t begin = text.find('\n', text.size() * (2 * i + 1) / (2 * kTypedPlaces)) + 1;
    const size_t end =
        std::min(text.find('\n', std::min(begin + kTypedLineBytes, text.size())), text.size());
    if (begin != 0 && begin < end) stretches.push_back({begin, end});
  }
  return stretches;
}

// Types some lines of the text anew, with a question after each key.
void TypeLines(Editor& editor, const std::string& language, const std::string& text,
               Stretch stretch, std::chrono::milliseconds pause, Rows& rows) {
  const auto [begin, end] = stretch;
  editor.Open(language, text.substr(0, begin) + text.substr(end));
  auto line = static_cast<size_t>(
      std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(begin), '\n'));
  size_t character = 0;
  for (size_t at = begin, keys = 1; at < end; ++at, ++keys) {
    if (static_cast<unsigned char>(text[at]) >= 0x80) return;  // a byte is no character there
    rows.change.Add(editor.Change(line, character, character, std::string(1, text[at])));
    ++character;
    if (text[at] == '\n') {
      ++line;
      character = 0;
    }
    editor.Pause(pause);
    bool at_once = false;
    const auto took = editor.Ask(line, character, at_once);
    (at_once ? rows.along : rows.asked).Add(took);
    if (keys % kKeysBetweenErrors == 0) Err(editor, line, character, rows);
  }
}

}  // namespace

int BenchLsp(const Invocation& invocation, const BenchOptions& options) {
  auto text = ReadFile(options.file);
  if (!text) return invocation.Fail(text.error());
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  const auto language = Invocation::LanguageOf(**languages, options.language, options.file);
  if (!language) return invocation.Fail(language.error());
  const std::vector<Stretch> stretches = StretchesOf(*text);
  if (stretches.empty())
    return invocation.Fail(fmt::format("{}: too short to type its lines again", options.file));
  const auto model = invocation.Model();
  if (!model) return invocation.Fail(model.error());
  const auto log = invocation.MakeLog("error");
  if (!log) return invocation.Fail(log.error());
  PrintHead(invocation);
  for (const bool ahead : {false, true}) {
    Editor editor(invocation, *languages, *model, *log, ahead);
    if (editor.status().state != CompleterState::kReady)
      return invocation.Fail(editor.status().message);
    Rows rows(ahead);
    for (const Stretch& stretch : stretches)
      TypeLines(editor, *language, *text, stretch, std::chrono::milliseconds(options.pause_ms),
                rows);
    for (Timings* row : rows.All()) {
      if (row->empty()) continue;
      row->Note("file_lines", static_cast<size_t>(std::count(text->begin(), text->end(), '\n')));
      PrintRow(invocation, row->Row());
    }
  }
  return kExitDone;
}

}  // namespace tenon::server
