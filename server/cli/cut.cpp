#include "server/cli/cut.h"

#include <charconv>

#include <fmt/format.h>

namespace tenon::server {
namespace {

std::optional<size_t> Offset(std::string_view digits) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

}  // namespace

std::optional<Cut> CutFrom(std::string_view at) {
  const size_t dash = at.find('-');
  const auto begin = Offset(at.substr(0, dash));
  const auto end = dash == std::string_view::npos ? begin : Offset(at.substr(dash + 1));
  if (!begin || !end) return std::nullopt;
  return Cut{*begin, *end};
}

tl::expected<Contexts, std::string> TakeOut(const Cut& cut, std::string_view text) {
  if (cut.begin > cut.end || cut.end > text.size()) {
    return tl::unexpected(fmt::format("{}-{} is no stretch of this text of {} bytes", cut.begin,
                                      cut.end, text.size()));
  }
  return Contexts{text.substr(0, cut.begin), text.substr(cut.end)};
}

}  // namespace tenon::server
