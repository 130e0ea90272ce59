#include "server/lsp/session_record.h"

#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"

namespace tenon::server {

using nlohmann::json;
namespace fs = std::filesystem;

tl::expected<std::shared_ptr<SessionRecord>, std::string> SessionRecord::Begin(
    const fs::path& path, std::string_view version, Deadline::Clock now) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return tl::unexpected(fmt::format("{}: it is no file; give --record a path", path.string()));
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out)
    return tl::unexpected(
        fmt::format("{}: cannot be written; give --record a path that can", path.string()));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, error);
  out << protocol::Dump({{"record", 1}, {"version", version}}) << '\n' << std::flush;
  return std::shared_ptr<SessionRecord>(new SessionRecord(std::move(out), std::move(now)));
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
  out_ << protocol::Dump(line) << '\n' << std::flush;
}

}  // namespace tenon::server
