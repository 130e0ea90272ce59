// The results of an evaluation so far, on disk: a run that was stopped goes on where it was.
//
// A file of JSON lines. The first line holds the settings, each further line one finished gap or
// region:
//
//   {"tenon_eval": 1, "settings": {"eval": "gaps", "seed": 1, ...}}
//   {"language": "python", "path": "a.py", "at": [120, 131], ...}
//
// A line is written whole and flushed before the next gap begins. A last line without a line end is
// the rest of a killed run: it is taken out. A file of other settings is refused, so that
// results of two settings are never mixed; so is one with a line that is no result.
// Cost: reading the file once; a write a record. Thread rule: one thread; one process a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace tenon::server {

class RecordFile {
 public:
  // Makes the file, or takes its records. Without a path the records are kept nowhere. The error
  // names the file, its line, its fault, and the remedy. `is_result`: the record has the members
  // of a result, each of its type.
  [[nodiscard]] static tl::expected<RecordFile, std::string> Open(
      const std::optional<std::filesystem::path>& path, const nlohmann::json& settings,
      const std::function<bool(const nlohmann::json& record)>& is_result);

  // Of earlier runs.
  [[nodiscard]] const std::vector<nlohmann::json>& earlier() const { return earlier_; }
  // The error: the file cannot be written.
  [[nodiscard]] tl::expected<void, std::string> Append(const nlohmann::json& record);

 private:
  RecordFile() = default;
  tl::expected<void, std::string> Write(const nlohmann::json& line);

  std::optional<std::filesystem::path> path_;
  std::ofstream out_;
  std::vector<nlohmann::json> earlier_;
};

}  // namespace tenon::server
