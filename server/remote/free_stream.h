// Text that a server streams where no gap judges it: cut so that it adds no syntax error, or one
// line as it is.
//
// Example: in a Rust file `let a = |` the stream is `1;⏎}`, and the middle becomes `1;`
// (server/syntax/syntax_middle.h). Without any constraint it is the rest of the line: `1;`.
//
// Cost: a few parses a piece, or none. Thread rule: one thread at a time.
#pragma once

#include <stop_token>

#include <tl/expected.hpp>

#include "server/decode/decoder.h"
#include "server/remote/text_stream.h"
#include "server/syntax/syntax_middle.h"

namespace tenon::server {

// The error: the server fails. REQUIRES: `middle` has nothing written.
[[nodiscard]] tl::expected<DecodeResult, StreamFault> StreamSyntax(SyntaxMiddle middle,
                                                                   TextSource& source,
                                                                   const DecodeLimits& limits,
                                                                   const std::stop_token& cancel);
// Up to the end of the first line that is not blank.
[[nodiscard]] tl::expected<DecodeResult, StreamFault> StreamLine(TextSource& source,
                                                                 const DecodeLimits& limits);

}  // namespace tenon::server
