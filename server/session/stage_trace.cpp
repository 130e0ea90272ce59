#include "server/session/stage_trace.h"

#include <algorithm>
#include <utility>

#include "protocol/json_rpc.h"

namespace tenon::server {

tl::expected<std::shared_ptr<StageTrace>, std::string> StageTrace::Begin(
    const std::filesystem::path& path, Time now, NewFile::OnFault on_fault) {
  auto out = NewFile::Begin(path, "--trace", std::move(on_fault));
  if (!out) return tl::unexpected(out.error());
  out->Write("[\n");
  return std::shared_ptr<StageTrace>(new StageTrace(*std::move(out), now));
}

void StageTrace::Add(std::string_view name, Time asked, Time answered,
                     const std::map<std::string, double>& stages_ms) {
  const auto us = [](auto duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  const double begin = us(asked - begun_);
  const double whole = us(answered - asked);
  Write(name, begin, whole);
  double stages_us = 0;
  for (const char* stage : {"gap", "prefill", "decode"}) {
    const auto found = stages_ms.find(stage);
    if (found != stages_ms.end()) stages_us += found->second * 1000;
  }
  const auto total = stages_ms.find("total");
  const double computed = total != stages_ms.end() ? total->second * 1000 : stages_us;
  double at = begin + std::max(0.0, whole - computed);
  Write("queue", begin, at - begin);
  for (const char* stage : {"gap", "prefill", "decode"}) {
    const auto found = stages_ms.find(stage);
    if (found == stages_ms.end()) continue;
    Write(stage, at, found->second * 1000);
    at += found->second * 1000;
  }
}

void StageTrace::Write(std::string_view name, double begin_us, double us) {
  out_.Write(
      protocol::Dump(
          {{"name", name}, {"ph", "X"}, {"ts", begin_us}, {"dur", us}, {"pid", 1}, {"tid", 1}}) +
      ",\n");
}

}  // namespace tenon::server
