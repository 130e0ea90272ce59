#include "server/remote/healed_piece.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(HealedPiece, CountsAmongThoseThatMayCome) {
  TextPiece piece{{" price", -std::log(0.3)}};
  piece.others = {{" not", -std::log(0.5)}, {" pr", -std::log(0.1)}, {"", -std::log(0.05), true}};
  EXPECT_NEAR(std::exp(-*NatsOf(piece, " pri")), 0.75, 1e-9);
  EXPECT_NEAR(std::exp(-*NatsOf(piece, "")), 0.3, 1e-9);
  piece.text.nats.reset();
  EXPECT_FALSE(NatsOf(piece, " pri"));
}

}  // namespace
}  // namespace tenon::server
