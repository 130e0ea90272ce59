#include "model/file/safetensors_index.h"

#include <fmt/format.h>

#include <set>

#include "model/json_text.h"

namespace tenon::model {
namespace {

constexpr int kMaxIndexDepth = 4;
constexpr size_t kMaxFiles = 1024;

bool IsBaseName(std::string_view name) {
  constexpr std::string_view kSuffix = ".safetensors";
  return name.size() > kSuffix.size() && name.ends_with(kSuffix) && !name.starts_with('.') &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

tl::expected<SafetensorsIndex, ModelError> ParseSafetensorsIndex(std::string_view text,
                                                                 const std::string& path) {
  const auto refuse = [&](ModelErrorCode code, const std::string& what, std::string_view remedy) {
    return tl::unexpected(ModelError{code, fmt::format("{}: {}; {}", path, what, remedy)});
  };
  constexpr std::string_view kAgain = "the file is damaged, fetch it again";
  const auto parsed = ParseJson(text, {path, 0, kMaxIndexDepth});
  if (!parsed) return tl::unexpected(parsed.error());
  const auto& map = Member(*parsed, "weight_map");
  if (!map.is_object() || map.empty())
    return refuse(ModelErrorCode::kFormat, "weight_map is missing or empty", kAgain);
  SafetensorsIndex index;
  std::set<std::string_view> files;
  for (const auto& [tensor, file] : map.items()) {
    if (!file.is_string() || !IsBaseName(file.get_ref<const std::string&>())) {
      return refuse(ModelErrorCode::kFormat,
                    fmt::format("weight_map: tensor {}: its file is no name of a safetensors file "
                                "beside the index",
                                tensor),
                    kAgain);
    }
    const auto added = index.emplace(tensor, file.get<std::string>()).first;
    files.insert(added->second);
    if (files.size() > kMaxFiles) {
      return refuse(ModelErrorCode::kUnsupported,
                    fmt::format("weight_map names more than {} files", kMaxFiles),
                    "take a model of fewer files");
    }
  }
  return index;
}

}  // namespace tenon::model
