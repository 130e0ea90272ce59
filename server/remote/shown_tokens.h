// The tokens that a server's event shows, from the forms that servers write them in.
//
// Example: {"token": "ce", "bytes": [99, 101], "logprob": -0.2, "top_logprobs": [{"token": "ces",
// "logprob": -2.4}]} is the piece `ce` with the alternative `ces`.
//
// Cost: linear. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/remote/server_protocol.h"

namespace tenon::server {

// Of a list of such objects; other values are left out.
[[nodiscard]] std::vector<TextPiece> PiecesIn(const nlohmann::json& tokens,
                                              const TextQuestion& question);
// Of the lists of the older API: {"tokens": ["ce"], "token_logprobs": [-0.2], "top_logprobs":
// [{"ce": -0.2, "ces": -2.4}]}.
[[nodiscard]] std::vector<TextPiece> PiecesInLists(const nlohmann::json& lists,
                                                   const TextQuestion& question);
// The pieces of an event whose text is `text`: those shown, where they spell it, else the text as
// one, or as several of at most kMaxPieceBytes.
[[nodiscard]] std::vector<TextPiece> PiecesOf(std::string_view text, std::vector<TextPiece> shown);
// The end, where no piece is it yet.
void AddEnd(std::vector<TextPiece>& pieces);
// A text member; empty where it is none.
[[nodiscard]] std::string TextIn(const nlohmann::json& object, const char* name);

}  // namespace tenon::server
