#include "server/eval/record_file.h"

#include <system_error>

#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"
#include "server/files/read_file.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr size_t kMaxRecordBytes = size_t{1} << 30;

// "seed is 1 there and 2 now", of the first settings that differ.
std::string Difference(const json& there, const json& now) {
  std::string text;
  const auto add = [&text](const std::string& name, const json* before, const json* after) {
    text += fmt::format("{}{} is {} there and {} now", text.empty() ? "" : ", ", name,
                        before != nullptr ? protocol::Dump(*before) : "missing",
                        after != nullptr ? protocol::Dump(*after) : "missing");
  };
  for (const auto& [name, value] : now.items()) {
    const auto found = there.find(name);
    if (found == there.end())
      add(name, nullptr, &value);
    else if (*found != value)
      add(name, &*found, &value);
  }
  for (const auto& [name, value] : there.items()) {
    if (!now.contains(name)) add(name, &value, nullptr);
  }
  return text;
}

tl::unexpected<std::string> NoRecords(const std::filesystem::path& path) {
  return tl::unexpected(fmt::format(
      "{}: not a file of results of this version of tenon eval; name another file by --resume",
      path.string()));
}

}  // namespace

tl::expected<RecordFile, std::string> RecordFile::Open(
    const std::optional<std::filesystem::path>& path, const json& settings,
    const std::function<bool(const json& record)>& is_result) {
  RecordFile file;
  if (!path) return file;
  file.path_ = path;
  const json header = {{"tenon_eval", kVersion}, {"settings", settings}};
  size_t whole = 0;  // bytes of whole lines
  std::error_code error;
  if (std::filesystem::exists(*path, error)) {
    const auto text = ReadFile(*path, kMaxRecordBytes);
    if (!text) return tl::unexpected(text.error());
    if (!text->empty() && text->find('\n') == std::string::npos) return NoRecords(*path);
    for (size_t end; (end = text->find('\n', whole)) != std::string::npos; whole = end + 1) {
      const json line =
          protocol::ParseJson(std::string_view(*text).substr(whole, end - whole)).value_or(json());
      const bool first = whole == 0;
      if (!line.is_object() || (first && (line.value("tenon_eval", json()) != kVersion ||
                                          !line.value("settings", json()).is_object()))) {
        return NoRecords(*path);
      }
      if (first && line["settings"] != settings) {
        return tl::unexpected(
            fmt::format("{}: holds results of other settings ({}); take those settings, or name "
                        "another file by --resume",
                        path->string(), Difference(line["settings"], settings)));
      }
      if (first) continue;
      if (!is_result(line)) {
        return tl::unexpected(fmt::format(
            "{}:{}: not a result of this version of tenon eval; take the line out, or name another "
            "file by --resume",
            path->string(), file.earlier_.size() + 2));
      }
      file.earlier_.push_back(line);
    }
    std::filesystem::resize_file(*path, whole, error);
  }
  file.out_.open(*path, std::ios::binary | std::ios::app);
  if (whole == 0) {
    if (auto written = file.Write(header); !written) return tl::unexpected(written.error());
  }
  return file;
}

tl::expected<void, std::string> RecordFile::Append(const json& record) {
  return path_ ? Write(record) : tl::expected<void, std::string>();
}

tl::expected<void, std::string> RecordFile::Write(const json& line) {
  out_ << protocol::Dump(line) << '\n' << std::flush;
  if (out_) return {};
  return tl::unexpected(
      fmt::format("{}: cannot be written; name a file by --resume that can", path_->string()));
}

}  // namespace tenon::server
