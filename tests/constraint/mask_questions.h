// Is a mask just what trying every token says? Shared by the mask tests.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/gap/gap.h"
#include "constraint/mask/masker.h"
#include "tests/constraint/short_texts.h"

namespace tenon::constraint {

// Every string of at most `longest` bytes of an alphabet, then `more` longer ones, a few of them
// twice, and some tokens without bytes.
inline std::vector<std::string> SmallVocabulary(const std::string& alphabet, size_t longest,
                                                size_t more, std::mt19937& random) {
  std::vector<std::string> tokens{"", ""};
  const std::vector<std::string> all = ShortTexts(alphabet, longest);
  tokens.insert(tokens.end(), all.begin() + 1, all.end());
  for (size_t i = 0; i < more; ++i) {
    std::string token;
    for (size_t n = longest + 1 + random() % 5; n > 0; --n)
      token += alphabet[random() % alphabet.size()];
    tokens.push_back(token);
    if (i % 16 == 0) tokens.push_back(token);
  }
  std::shuffle(tokens.begin(), tokens.end(), random);
  return tokens;
}

struct MaskTally {
  size_t masks = 0, allowed = 0, wrong = 0;
};

// Compares the state's mask with a check of every token. False: they differ, and the test has
// failed.
inline bool MaskIsExact(Masker& masker, const GapState& state, const TokenVocabulary& vocabulary,
                        const std::string& place, MaskTally& tally) {
  const TokenMask& mask = masker.Of(state);
  ++tally.masks;
  for (uint32_t t = 0; t < vocabulary.size(); ++t) {
    std::string_view bytes = vocabulary.Bytes(TokenId{t});
    bool allowed = !bytes.empty() && state.Check(bytes);
    tally.allowed += allowed;
    if (mask.Allows(TokenId{t}) == allowed) continue;
    ++tally.wrong;
    Masker fresh(masker.store(), state);
    bool again = fresh.Of(state).Allows(TokenId{t});
    ADD_FAILURE() << "token " << t << (again == allowed ? ", right in a fresh masker: " : ": ")
                  << place << " | middle \"" << state.middle() << "\": token \"" << bytes
                  << "\" is " << (allowed ? "allowed" : "refused") << ", the mask says otherwise";
    return false;
  }
  return true;
}

// Takes `steps` random allowed tokens from the gap's state and compares the mask at each.
inline void FollowMasks(const std::shared_ptr<const MaskStore>& store,
                        const std::shared_ptr<const Language>& language, const std::string& left,
                        const std::string& right, int steps, std::mt19937& random, MaskTally& tally,
                        Scope scope = Scope::kFree, std::optional<size_t> pack_above = {},
                        Seam seam = Seam::kClosed) {
  const TokenVocabulary& vocabulary = store->vocabulary();
  GapPolicy policy;
  policy.scope = scope;
  policy.seam = seam;
  policy.pack_above = pack_above;
  GapState state = OpenGap(language, left, right, policy);
  Masker masker(store, state);
  for (int step = 0; step < steps; ++step) {
    if (!MaskIsExact(masker, state, vocabulary, "left \"" + left + "\", right \"" + right + "\"",
                     tally))
      return;
    std::vector<TokenId> allowed;
    const TokenMask& mask = masker.Of(state);
    for (uint32_t t = 0; t < vocabulary.size(); ++t) {
      if (mask.Allows(TokenId{t})) allowed.push_back(TokenId{t});
    }
    if (allowed.empty()) return;
    TokenId drawn = allowed[random() % allowed.size()];
    ASSERT_TRUE(state.Accept(vocabulary.Bytes(drawn)));
  }
}

}  // namespace tenon::constraint
