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
    const std::string at =
        cut.begin == cut.end ? std::to_string(cut.begin) : fmt::format("{}-{}", cut.begin, cut.end);
    if (cut.begin > cut.end) return tl::unexpected(at + " ends before it begins");
    return tl::unexpected(
        fmt::format("{} lies after the end of the text, which has {} bytes", at, text.size()));
  }
  return Contexts{text.substr(0, cut.begin), text.substr(cut.end)};
}

}  // namespace tenon::server
