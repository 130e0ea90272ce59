// A value of a GGUF file's metadata, read: its type (u32), then its bytes.
//
// Example: the bytes `04 00 00 00`, `1e 00 00 00` are a u32, the number 30. An array names the
// type of its elements and their number: `09 00 00 00`, `08 00 00 00`, `02 00 00 00 00 00 00 00`,
// then two texts.
//
// Source: gguf.h. Where we differ, and what is refused: as gguf.h says. Inside the room only.
// Cost: linear in the value's bytes. An array is allocated after its length was compared with the
// bytes that are left. Thread rule: a pure function.
#pragma once

#include "model/file/byte_cursor.h"
#include "model/file/gguf.h"

namespace tenon::model {

// Any value where `in` has failed.
GgufValue ReadGgufValue(ByteCursor& in);

}  // namespace tenon::model
