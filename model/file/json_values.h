// The values of a JSON file under dotted names, as the configuration of a model has them.
//
// Example: of {"hidden_size": 64, "rope_scaling": {"factor": 8}, "eos_token_id": [2, 7]},
// Integer("hidden_size") is 64, Real("rope_scaling.factor") is 8, and Integers("eos_token_id") has
// 2 and 7. Null is as good as absent, and so is a list of other things than whole numbers or
// strings.
//
// Trust: a file comes from anywhere. It has at most 16 MiB, and nests at most 8 brackets; a value
// whose dotted name has more than 128 bytes is left out. Whoever reads a value checks its range.
// Source: RFC 8259. Cost: some 20 MB/s. Thread rule: immutable; read from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "model/model_error.h"

namespace tenon::model {

class JsonValues {
 public:
  JsonValues() = default;  // none
  // Errors: kFile, the file cannot be opened or is too large; kFormat, it is no JSON object.
  static tl::expected<JsonValues, ModelError> Open(const std::string& path);
  // `path` is for messages. Errors: kFormat.
  static tl::expected<JsonValues, ModelError> Parse(std::string_view text, const std::string& path);

  // Nothing (or nullptr) where the name is missing or holds another kind. A whole number is a real,
  // too.
  std::optional<int64_t> Integer(std::string_view name) const;
  std::optional<double> Real(std::string_view name) const;
  std::optional<bool> Bool(std::string_view name) const;
  std::optional<std::string_view> String(std::string_view name) const;
  const std::vector<int64_t>* Integers(std::string_view name) const;
  const std::vector<std::string>* Strings(std::string_view name) const;

  // True for a value of any kind; of an object or a list of other things, too.
  bool Has(std::string_view name) const { return values_.contains(name); }
  const std::string& path() const { return path_; }

 private:
  // An object, or a list of other things.
  struct Other {};
  using Value = std::variant<Other, int64_t, double, bool, std::string, std::vector<int64_t>,
                             std::vector<std::string>>;
  template <typename Kind>
  const Kind* Find(std::string_view name) const;

  std::string path_;
  std::map<std::string, Value, std::less<>> values_;

  friend class JsonFlattener;
};

}  // namespace tenon::model
