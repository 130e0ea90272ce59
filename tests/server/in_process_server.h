// A whole LspServer with a FakeCompleter in this process: messages go in, messages come out, the
// model is loaded when told.
//
// The test's thread is the I/O thread; the scheduler's worker is a real thread, so that
// ThreadSanitizer sees the real thing.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/lsp/lsp_server.h"
#include "tests/server/fake_completer.h"

namespace tenon::server {

// The request for a list in the document `dir/a b.py`.
inline nlohmann::json CompletionAt(int64_t id, uint32_t line, uint32_t character) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "textDocument/completion"},
          {"params",
           {{"textDocument", {{"uri", "test:///dir/a%20b.py"}}},
            {"position", {{"line", line}, {"character", character}}}}}};
}

// How often a text has a part.
inline size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class InProcessServer {
 public:
  explicit InProcessServer(Settings defaults = {}, std::shared_ptr<SessionRecord> record = nullptr);
  ~InProcessServer();

  // Bytes as from a stream; then everything is done that can be done without waiting for a slow
  // completion.
  void Feed(std::string_view bytes);
  void Send(const nlohmann::json& message);
  void EndInput();
  // So much of the model is loaded.
  void LoadPercent(int percent);
  // The model that was loading is ready.
  void FinishLoading();
  // The file of the model that was ready turns out to be damaged.
  void FailModel();
  void Settle();
  // Then everything is done ahead, too, that can be done.
  void SettleAhead();

  // What the server sent since the last call.
  std::vector<nlohmann::json> Take();
  [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
  [[nodiscard]] std::string log() const { return log_text_.str(); }
  // Null before initialize. "model": "slow.gguf" starts in loading, "missing.gguf" as failed.
  [[nodiscard]] FakeCompleter* completer() const { return completer_; }
  [[nodiscard]] int64_t watched_process() const { return watched_process_; }
  void EndWatchedProcess() { on_process_end_(); }

  // The server's clock stands still in between.
  void PassTime(std::chrono::milliseconds time) { time_ = time_.load() + time; }
  // Runs what the server put off, as if its time had come.
  void RunPutOff();

  // Shortcuts for tests.
  void Start(nlohmann::json params = nlohmann::json::object());
  void Open(const std::string& uri, const std::string& language_id, const std::string& text);

 private:
  void RunTasksUntil(const std::function<bool()>& done);

  std::ostringstream log_text_;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> tasks_;  // guarded by mutex_
  std::vector<nlohmann::json> sent_;
  std::vector<std::function<void()>> put_off_;
  std::atomic<std::chrono::steady_clock::time_point> time_;  // the worker's thread reads it
  std::optional<int> exit_code_;
  FakeCompleter* completer_ = nullptr;
  int64_t watched_process_ = 0;
  std::function<void()> on_process_end_;
  protocol::FrameReader frames_;
  std::unique_ptr<SharedCompleter> shared_;
  std::unique_ptr<LspServer> server_;  // after shared_, which it uses
};

}  // namespace tenon::server
