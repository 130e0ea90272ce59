// A tokenizer.json that is read gives a text's bytes back wherever it can spell every byte.
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/text/text.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon::model;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tokenizer = ReadTokenizerJson(text, "fuzz.json");
  if (!tokenizer) {
    TENON_FUZZ_EXPECT(tokenizer.error().message.starts_with("fuzz.json: "));
    return 0;
  }
  std::bitset<256> spelled;  // the bytes that a token spells alone
  for (uint32_t id = 0; id < tokenizer->size(); ++id) {
    const std::string_view bytes = tokenizer->Bytes(tenon::TokenId{id});
    if (bytes.size() == 1) spelled.set(static_cast<uint8_t>(bytes[0]));
  }
  const std::string sample = "def the(x):\n  return 12 \xe2\x96\x81\xc3\xa4 \xff<s>";
  for (const std::string& text_to_encode : {sample, std::string(text.substr(0, 200))}) {
    const auto inside = tokenizer->Encode(text_to_encode, false);
    TENON_FUZZ_EXPECT(!spelled.all() || tokenizer->Decode(inside) == text_to_encode);
    for (const auto id : tokenizer->Encode(text_to_encode, true, TextPlace::kBeginning))
      TENON_FUZZ_EXPECT(id.value < tokenizer->size());
    TENON_FUZZ_EXPECT(tokenizer->SettledBytes(text_to_encode, {}) <= text_to_encode.size());
  }
  return 0;
}
