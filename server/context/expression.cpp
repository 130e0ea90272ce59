#include "server/context/expression.h"

#include <cstdint>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace tenon::server {
namespace {

struct MatchDeleter {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

// PCRE2's answer: at least 0 for a match.
int Ask(const void* code, std::string_view text, uint32_t options) {
  const auto* compiled = static_cast<const pcre2_code*>(code);
  const std::unique_ptr<pcre2_match_data, MatchDeleter> match(
      pcre2_match_data_create_from_pattern(compiled, nullptr));
  return pcre2_match(compiled, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, options,
                     match.get(), nullptr);
}

}  // namespace

std::optional<Expression> Expression::Of(std::string_view text) {
  int error = 0;
  PCRE2_SIZE at = 0;
  pcre2_code* const code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                         PCRE2_DOTALL, &error, &at, nullptr);
  if (code == nullptr) return std::nullopt;
  return Expression(
      std::shared_ptr<const void>(code, [code](const void*) { pcre2_code_free(code); }));
}

bool Expression::Finds(std::string_view text) const {
  return Ask(code_.get(), text, 0) != PCRE2_ERROR_NOMATCH;
}

bool Expression::Matches(std::string_view text) const {
  return Ask(code_.get(), text, PCRE2_ANCHORED | PCRE2_ENDANCHORED) >= 0;
}

}  // namespace tenon::server
