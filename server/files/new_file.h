// A file of the user's own that this process writes from its beginning: a session record, a trace.
//
// It may hold texts of the user's documents. So it is made with the mode 0600, and nobody else can
// open it at any moment; a file that is there already gets this mode before it is emptied.
// Example: the disk is full after 2 GB of records. The fault is told once, nothing more is written,
// and the server goes on.
//
// Source: open(2), fchmod(2). Cost: a system call a piece. Thread rule: one thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "server/files/file_descriptor.h"

namespace tenon::server {

class NewFile {
 public:
  // Hears why the file cannot be written any more; may be empty.
  using OnFault = std::function<void(const std::string& fault)>;

  // Begins a new file in place of one of that name. The error names the file, its fault, and as the
  // remedy `option`, which named the file.
  [[nodiscard]] static tl::expected<NewFile, std::string> Begin(const std::filesystem::path& path,
                                                                std::string_view option,
                                                                OnFault on_fault);
  // After a fault nothing is written.
  void Write(std::string_view text);

 private:
  NewFile(FileDescriptor file, std::string path, OnFault on_fault)
      : file_(std::move(file)), path_(std::move(path)), on_fault_(std::move(on_fault)) {}

  FileDescriptor file_;  // not open after a fault
  std::string path_;
  OnFault on_fault_;
};

}  // namespace tenon::server
