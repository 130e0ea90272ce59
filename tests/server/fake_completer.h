// A Completer whose answers follow from the text around the cursor, for tests of everything that
// is said about them.
//
// The word before the cursor's line end decides: see Complete. Thread rule: that of Completer; the
// control functions from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "server/request/completer.h"

namespace tenon::server {

class FakeCompleter final : public Completer {
 public:
  explicit FakeCompleter(CompleterState state = CompleterState::kReady) { set_state(state); }

  // With a text that contains
  //   SLOW      it waits until it is cancelled (or released) and then answers as cancelled,
  //   STEPS     it writes "ans", waits until it is cancelled or WriteOn is called, and writes on,
  //   NOTHING   it offers nothing and says why,
  //   LINES     it offers two lines,
  //   BUDGET    it offers the request's time in ms, or "unlimited",
  //   TERMS     it offers the terms of the request, with blanks between,
  //   CUT       its time cut it short, and GoOn waits until it is stopped,
  //   LATE      it says that it took 400 ms,
  //   TAIL      it replaces one byte right of the cursor as well,
  //   COMMA     the line above lacks a comma, where the request asks for such signs,
  //   UNSURE    the model gave each of its tokens the probability 0.1,
  //   UNNEEDED  the model would have written nothing,
  // else it offers "answer", or "instead", or "otherwise", where nobody wants
  // that; then "second" and "third". It offers as many of them as are asked for, and none that is
  // known. It reads 64 and 100 tokens, and the middle begins with "ans".
  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override;

  // Offers "next" in the same way.
  CompletionAnswer CompleteAhead(const CompletionRequest& request, std::stop_token stop) override;
  // With a text that contains LONG it offers "answered at length", with STEPS as soon as WriteOn is
  // called; else it waits until it is stopped.
  CompletionAnswer GoOn(std::stop_token stop) override;
  // With a text that contains SLOW it waits until it is stopped.
  void ReadAhead(const CompletionRequest& request, std::stop_token stop) override;

  void set_state(CompleterState state);
  // So much of the model is loaded.
  void set_percent(int percent);
  // A slow completion is running and was not told to stop.
  [[nodiscard]] bool IsBlocked();
  void WaitUntilBlocked();
  void WaitUntilGoingOn();
  // It has written "ans" and waits for WriteOn, which lets it end once.
  void WaitUntilWriting();
  void WriteOn();
  [[nodiscard]] int went_on() const { return went_on_; }  // calls of GoOn that came to their end
  [[nodiscard]] int calls() const { return calls_; }
  [[nodiscard]] int stopped() const { return stopped_; }
  [[nodiscard]] CompletionRequest last_request();
  // The texts that were worked on ahead, with the cursor as "|", after "complete " or "read ".
  [[nodiscard]] std::vector<std::string> ahead();

 private:
  std::atomic<int> calls_ = 0;
  std::atomic<int> stopped_ = 0;  // calls that were told to stop while they waited
  std::atomic<int> went_on_ = 0;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::condition_variable blocked_;
  bool going_on_ = false;  // guarded by mutex_, as all below
  bool writing_ = false;
  bool writes_on_ = false;
  bool waiting_ = false;
  std::stop_token waiting_for_;
  CompletionRequest last_request_;
  std::vector<std::string> ahead_;

  void Note(const std::string& work, const CompletionRequest& request);
};

}  // namespace tenon::server
