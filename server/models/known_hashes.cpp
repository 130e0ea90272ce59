#include "server/models/known_hashes.h"

#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "protocol/json_text.h"
#include "server/files/read_file.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t kMaxBytes = size_t{1} << 20;

// An empty object where the file is absent or broken.
json ReadEntries(const fs::path& file) {
  const auto text = ReadFile(file, kMaxBytes);
  json entries = text ? protocol::ParseJson(*text).value_or(json()) : json();
  return entries.is_object() ? std::move(entries) : json::object();
}

}  // namespace

std::optional<ModelFileState> StateOf(const fs::path& model) {
  struct stat state {};
  if (stat(model.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return std::nullopt;
  constexpr int64_t kNanoseconds = 1'000'000'000;
  return ModelFileState{static_cast<uint64_t>(state.st_size),
                        state.st_mtim.tv_sec * kNanoseconds + state.st_mtim.tv_nsec};
}

std::optional<std::string> KnownHashes::Find(const fs::path& model) const {
  const auto state = StateOf(model);
  if (file_.empty() || !state) return std::nullopt;
  const json entries = ReadEntries(file_);
  const auto entry = entries.find(model.string());
  if (entry == entries.end() || !entry->is_object()) return std::nullopt;
  const auto bytes = entry->find("bytes"), changed = entry->find("changed_ns"),
             hash = entry->find(hash_name_);
  if (bytes == entry->end() || *bytes != state->bytes || changed == entry->end() ||
      *changed != state->changed_ns || hash == entry->end() || !hash->is_string())
    return std::nullopt;
  return hash->get<std::string>();
}

tl::expected<void, std::string> KnownHashes::Add(const fs::path& model, const ModelFileState& state,
                                                 const std::string& hash) const {
  if (file_.empty()) return {};
  json entries = json::object();
  const json before = ReadEntries(file_);
  for (const auto& [path, entry] : before.items()) {
    if (StateOf(path)) entries[path] = entry;
  }
  entries[model.string()] = {
      {"bytes", state.bytes}, {"changed_ns", state.changed_ns}, {hash_name_, hash}};
  const fs::path unfinished =
      file_.parent_path() / fmt::format(".{}.{}", file_.filename().string(), getpid());
  std::error_code error, ignored;
  fs::create_directories(file_.parent_path(), error);
  std::ofstream out(unfinished, std::ios::binary);
  out << entries.dump(2, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
  if (!out) error = std::make_error_code(std::errc::io_error);
  if (!error) fs::rename(unfinished, file_, error);
  if (!error) return {};
  fs::remove(unfinished, ignored);
  return tl::unexpected(
      fmt::format("{}: cannot be written ({}), so the model's file will be checked again; make its "
                  "folder writable, or let XDG_STATE_HOME name another",
                  file_.string(), error.message()));
}

}  // namespace tenon::server
