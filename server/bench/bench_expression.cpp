#include <random>

#include <fmt/format.h>

#include "constraint/gap/gap.h"
#include "constraint/library/internals.h"
#include "constraint/mask/mask.h"
#include "model/text/text.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"
#include "server/decode/mask_stores.h"

namespace tenon::server {
namespace {

using constraint::ExpressionMasks;
using constraint::GapState;

constexpr size_t kMaxTokens = 100;  // of a text

// Some token of a set that is not empty.
TokenId SomeOf(const constraint::TokenMask& mask, size_t tokens, std::mt19937& random) {
  for (auto t = static_cast<uint32_t>(random() % tokens);;
       t = static_cast<uint32_t>((t + 1) % tokens)) {
    if (mask.Allows(TokenId{t})) return TokenId{t};
  }
}

}  // namespace

int BenchExpression(const Invocation& invocation, const BenchOptions& options) {
  const auto path = invocation.TokenizerPath(options.tokenizer);
  if (!path) return invocation.Fail(path.error());
  const auto tokenizer = model::OpenTokenizer(*path);
  if (!tokenizer) return invocation.Fail(tokenizer.error().message);
  const auto vocabulary = Internals::Of(VocabularyOf(*tokenizer));
  const double before = ResidentMb();
  Timings compile("compile_expression", TimeUnit::kMilliseconds);
  const auto language =
      compile.Time([&] { return constraint::Language::FromRegex(*options.regex); });
  if (!language) return invocation.Fail(language.error().ToString());
  PrintHead(invocation);
  PrintRow(invocation, compile.Row());
  PrintRow(invocation, CountRow("states", (*language)->lexer.state_count()));
  PrintRow(invocation, CountRow("vocabulary", vocabulary->size()));

  ExpressionMasks masks(*language, vocabulary, "");
  Timings first("mask_first", TimeUnit::kMicroseconds),
      again("mask_again", TimeUnit::kMicroseconds);
  Timings check("check_token", TimeUnit::kMicroseconds),
      accept("accept_token", TimeUnit::kMicroseconds);
  for (size_t q = 0; q < (*language)->lexer.state_count(); ++q)
    first.Time([&] { return &masks.Of(constraint::DfaStateId{static_cast<uint16_t>(q)}); });
  PrintRow(invocation, first.Row());
  PrintRow(invocation, CountRow("sets", masks.sets()));
  PrintRow(invocation, ValueRow("resident", "MB", ResidentMb() - before));

  size_t disagreements = 0;
  for (size_t text = 0; text < options.gaps; ++text) {
    std::mt19937 random(static_cast<unsigned>(options.seed + text));
    GapState state = OpenGap(*language, "", "", {});
    for (size_t i = 0; i < kMaxTokens; ++i) {
      const constraint::TokenMask& mask = *again.Time([&] { return &masks.Of(state); });
      const TokenId any{static_cast<uint32_t>(random() % vocabulary->size())};
      disagreements += mask.Allows(any) !=
                       (!vocabulary->Bytes(any).empty() && state.Check(vocabulary->Bytes(any)));
      if (mask.Count() == 0) break;
      const std::string_view bytes = vocabulary->Bytes(SomeOf(mask, vocabulary->size(), random));
      disagreements += !check.Time([&] { return state.Check(bytes); });
      if (!accept.Time([&] { return state.Accept(bytes); })) break;
    }
  }
  for (const Timings* row : {&again, &check, &accept}) {
    if (!row->empty()) PrintRow(invocation, row->Row());
  }
  if (disagreements == 0) return kExitDone;
  return invocation.Fail(fmt::format(
      "{} masks differ from the check of their token: this is a fault of tenon, please report it",
      disagreements));
}

}  // namespace tenon::server
