#include "server/remote/healed_piece.h"

#include <algorithm>
#include <cmath>

namespace tenon::server {

std::optional<double> NatsOf(const TextPiece& piece, std::string_view healed) {
  if (!piece.text.nats || healed.empty()) return piece.text.nats;
  double sum = std::exp(-*piece.text.nats);
  for (const ShownText& other : piece.others) {
    const bool may_come = other.bytes.starts_with(healed) || healed.starts_with(other.bytes);
    if (may_come && !other.ends && other.nats) sum += std::exp(-*other.nats);
  }
  return std::max(0.0, *piece.text.nats + std::log(sum));
}

}  // namespace tenon::server
