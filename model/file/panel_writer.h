// Writes a panel file (panel_file.h): whole or not at all, and one writer at a time.
//
// The file is written under another name in the same folder, NAME.new, flushed to the disk, and
// then renamed. So a reader sees all of it or none. Who writes holds a lock of NAME.new; another
// process that finds it locked leaves the work to the first. A process that is killed amid writing
// leaves NAME.new, unlocked, and the next writer takes it over: there is never more than one.
//
// Example: two editors start with a model that has no panel file yet. Both lay it out; one writes,
// the other one is told kBusy.
//
// Cost: that of the disk: 1.2 GB for a model of 1.5 billion weights. Thread rule: any threads, any
// processes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tl/expected.hpp>

#include "model/file/panel_file.h"

namespace tenon::model {

struct PanelWriteFault {
  enum class Code : uint8_t {
    kBusy,     // another process writes the same file
    kNoSpace,  // the disk has too little space for it, and a reserve
    kNoWrite   // the folder or the file system does not take it
  };
  Code code = Code::kNoWrite;
  std::string message;  // names the file and the cause
};

// The file that is written under, before it has its name.
[[nodiscard]] std::string UnfinishedPanelFile(const std::string& path);

// Makes the folder where it is not there. The payload is the stretches in their order. Returns the
// bytes of the file. REQUIRES: stretches of a tensor agree about it, and come in ascending order;
// their bytes are a multiple of PanelFile::kStretchAlignment.
[[nodiscard]] tl::expected<uint64_t, PanelWriteFault> WritePanelFile(
    const std::string& path, const PanelKey& key, const std::string& model_path,
    std::span<const PanelStretch> stretches);

}  // namespace tenon::model
