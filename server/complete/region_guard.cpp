#include "server/complete/region_guard.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/complete/middle_parts.h"
#include "server/region/file_around.h"
#include "server/syntax/added_errors.h"

namespace tenon::server {

std::string RegionGuard::PartWithoutNewErrors(std::string_view middle,
                                              const std::stop_token& stop) {
  if (!own_errors_) own_errors_ = OwnErrors(stop);
  if (!own_errors_) return {};
  return LongestGoodPart(gap_, middle, [&](std::string_view part) {
    if (!FitsFile(language_, region_, text_, offset_bytes_, part)) return false;
    const auto errors = ErrorsWith(syntax_, text_, offset_bytes_, part, stop);
    ++parses_;
    return errors && (*errors <= *own_errors_ || FitsMended(part, stop));
  });
}

std::optional<RegionGuard::MendedFile> RegionGuard::FindMended(const std::stop_token& stop) {
  std::optional<MendedFile> best;
  for (const char* terminator : {"", ";"}) {
    auto mended = WithMissingBrackets(text_, offset_bytes_, terminator);
    if (!mended) break;
    const auto errors = ErrorsOf(syntax_, mended->text, stop);
    ++parses_;
    if (errors && *errors < (best ? best->errors : *own_errors_))
      best = MendedFile{*std::move(mended), *errors};
  }
  return best;
}

bool RegionGuard::FitsMended(std::string_view part, const std::stop_token& stop) {
  if (!std::exchange(looked_for_mended_, true)) mended_ = FindMended(stop);
  if (!mended_) return false;
  const auto& [file, own_errors] = *mended_;
  const auto errors = ErrorsWith(syntax_, file.text, file.cursor, part, stop);
  ++parses_;
  return errors && *errors <= own_errors;
}

std::optional<size_t> RegionGuard::OwnErrors(const std::stop_token& stop) {
  const auto errors = ErrorsOf(syntax_, text_, stop);
  ++parses_;
  if (!errors || !added_) return errors;
  std::string without(text_);
  without.erase(added_->offset_bytes, added_->text.size());
  const auto errors_without = ErrorsOf(syntax_, without, stop);
  ++parses_;
  return errors_without ? std::optional(std::min(*errors, *errors_without)) : std::nullopt;
}

}  // namespace tenon::server
