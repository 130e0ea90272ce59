// The quotient grammar of a gap: an explicit grammar of every middle M for which L M R is a valid
// text (constraint/quotient/middle_grammar.h). This header is the face of the room `quotient`.
//
// Example: L = `foo(`, R = `)`. The items of the stack's top wait for arguments; R's demand graph
// says that R begins after the arguments, or after nothing. The grammar is: nothing, or
// arguments.
//
// Every way to go on is a chain of items on the left stack. The demand graph says where such a
// chain can meet the right side. From a node of the stack and a nonterminal A that was just
// completed over it:
//
//   after(node, A) -> b . after(begin of P, head of P)
//                       for each item P = (B -> a . A b) of the node's state: M holds all of b
//   after(node, A) -> b[..up to the dot of J] . into(J)
//                       for each J in shared(P): M holds the symbols between both dots
//   into(End)      -> the empty word
//   into(Mid)      -> prefix of a child up to its dot . into(child)
//
// Where a lexeme is cut: the middle may end inside a lexeme that R goes on with. Then R counts from
// that lexeme's end, and the last terminal of M is its beginning.
// Where lines count: a right context that begins in the middle of a line follows content; one that
// begins a line follows a line end.
//
// Exact in terminals, but for the columns of blocks.
//
// Source: docs/design/viability.md; Melcer et al. (2024), left and right quotienting.
// Cost: a gap's set-up for each distinct offset at which a lexeme begun in M ends, then stack depth
// times the nonterminals that a state waits for. Thread rule: a pure function.
#pragma once

#include <memory>
#include <string_view>

#include <tl/expected.hpp>

#include "constraint/quotient/middle_grammar.h"

namespace tenon::constraint {

// `emit`: the grammar of middles that tenon would write, under the seam rule; off: of all middles
// of the accepted language. The error gives the reason why there is no such grammar, and the
// remedy. No bodies at the start: no text closes the gap.
[[nodiscard]] tl::expected<MiddleGrammar, std::string> QuotientGrammar(
    std::shared_ptr<const Language> language, std::string_view left, std::string_view right,
    bool emit);

}  // namespace tenon::constraint
