#include "model/inference/config_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

// Far above the sizes of any real model; products of two sizes stay far below 2^63.
constexpr int64_t kMaxNumber = 1 << 24;
// The most numbers of a row of activations: those of a stretch's rows (ForwardPass::kMaxStretch)
// are counted in 32 bits.
constexpr int64_t kMaxWidth = 1 << 20;

}  // namespace

ConfigReader::ConfigReader(const GgufFile& file)
    : what_("metadata"),
      integer_([&file](const std::string& key) { return file.Integer(key); }),
      real_([&file](const std::string& key) { return file.Real(key); }) {}

ConfigReader::ConfigReader(const JsonValues& values)
    : what_("its"),
      integer_([&values](const std::string& key) { return values.Integer(key); }),
      real_([&values](const std::string& key) { return values.Real(key); }) {}

int ConfigReader::Positive(const std::string& key, std::optional<int64_t> otherwise) {
  const auto given = integer_(key);
  const auto value = given ? given : otherwise;
  if (!value) {
    Fail(fmt::format("{} {} is missing", what_, key));
  } else if (*value < 1 || *value > kMaxNumber) {
    Fail(fmt::format("{} {} is {}, 1 to {} is possible", what_, key, *value, kMaxNumber));
  } else {
    return static_cast<int>(*value);
  }
  return 1;
}

float ConfigReader::PositiveReal(const std::string& key, std::optional<double> otherwise) {
  using Float = std::numeric_limits<float>;
  const auto given = real_(key);
  const auto value = given ? given : otherwise;
  if (!value) {
    Fail(fmt::format("{} {} is missing", what_, key));
  } else if (!(*value >= Float::min() && *value <= Float::max())) {
    Fail(fmt::format("{} {} is {}, a positive number is needed that a float can hold", what_, key,
                     *value));
  } else {
    return static_cast<float>(*value);
  }
  return 1;
}

void ConfigReader::Require(bool holds, const std::string& what) {
  if (!holds) Fail(what);
}

void ConfigReader::Fail(std::string what) {
  if (!error_) error_ = std::move(what);
}

void RequirePossible(const LlamaConfig& config, ConfigReader& in) {
  in.Require(config.heads % config.kv_heads == 0,
             fmt::format("{} query heads do not share {} key heads evenly", config.heads,
                         config.kv_heads));
  in.Require(config.rope_width % 2 == 0 && config.rope_width <= config.head_width &&
                 config.head_width % 2 == 0,
             fmt::format("rotation of {} of {} numbers a head is impossible", config.rope_width,
                         config.head_width));
  in.Require(int64_t{config.heads} * config.head_width <= kMaxWidth,
             fmt::format("{} heads of {} numbers are impossible", config.heads, config.head_width));
  in.Require(config.width <= kMaxWidth && config.feed_forward <= kMaxWidth,
             fmt::format("a width of {} and a feed-forward of {} are impossible, {} is the most",
                         config.width, config.feed_forward, kMaxWidth));
}

float ScaleOfScores(float divisor) { return 1.0f / std::sqrt(divisor); }

std::vector<bool> EverySeesAll(const LlamaConfig& config, int every) {
  std::vector<bool> sees_all;
  for (int layer = 1; layer <= std::min(config.layers, kMaxLayers); ++layer)
    sees_all.push_back(layer % every == 0);
  return sees_all;
}

}  // namespace tenon::model
