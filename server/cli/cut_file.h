// A file and the gap in it that a user names: `FILE --at A-B`.
//
// Example: for a file `[1, 2]`, "4-5" gives the text and the cut of its `2`. "9" is refused:
// "a.json: --at 9 lies after the end of the text, which has 6 bytes".
// Cost: the file is held whole. Thread rule: a pure function of the file system.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "server/cli/cut.h"
#include "server/invocation/invocation.h"

namespace tenon::server {

struct CutFile {
  std::string text;
  Cut cut;  // a stretch of `text`

  // What is left and right of the cut. Both refer to `text`.
  [[nodiscard]] Contexts contexts() const { return *TakeOut(cut, text); }
};

// `at`: "A" or "A-B", byte offsets. The fault is wrong usage where the file has no such stretch.
[[nodiscard]] tl::expected<CutFile, OptionFault> ReadCutFile(const std::string& path,
                                                             const std::string& at);

}  // namespace tenon::server
