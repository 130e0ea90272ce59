#include "constraint/lex/reached_bits.h"

namespace tenon::constraint {

std::vector<uint16_t> ReachedBits(const Lexer& lexer, std::vector<uint16_t> own) {
  std::vector<std::vector<uint16_t>> before(own.size());
  std::vector<uint16_t> work;
  for (uint16_t s = 0; s < own.size(); ++s) {
    for (const DfaStateId to : lexer.Successors(DfaStateId{s}, false))
      before[to.value].push_back(s);
    if (own[s] != 0) work.push_back(s);
  }
  while (!work.empty()) {
    const uint16_t s = work.back();
    work.pop_back();
    for (const uint16_t p : before[s]) {
      if ((own[s] & ~own[p]) == 0) continue;
      own[p] |= own[s];
      work.push_back(p);
    }
  }
  return own;
}

}  // namespace tenon::constraint
