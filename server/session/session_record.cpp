#include "server/session/session_record.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"

namespace tenon::server {

using nlohmann::json;

tl::expected<std::shared_ptr<SessionRecord>, std::string> SessionRecord::Begin(
    const std::filesystem::path& path, std::string_view version, Deadline::Clock now,
    NewFile::OnFault on_fault) {
  auto out = NewFile::Begin(path, "--record", std::move(on_fault));
  if (!out) return tl::unexpected(out.error());
  out->Write(protocol::Dump({{"record", 1}, {"version", version}}) + "\n");
  return std::shared_ptr<SessionRecord>(new SessionRecord(*std::move(out), std::move(now)));
}

void SessionRecord::Add(int64_t client, From from, std::string_view body) {
  const auto time = now_();
  if (!begun_) begun_ = time;
  const std::chrono::duration<double, std::milli> since = time - *begun_;
  json line = {{"ms", std::round(since.count() * 10) / 10},
               {"client", client},
               {"from", from == From::kClient ? "client" : "server"}};
  if (auto message = protocol::ParseJson(body))
    line["message"] = *std::move(message);
  else
    line["raw"] = body;
  out_.Write(protocol::Dump(line) + "\n");
}

}  // namespace tenon::server
