// What a fuzz target claims: a broken claim ends the process, so that the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>

#define TENON_FUZZ_EXPECT(claim)                                               \
  do {                                                                         \
    if (!(claim)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); \
      std::abort();                                                            \
    }                                                                          \
  } while (false)
