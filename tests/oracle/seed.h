// The seed of a random test: the same in every run, so that a change is judged by itself;
// TENON_TEST_SEED=N takes another.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tenon::oracle {

inline uint32_t TestSeed() {
  const char* chosen = std::getenv("TENON_TEST_SEED");
  return chosen ? static_cast<uint32_t>(std::stoul(chosen)) : 20240611;
}

}  // namespace tenon::oracle
