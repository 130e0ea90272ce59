#include "constraint/reading/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "constraint/characters/characters.h"
#include "constraint/reading/error_message.h"
#include "constraint/reading/text_reader.h"

namespace tenon::constraint {

CheckResult Check(const Language& language, std::string_view text, Strength strength,
                  PredicateBits levels) {
  if (language.encoding) {
    const auto declared = language.encoding->Find({text});
    if (declared && !declared->sound()) return {false, declared->offset_bytes, declared->WhyNot()};
  }
  TextReader reading(language, text, strength, levels);
  const TextReader::Stop stop = reading.Run();
  if (stop == TextReader::Stop::kAccepted) return {true, text.size(), ""};
  return ExplainStop(language, text, strength, reading, stop);
}

FileCheck CheckFile(const Language& language, std::string bytes, Strength strength,
                    PredicateBits levels) {
  const auto declared = language.encoding ? language.encoding->Find({bytes}) : std::nullopt;
  if (declared && declared->sound() && declared->charset->converter != EncodingRules::kUtf8) {
    const std::string& converter = declared->charset->converter;
    auto decoded = DecodeToUtf8(converter, bytes);
    if (!decoded) {
      const std::string missing = fmt::format(
          "this machine has no converter '{}' for the encoding '{}'", converter, declared->name);
      return {{false, declared->offset_bytes, missing}, std::move(bytes)};
    }
    if (decoded->wrong_at_bytes) {
      const uint8_t byte =
          static_cast<uint8_t>(bytes[std::min(*decoded->wrong_at_bytes, bytes.size() - 1)]);
      return {{false, decoded->text.size(),
               fmt::format("the byte 0x{:02x} begins no character of the encoding '{}'", byte,
                           declared->name)},
              std::move(decoded->text)};
    }
    bytes = std::move(decoded->text);
  }
  CheckResult result = Check(language, bytes, strength, levels);
  return {std::move(result), std::move(bytes)};
}

}  // namespace tenon::constraint
