// Completes a gap by a model of the program's own, through the interface that any engine fits.
//
//   complete_gap GRAMMAR LEFT RIGHT
//
// The model is small and has no weights: it continues a text as the longest stretch like the text's
// end was continued earlier. With the JSON grammar, `{"a": [1, 2], "b": [1, ` on the left and `]}`
// on the right it prints
//   {"a": [1, 2], "b": [1, 2]}
// examples/llama_cpp does the same with a real model.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.h>

constexpr size_t kMostTokens = 4096;
constexpr tenon::TokenId kEnd{256};  // the other tokens are the bytes

// [TokenId] The bytes of each token.
std::vector<std::string> ByteTokens() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  tokens.emplace_back();  // the end token writes nothing
  return tokens;
}

std::vector<tenon::TokenId> Encode(std::string_view text) {
  std::vector<tenon::TokenId> tokens;
  for (const char byte : text) tokens.push_back({static_cast<uint8_t>(byte)});
  return tokens;
}

class RepeatingModel : public tenon::TokenModel {
 public:
  std::span<const tenon::TokenId> tokens() const override { return text_; }

  tenon::Result<Logits> Append(std::span<const tenon::TokenId> tokens) override {
    if (text_.size() + tokens.size() > kMostTokens)
      return tl::unexpected(tenon::Error{"the model", 0, 0, "the text is too long for it"});
    text_.insert(text_.end(), tokens.begin(), tokens.end());
    // A token is as likely as the stretch is long that it followed and that ends the text.
    logits_.assign(kEnd.value + 1, 0);
    for (size_t at = 1; at < text_.size(); ++at) {
      const auto before = std::make_reverse_iterator(text_.begin() + static_cast<ptrdiff_t>(at));
      const auto alike = std::mismatch(before, text_.rend(), text_.rbegin()).first - before;
      float& logit = logits_[text_[at].value];
      logit = std::max(logit, static_cast<float>(alike));
    }
    logits_[kEnd.value] = 0.5f;  // it ends a text that is like no other
    return Logits(logits_);
  }

  void Rewind(size_t n_tokens) override { text_.resize(n_tokens); }

 private:
  std::vector<tenon::TokenId> text_;
  std::vector<float> logits_;
};

int main(int argc, char** argv) {
  if (argc != 4 || argv[2][0] == '\0') {
    std::cerr << "usage: complete_gap GRAMMAR LEFT RIGHT, and LEFT is not empty\n";
    return 2;
  }
  const tenon::Result<tenon::Language> language = tenon::Language::FromFile(argv[1]);
  if (!language) {
    std::cerr << language.error().ToString() << "\n";
    return 2;
  }
  const std::string left = argv[2], right = argv[3];
  tenon::Masker masker(tenon::MaskStore::Build(*language, tenon::Vocabulary(ByteTokens())));
  const tenon::Gap gap = tenon::Gap::Open(*language, left, right);
  RepeatingModel model;
  const auto done = tenon::Complete(model, Encode(left), gap, masker, {64, {kEnd}});
  if (!done) {
    std::cerr << done.error().ToString() << "\n";
    return 2;
  }
  if (!*done) {
    std::cerr << "no text of 64 bytes fits between these two\n";
    return 1;
  }
  std::cout << left << (*done)->middle << right << "\n";
}
