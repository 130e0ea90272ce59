// A completion: the middle of a gap, written by a model and certain to fit.
//
//   MyModel model("m.gguf");                                          // token_model.h
//   tenon::Masker masker(tenon::MaskStore::Build(python, model.vocabulary()));
//   const auto gap = tenon::Gap::Open(python, "print(", ")\n");       // print(|)
//   const auto done = tenon::Complete(model, prompt, gap, masker, {.end_tokens = {model.eos()}});
//   if (done && *done) std::cout << (*done)->middle;                  // "name"
//
// The prompt is the caller's: it shows both contexts in the format that the model was trained with,
// and ends where the gap begins.
//
// Each step looks at the model's tokens, the likeliest first, and stops at the first one that
//   ends the middle    It is an end token, and the middle is a member. Or it writes what may follow
//                      the middle: the beginning of the right context, or a line end. In
//                      `print(name|)` that is `)`. A token may be cut: of `s)` the `s` is kept.
//                      Only a middle that is more than blanks ends so, and no word is cut.
//   fits               Budget::Accept takes it. It is drawn.
// Where the first token does neither, a mask takes all others away that cannot (masker.h). When the
// budget is used up the closing text ends the middle (budget.h).
//
// A middle goes over several lines where it cannot end at an earlier line's end: in `x = [|\n]` it
// goes on up to the first line end after a value.
//
// The promise: the left context, the middle and the right context are a valid text, with at most
// CompleteOptions::most_tokens tokens in the middle, whatever the model's logits are.
//
// Not here: sampling (the draw is greedy), token healing, drafts, deadlines. A program that wants
// them writes its own loop of Append, Masker and Budget; examples/mask_logits.cpp is the shortest.
//
// Source: Ugare et al., SynCode, 2024; Melcer et al., 2024 (gap.h). Cost: a call of the model a
// token, two passes over its logits, and one mask where the likeliest token does not fit.
// Thread rule: that of the model, the gap and the masker, together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tenon/error.h"
#include "tenon/export.h"
#include "tenon/gap.h"
#include "tenon/masker.h"
#include "tenon/token_id.h"
#include "tenon/token_model.h"

namespace tenon {

struct CompleteOptions {
  uint32_t most_tokens = 64;          // of the middle, its closing text included
  std::vector<TokenId> end_tokens{};  // the tokens by which the model ends a text
  std::stop_token stop{};             // looked at before each step
};

struct Completion {
  std::string middle;           // may be empty
  uint32_t tokens = 0;          // drawn, and of the closing text
  bool ended_by_model = false;  // else the budget was used up
};

// Completes a gap. Nothing: no text within the budget closes it, or `stop` was requested. Error:
// the model's. Afterwards the model holds the prompt and some of the drawn tokens.
// REQUIRES: a gap with an empty middle, and a prompt that is not empty; `most_tokens` is no
// kUnlimitedTokens; the masker's vocabulary is the model's.
[[nodiscard]] TENON_API Result<std::optional<Completion>> Complete(
    TokenModel& model, std::span<const TokenId> prompt, const Gap& gap, Masker& masker,
    const CompleteOptions& options = {});

}  // namespace tenon
