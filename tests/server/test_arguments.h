// What the test program was started with, beyond GoogleTest's own arguments.
#pragma once

#include <cstdint>

namespace tenon::server {

// --update: golden files are rewritten instead of compared.
bool UpdateGoldenFiles();

// --mutated-messages=N: how many are sent; 30,000 without it.
uint64_t MutatedMessages();

}  // namespace tenon::server
