// A question about a place in a text, which a test writes as `|`. Example:
//
//   EXPECT_TRUE(At("class A extends B\n|{\n", GoesOnWithBrace));
//
// Thread rule: one thread.
#pragma once

#include <string>

namespace tenon::server {

// What `question` says of the text without the `|`, and of the offset where it stood.
template <typename Question>
auto At(std::string text, Question question) {
  const size_t offset = text.find('|');
  text.erase(offset, 1);
  return question(text, offset);
}

}  // namespace tenon::server
