// An adapter's adapter_config.json, read and checked.
//
// Example: {"peft_type": "LORA", "r": 16, "lora_alpha": 32, "target_modules": ["q_proj"]} has
// rank 16, scale 2 and the module q_proj.
//
// Source: https://github.com/huggingface/peft, LoraConfig (src/peft/tuners/lora/config.py). A
// setting that is missing has PEFT's default; r, lora_alpha and target_modules must be there.
// Inside the room only. Cost: a few kilobytes of JSON. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/peft_adapter.h"
#include "model/model_error.h"
#include "tenon/token_id.h"

namespace tenon::model {

struct PeftConfig {
  uint64_t rank = 0;
  float scale = 0;
  std::string base_model;
  // Empty where the setting is a pattern.
  std::vector<Projection> targets;
  std::vector<TokenId> embedding_tokens;
  std::optional<std::string> fim_template;
  std::optional<std::string> fim_end;
};

// The projection of that name: "q_proj". Nothing where there is none.
std::optional<Projection> ProjectionNamed(std::string_view name);

// `path` is for messages. Errors: kFormat, a setting is missing or of the wrong kind; kUnsupported,
// the adapter computes otherwise than peft_adapter.h says.
tl::expected<PeftConfig, ModelError> ReadPeftConfig(std::string_view text, const std::string& path);

}  // namespace tenon::model
