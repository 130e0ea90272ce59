#include "constraint/grammar/grammar_error.h"

#include <fmt/format.h>

namespace tenon::constraint {

std::string GrammarError::ToString() const {
  if (line == 0) return fmt::format("{}: {}", path, message);
  return fmt::format("{}:{}:{}: {}", path, line, column, message);
}

}  // namespace tenon::constraint
