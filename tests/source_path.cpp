#include "tests/source_path.h"

namespace tenon {

std::string SourcePath(std::string_view below) {
  return std::string(TENON_SOURCE_DIR "/").append(below);
}

std::string SyntaxesFolder() { return TENON_BUILT_SYNTAXES; }

}  // namespace tenon
