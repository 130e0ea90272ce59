#include "tenon/error.h"

#include <fmt/format.h>

namespace tenon {

std::string Error::ToString() const {
  if (line == 0) return fmt::format("{}: {}", path, message);
  return fmt::format("{}:{}:{}: {}", path, line, column, message);
}

}  // namespace tenon
