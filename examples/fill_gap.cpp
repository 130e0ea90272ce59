// Draws random texts that fit between two others: the middle of a gap, without a model.
//
//   fill_gap GRAMMAR LEFT RIGHT SEED
//
// With the JSON grammar, `[1, ` on the left and `]` on the right a line may be:
//   [1, {"k":0}]
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <tenon/tenon.h>

constexpr uint32_t kMostBytes = 24;

// A middle of at most `kMostBytes` bytes. Wherever drawing stops, Finish closes the gap.
std::string DrawMiddle(tenon::Budget budget, std::mt19937& random) {
  while (budget.left() > 0) {
    if (budget.gap().Member() && random() % 4 == 0) break;
    std::vector<uint8_t> bytes = budget.gap().LiveBytes();
    std::shuffle(bytes.begin(), bytes.end(), random);
    // A live byte keeps the gap viable. Accept also asks whether the rest can close it.
    const auto drawn = std::find_if(bytes.begin(), bytes.end(), [&](uint8_t byte) {
      return byte >= ' ' && byte < 0x7f && budget.Accept(std::string(1, static_cast<char>(byte)));
    });
    if (drawn == bytes.end()) break;
  }
  return budget.Finish().middle;
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: fill_gap GRAMMAR LEFT RIGHT SEED\n";
    return 2;
  }
  const tenon::Result<tenon::Language> language = tenon::Language::FromFile(argv[1]);
  if (!language) {
    std::cerr << language.error().ToString() << "\n";
    return 2;
  }
  const std::string left = argv[2], right = argv[3];
  const tenon::Gap gap = tenon::Gap::Open(*language, left, right);
  const tenon::Budget budget(gap, kMostBytes);  // a byte costs one, as no token count is given
  if (!budget.feasible()) {
    std::cerr << "no text of " << kMostBytes << " bytes fits between these two\n";
    return 1;
  }
  std::mt19937 random(static_cast<uint32_t>(std::stoul(argv[4])));
  // A budget is a value: each draw begins from a copy.
  for (int i = 0; i < 5; ++i) std::cout << left << DrawMiddle(budget, random) << right << "\n";
}
