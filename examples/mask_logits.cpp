// A decode loop whose text fits: the logits of tokens that do not fit are masked before each draw.
//
//   mask_logits GRAMMAR LEFT RIGHT SEED
//
// The model is made up: its logits come from a seeded random generator.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <tenon/tenon.h>

// Tokens may be pieces of lexemes or of several. Token 0 ends the text and writes nothing.
const std::vector<std::string> kTokens = {"",     "{",    "{\"",  "}",     "[",   "]",  "}]",  ", ",
                                          ", \"", "\": ", "a",    "b",     "\"c", "\"", "1",   "23",
                                          ".5",   "e-4",  "true", "f",     "u",   ":",  "nul", "l",
                                          "\"\"", "alse", " ",    "\"d\"", "\n",  "-"};

// Draws the likeliest token. False: the text ends.
bool Draw(std::vector<float> logits, tenon::Budget& budget) {
  for (;;) {
    const auto best = std::max_element(logits.begin(), logits.end());
    if (best == logits.begin() || std::isinf(*best)) return false;
    // The mask keeps the gap viable. The budget may still refuse; then the next best is tried.
    if (budget.Accept(kTokens[static_cast<size_t>(best - logits.begin())])) return true;
    *best = -INFINITY;
  }
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: mask_logits GRAMMAR LEFT RIGHT SEED\n";
    return 2;
  }
  const tenon::Result<tenon::Language> language = tenon::Language::FromFile(argv[1]);
  if (!language) {
    std::cerr << language.error().ToString() << "\n";
    return 2;
  }
  // The store is built once for a language and a vocabulary; a masker makes masks from it.
  tenon::Masker masker(tenon::MaskStore::Build(*language, tenon::Vocabulary(kTokens)));
  tenon::Budget budget(tenon::Gap::Open(*language, argv[2], argv[3]), 24);
  std::mt19937 random(static_cast<uint32_t>(std::stoul(argv[4])));
  std::vector<float> logits(kTokens.size());
  while (budget.feasible() && budget.left() > 0) {
    for (float& logit : logits) logit = static_cast<float>(random() % 1000);  // the model's turn
    const float end = logits[0];
    tenon::ApplyMask(masker.Of(budget.gap()), logits);
    if (budget.gap().Member()) logits[0] = end;  // the text may end here
    if (!Draw(logits, budget)) break;
  }
  if (!budget.feasible()) return 1;
  std::cout << argv[2] << budget.Finish().middle << argv[3] << "\n";
}
