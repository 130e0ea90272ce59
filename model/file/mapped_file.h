// A file mapped into memory: its bytes without a copy. Processes that map the same file share the
// memory.
//
// Example: MapFile("m.gguf", "name a GGUF file") has the bytes of m.gguf; a missing file gives the
// error "m.gguf: cannot be opened: No such file or directory; name a GGUF file".
//
// Who maps a file must not write to it meanwhile: bytes that change, or a file that gets shorter,
// are the operating system's to punish (SIGBUS).
// Source: mmap(2). Cost: the pages are read when they are first used.
// Thread rule: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"

namespace tenon::model {

struct MappedFile {
  // Keeps the bytes; the last copy unmaps them.
  std::shared_ptr<const void> mapping;
  std::span<const std::byte> bytes;
  int64_t changed_ns = 0;  // since 1970: when the file was written to last
};

// Errors: kFile, the path cannot be opened or mapped, or is no file with content; the message ends
// with the remedy.
tl::expected<MappedFile, ModelError> MapFile(const std::string& path, std::string_view remedy);
// Takes the pages of some bytes of a mapping out of this process's memory; they are read again
// where they are used again.
void ForgetMappedPages(std::span<const std::byte> bytes);
// Has the system read these bytes of a mapping from the disk, where it has not yet; returns before
// they are all there, or as the system likes.
void ReadAheadOfMapping(std::span<const std::byte> bytes);

}  // namespace tenon::model
