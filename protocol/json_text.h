// JSON from outside: a text becomes a value, or the reason why it is none.
//
// Values of JSON are copied, compared and written by recursion, so a text of 130,000 opening
// brackets would overflow the stack wherever its value is used. Texts that nest deeper than
// kMaxJsonDepth are therefore refused before they are parsed. The messages that tenon reads nest a
// handful of levels.
// Example: ParseJson("[1, 2]") is the array; "[1, x" gives "wrong at byte 5 of 5".
//
// Source: RFC 8259, whose section 9 allows a bound of the depth.
// Cost: one pass for the depth, which jumps over strings, and the parser's.
// Thread rule: pure functions; JSON's exceptions end here.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace tenon::protocol {

constexpr int kMaxJsonDepth = 128;

// Whether more than `depth` brackets are open at once somewhere in `text`. Exact for JSON; of other
// texts it is exact up to the first byte that is wrong.
[[nodiscard]] bool NestsDeeperThan(std::string_view text, int depth);

// The error says what is wrong and where, for the end of a sentence.
[[nodiscard]] tl::expected<nlohmann::json, std::string> ParseJson(std::string_view text);

}  // namespace tenon::protocol
