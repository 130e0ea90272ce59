// Pieces of a stream where healed text (server/decode/written_middle.h) is still to be written.
//
// Example, for `x = pri|` with the healed text ` pri`: ` price` .3 and ` pr` .1 may come, ` not` .5
// may not. Of those that may come ` price` has three quarters.
//
// Cost: linear in what the server has shown. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "server/remote/text_stream.h"

namespace tenon::server {

// -ln p of the piece, among the texts that may come as far as the server has shown them.
[[nodiscard]] std::optional<double> NatsOf(const TextPiece& piece, std::string_view healed);

}  // namespace tenon::server
