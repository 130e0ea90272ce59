// The stages of each completion on a time line, for chrome://tracing and ui.perfetto.dev:
// `tenon --trace FILE`.
//
//   |--------------------- textDocument/inlineCompletion 7 ---------------------|
//   |-- queue --|-- gap --|-------- prefill --------|-------- decode ---------|
//
// The queue is the request's wait for the worker: the time of the answer less that of its stages.
// Times are microseconds from the start of the trace.
//
// Source: the Trace Event Format of Chrome, complete events ("ph": "X"). The list has no end, which
// the format allows: a trace is whole at every moment.
// Cost: some lines of text an answer. Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "server/files/new_file.h"

namespace tenon::server {

class StageTrace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Begins a new file in place of one of that name. The error names the file. `on_fault` hears of
  // the first write that fails.
  [[nodiscard]] static tl::expected<std::shared_ptr<StageTrace>, std::string> Begin(
      const std::filesystem::path& path, Time now, NewFile::OnFault on_fault);

  // A request and its answer. `stages_ms`: CompletionAnswer::timings_ms.
  void Add(std::string_view name, Time asked, Time answered,
           const std::map<std::string, double>& stages_ms);

 private:
  StageTrace(NewFile out, Time begun) : out_(std::move(out)), begun_(begun) {}
  void Write(std::string_view name, double begin_us, double us);

  NewFile out_;
  Time begun_;
};

}  // namespace tenon::server
