// The room `sampling`: the choice of the next token among the tokens that a constraint allows.
//
//   token_filter.h  the seam: the questions that a constraint answers about tokens
//   sampler.h       draws a token from the model's distribution, limited by a TokenFilter
//
// Draw, then check. A mask over a whole vocabulary costs more than a check of one token, and most
// draws are allowed. So a token is drawn first and checked afterwards; the filter makes a mask
// only when the draw was refused. Example: in `foo(a, |` before `)` the model proposes `}` with 60
// % and `b` with 40 %. The sampler draws `}`, the filter refuses it and is asked for its mask, the
// mask leaves `b`, and `b` is drawn with probability 1.
//
// This header is the room's face: other rooms include this header and no other of the room.
#pragma once

#include "model/sampling/sampler.h"
#include "model/sampling/token_filter.h"
