// JSON from a file that is not trusted.
//
// Two rules beyond JSON itself: no key twice in an object (readers disagree which of the two
// counts), and no deeper nesting than the caller's limit.
// Example: ParseJson("{\"r\": 16}", {"a.json"}) is the object with r = 16; "{" gives the error
// "a.json: at byte 1: this is not JSON; the file is damaged, fetch it again".
//
// Source: RFC 8259; nlohmann_json does the parsing, and its exceptions end here.
// Inside the room only. Cost: linear. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"

namespace tenon::model {

struct JsonSource {
  std::string path;
  // Where in the file the text begins, for messages.
  uint64_t first_byte = 0;
  int max_depth = 16;
};

// Errors: kFormat, with the byte where it is known.
tl::expected<nlohmann::json, ModelError> ParseJson(std::string_view text, const JsonSource& source);

// The member, or null where there is none or the value is no object.
const nlohmann::json& JsonMember(const nlohmann::json& object, std::string_view name);

}  // namespace tenon::model
