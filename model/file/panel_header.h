// The first bytes of a panel file (panel_file.h), as reader and writer share them; private to the
// room.
//
// Thread rule: a value.
#pragma once

#include <cstdint>

#include "model/file/panel_file.h"

namespace tenon::model {

inline constexpr uint32_t kPanelFileVersion = 1;

struct PanelHeader {
  char mark[8] = {'t', 'e', 'n', 'o', 'n', 'P', '\r', '\n'};
  uint32_t version = kPanelFileVersion;
  uint32_t tensors = 0;
  uint64_t layout = 0;
  uint64_t model_bytes = 0;
  int64_t model_changed_ns = 0;
  Hash128 model_print = {};
  uint64_t table_bytes = 0;
  uint64_t payload_offset = 0;
  uint64_t payload_bytes = 0;
  Hash128 payload_hash = {};
  Hash128 head_hash = {};

  [[nodiscard]] PanelKey key() const {
    return {layout, model_bytes, model_changed_ns, model_print};
  }
};
static_assert(sizeof(PanelHeader) == PanelFile::kHeaderBytes);
inline constexpr size_t kHashedHeaderBytes = PanelFile::kHeaderBytes - sizeof(Hash128);

}  // namespace tenon::model
