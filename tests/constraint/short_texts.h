// Every short text of an alphabet, for tests that try them all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::constraint {

// Those of at most `longest` bytes, the shorter ones first, the empty one among them.
inline std::vector<std::string> ShortTexts(std::string_view alphabet, size_t longest) {
  std::vector<std::string> all{""};
  for (size_t length = 0, begin = 0; length < longest; ++length) {
    for (const size_t end = all.size(); begin < end; ++begin) {
      for (const char c : alphabet) all.push_back(all[begin] + c);
    }
  }
  return all;
}

}  // namespace tenon::constraint
