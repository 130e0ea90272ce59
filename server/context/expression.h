// A regular expression that is compiled once and asked about many texts.
//
// Example: Expression::Of("a+b") finds itself in `xaab`, and matches `aab` as a whole.
//
// Source: PCRE2 10.42, pcre2api(3). Cost: a compilation; then linear in the text, but for odd
// expressions. On these PCRE2 gives up after kMaxSteps from one byte of the text: an expression may
// be a line of somebody's `.gitignore`. Thread rule: immutable; each question has memory of its
// own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace tenon::server {

class Expression {
 public:
  static constexpr uint32_t kMaxSteps = 100'000;  // some 2 ms

  // Nothing where the text is no expression.
  [[nodiscard]] static std::optional<Expression> Of(std::string_view text);

  // Somewhere in the text. A text that PCRE2 gives up on counts as found.
  [[nodiscard]] bool Finds(std::string_view text) const;
  // The whole text. A text that PCRE2 gives up on does not match.
  [[nodiscard]] bool Matches(std::string_view text) const;

 private:
  explicit Expression(std::shared_ptr<const void> code) : code_(std::move(code)) {}

  std::shared_ptr<const void> code_;  // pcre2_code, which no header of ours names
};

}  // namespace tenon::server
