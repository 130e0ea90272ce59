#include "server/complete/region_guard.h"

#include "server/region/file_around.h"
#include "server/request/words.h"
#include "server/syntax/added_errors.h"

namespace tenon::server {
namespace {

constexpr int kMaxBeginnings = 4;

bool Closes(Gap gap, std::string_view middle) { return gap.Accept(middle) && gap.Member(); }

}  // namespace

std::string RegionGuard::PartWithoutNewErrors(std::string_view middle,
                                              const std::stop_token& stop) {
  if (!own_errors_) {
    own_errors_ = ErrorsOf(syntax_, text_, stop);
    ++parses_;
  }
  for (int tries = 0; own_errors_ && tries < kMaxBeginnings && !IsBlank(middle); ++tries) {
    if (FitsFile(language_, region_, text_, offset_bytes_, middle) &&
        (tries == 0 || Closes(gap_, middle))) {
      const auto errors = ErrorsWith(syntax_, text_, offset_bytes_, middle, stop);
      ++parses_;
      if (!errors) return {};
      if (*errors <= *own_errors_) return std::string(middle);
    }
    const size_t line_end = middle.find_last_of('\n');
    if (line_end == std::string_view::npos) return {};
    middle = middle.substr(0, line_end);
    if (middle.ends_with('\r')) middle.remove_suffix(1);
  }
  return {};
}

}  // namespace tenon::server
