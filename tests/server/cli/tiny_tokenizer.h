// A vocabulary of all bytes and a few words, as a tokenizer.json.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tenon::server {

inline std::string TinyTokenizer() {
  using nlohmann::json;
  json vocabulary = json::object();
  for (int byte = 0; byte < 256; ++byte) {
    // GPT-2's alphabet: printable bytes stand for themselves, the others for U+0100 and on.
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    const int code = printable ? byte
                               : 256 + (byte < 33     ? byte
                                        : byte == 173 ? 67
                                                      : byte - 127 + 33);
    std::string text;
    if (code < 128) {
      text.push_back(static_cast<char>(code));
    } else {
      text.push_back(static_cast<char>(0xc0 | code >> 6));
      text.push_back(static_cast<char>(0x80 | (code & 63)));
    }
    vocabulary[text] = byte;
  }
  vocabulary["tr"] = 256;
  vocabulary["ue"] = 257;
  return json{{"pre_tokenizer", {{"type", "ByteLevel"}, {"use_regex", true}}},
              {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"t r", "u e"}}}}}
      .dump();
}

}  // namespace tenon::server
