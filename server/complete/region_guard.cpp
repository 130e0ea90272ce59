#include "server/complete/region_guard.h"

#include "server/complete/middle_parts.h"
#include "server/region/file_around.h"
#include "server/syntax/added_errors.h"

namespace tenon::server {
std::string RegionGuard::PartWithoutNewErrors(std::string_view middle,
                                              const std::stop_token& stop) {
  if (!own_errors_) {
    own_errors_ = ErrorsOf(syntax_, text_, stop);
    ++parses_;
  }
  if (!own_errors_) return {};
  return LongestGoodPart(gap_, middle, [&](std::string_view part) {
    if (!FitsFile(language_, region_, text_, offset_bytes_, part)) return false;
    const auto errors = ErrorsWith(syntax_, text_, offset_bytes_, part, stop);
    ++parses_;
    return errors && *errors <= *own_errors_;
  });
}

}  // namespace tenon::server
