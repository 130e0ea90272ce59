// The hash by which golden files name a list of tokens.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tenon/token_id.h"

namespace tenon::model {

// FNV-1a over the ids, four little-endian bytes each (tools/model/reference_hashes.py).
inline std::string HashOfIds(const std::vector<TokenId>& ids) {
  uint64_t value = 0xcbf29ce484222325;
  for (const TokenId id : ids) {
    for (int byte = 0; byte < 4; ++byte)
      value = (value ^ (id.value >> 8 * byte & 0xff)) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", static_cast<unsigned long>(value));
  return text;
}

}  // namespace tenon::model
