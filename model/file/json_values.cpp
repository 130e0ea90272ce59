#include "model/file/json_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "model/file/mapped_file.h"
#include "model/json_text.h"

namespace tenon::model {

namespace {

using nlohmann::json;

constexpr size_t kMaxBytes = size_t{16} << 20;
constexpr int kMaxFileDepth = 8;
// Names are repeated in those of their members: a file with one long name and many members below it
// would take its size squared. No name that is wanted is half as long.
constexpr size_t kMaxNameBytes = 128;

bool IsInt64(const json& value) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() ||
          value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
}

}  // namespace

// Writes the values of nested objects under their dotted names.
class JsonFlattener {
 public:
  static void Add(const std::string& name, const json& value, JsonValues& out) {
    if (value.is_null() || name.size() > kMaxNameBytes) return;
    if (!name.empty()) out.values_.emplace(name, ValueOf(value));
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.items())
      Add(name.empty() ? key : fmt::format("{}.{}", name, key), member, out);
  }

 private:
  static JsonValues::Value ValueOf(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return value.get<std::string>();
    if (IsInt64(value)) return value.get<int64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.is_array() && std::all_of(value.begin(), value.end(), IsInt64))
      return value.get<std::vector<int64_t>>();
    if (value.is_array() && std::all_of(value.begin(), value.end(),
                                        [](const json& member) { return member.is_string(); }))
      return value.get<std::vector<std::string>>();
    return JsonValues::Other{};
  }
};

tl::expected<JsonValues, ModelError> JsonValues::Open(const std::string& path) {
  const auto file = MapFile(path, "take the whole folder of a model");
  if (!file) return tl::unexpected(file.error());
  if (file->bytes.size() > kMaxBytes) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFile,
                   fmt::format("{}: has {} bytes, and at most {} are read; fetch it again", path,
                               file->bytes.size(), kMaxBytes)});
  }
  return Parse({reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size()}, path);
}

tl::expected<JsonValues, ModelError> JsonValues::Parse(std::string_view text,
                                                       const std::string& path) {
  const auto parsed = ParseJson(text, {path, 0, kMaxFileDepth});
  if (!parsed) return tl::unexpected(parsed.error());
  if (!parsed->is_object()) {
    return tl::unexpected(ModelError{
        ModelErrorCode::kFormat,
        fmt::format("{}: at byte 0: this is no JSON object; the file is damaged, fetch it again",
                    path)});
  }
  JsonValues values;
  values.path_ = path;
  JsonFlattener::Add("", *parsed, values);
  return values;
}

template <typename Kind>
const Kind* JsonValues::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : std::get_if<Kind>(&found->second);
}

std::optional<int64_t> JsonValues::Integer(std::string_view name) const {
  const auto* value = Find<int64_t>(name);
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<double> JsonValues::Real(std::string_view name) const {
  if (const auto* value = Find<double>(name)) return *value;
  const auto* value = Find<int64_t>(name);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<bool> JsonValues::Bool(std::string_view name) const {
  const auto* value = Find<bool>(name);
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::string_view> JsonValues::String(std::string_view name) const {
  const auto* value = Find<std::string>(name);
  return value ? std::optional<std::string_view>(*value) : std::nullopt;
}

const std::vector<int64_t>* JsonValues::Integers(std::string_view name) const {
  return Find<std::vector<int64_t>>(name);
}

const std::vector<std::string>* JsonValues::Strings(std::string_view name) const {
  return Find<std::vector<std::string>>(name);
}

}  // namespace tenon::model
