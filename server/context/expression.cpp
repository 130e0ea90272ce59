#include "server/context/expression.h"

#include <cstdint>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace tenon::server {
namespace {

struct Deleter {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

// PCRE2's answer: at least 0 for a match.
int Ask(const void* code, std::string_view text, uint32_t options) {
  const auto* compiled = static_cast<const pcre2_code*>(code);
  const std::unique_ptr<pcre2_match_data, Deleter> match(
      pcre2_match_data_create_from_pattern(compiled, nullptr));
  const std::unique_ptr<pcre2_match_context, Deleter> context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), Expression::kMaxSteps);
  return pcre2_match(compiled, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, options,
                     match.get(), context.get());
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
