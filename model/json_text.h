// JSON from a file that is not trusted, and its members, each of which may be missing or of another
// kind.
//
// Two rules beyond JSON itself: no key twice in an object (readers disagree which of the two
// counts), and no deeper nesting than the caller's limit. A text that breaks one is refused at that
// place; its rest is not read.
// Example: ParseJson("{\"r\": 16}", {"a.json"}) is the object with r = 16; "{" gives the error
// "a.json: at byte 1: this is not JSON; the file is damaged, fetch it again".
//
// Source: RFC 8259; nlohmann_json does the parsing, and its exceptions end here.
// For the rooms of model/, in sources alone but for headers that are inside a room.
// Cost: linear; memory up to twenty times the text. Thread rule: pure functions.
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
  // Off: of a key that is there twice the last one counts. The rule takes 0.5 us a key, which a
  // vocabulary of 150,000 tokens does not deserve.
  bool has_unique_keys = true;
};

// Errors: kFormat, with the byte where it is known.
tl::expected<nlohmann::json, ModelError> ParseJson(std::string_view text, const JsonSource& source);

// The member, or null where there is none or the value is no object.
const nlohmann::json& Member(const nlohmann::json& object, std::string_view name);
// True where the member is the value true.
bool IsTrue(const nlohmann::json& object, std::string_view name);
// Empty where the value is no text.
std::string_view TextOf(const nlohmann::json& value);

}  // namespace tenon::model
