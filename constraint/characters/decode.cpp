#include "constraint/characters/decode.h"

#include <cerrno>

#include <array>

#include <iconv.h>

namespace tenon::constraint {

std::optional<Decoded> DecodeToUtf8(const std::string& converter, std::string_view bytes) {
  const iconv_t handle = iconv_open("UTF-8", converter.c_str());
  if (handle == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  Decoded decoded;
  std::array<char, 1 << 14> piece;
  char* from = const_cast<char*>(bytes.data());  // iconv writes nothing there
  size_t left = bytes.size();
  // The last call, without input, gives the characters that the converter has kept back.
  for (bool last = false;;) {
    char* to = piece.data();
    size_t room = piece.size();
    const size_t result = last ? iconv(handle, nullptr, nullptr, &to, &room)
                               : iconv(handle, &from, &left, &to, &room);
    const int error = result == static_cast<size_t>(-1) ? errno : 0;
    decoded.text.append(piece.data(), to);
    if (error == E2BIG) continue;
    if (error != 0) decoded.wrong_at_bytes = bytes.size() - left;
    if (error != 0 || last) break;
    last = true;
  }
  iconv_close(handle);
  return decoded;
}

}  // namespace tenon::constraint
