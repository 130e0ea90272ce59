#include "constraint/grammar/charset_name.h"

namespace tenon::constraint {

std::string PlainCharsetName(std::string_view name) {
  std::string plain;
  bool parted = false;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c |= 0x20;
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) {
      parted = !plain.empty();
      continue;
    }
    if (parted) plain += '_';
    parted = false;
    plain += c;
  }
  return plain;
}

}  // namespace tenon::constraint
