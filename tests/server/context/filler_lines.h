// Lines that share no word with any other, for tests of which stretches a prompt shows.
//
// Example: FillerLines("far", 2) is "far0 = 1\nfar1 = 1\n". Thread rule: a pure function.
#pragma once

#include <string>

namespace tenon::server {

inline std::string FillerLines(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word + std::to_string(i) + " = 1\n";
  return text;
}

}  // namespace tenon::server
