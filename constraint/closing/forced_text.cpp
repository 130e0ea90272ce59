#include "constraint/closing/forced_text.h"

#include <array>

namespace tenon::constraint {

namespace {

// All bytes, those first that are most often alive: where text is not forced, two of them settle
// it.
constexpr std::array<uint8_t, 256> ByUse() {
  std::array<uint8_t, 256> order{};
  size_t n = 0;
  const auto is_first = [](int byte) {
    for (char c : {' ', 'a', '\n', '"', '(', '0', ',', ')'}) {
      if (byte == static_cast<uint8_t>(c)) return true;
    }
    return false;
  };
  for (const bool first : {true, false}) {
    for (int byte = 0; byte < 256; ++byte) {
      if (is_first(byte) == first) order[n++] = static_cast<uint8_t>(byte);
    }
  }
  return order;
}

constexpr std::array<uint8_t, 256> kByUse = ByUse();

}  // namespace

std::vector<uint8_t> LiveBytes(const GapState& state, size_t most) {
  std::vector<uint8_t> alive;
  for (uint8_t byte : kByUse) {
    if (alive.size() == most) break;
    const char c = static_cast<char>(byte);
    if (state.Check(std::string_view(&c, 1))) alive.push_back(byte);
  }
  return alive;
}

std::string ForcedText(const GapState& state, size_t most_bytes) {
  std::string forced;
  GapState at = state;
  while (forced.size() < most_bytes && !at.Member()) {
    const std::vector<uint8_t> alive = LiveBytes(at, 2);
    if (alive.size() != 1) break;
    const char byte = static_cast<char>(alive[0]);
    if (!at.Accept(std::string_view(&byte, 1))) break;
    forced += byte;
  }
  return forced;
}

}  // namespace tenon::constraint
