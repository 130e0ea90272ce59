#include "server/complete/region_guard.h"

#include "server/request/words.h"
#include "server/syntax/added_errors.h"

namespace tenon::server {
namespace {

constexpr int kMaxBeginnings = 4;

bool Closes(Gap gap, std::string_view middle) { return gap.Accept(middle) && gap.Member(); }

}  // namespace

std::string PartWithoutNewErrors(const TSLanguage* syntax, std::string_view text,
                                 size_t offset_bytes, const Gap& gap, std::string_view middle,
                                 const std::stop_token& stop) {
  const auto before = ErrorsOf(syntax, text, stop);
  for (int tries = 0; before && tries < kMaxBeginnings && !IsBlank(middle); ++tries) {
    if (tries == 0 || Closes(gap, middle)) {
      const auto after = ErrorsWith(syntax, text, offset_bytes, middle, stop);
      if (!after) return {};
      if (*after <= *before) return std::string(middle);
    }
    const size_t line_end = middle.find_last_of('\n');
    if (line_end == std::string_view::npos) return {};
    middle = middle.substr(0, line_end);
    if (middle.ends_with('\r')) middle.remove_suffix(1);
  }
  return {};
}

}  // namespace tenon::server
