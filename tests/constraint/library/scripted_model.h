// A model that writes what a test tells it, and notes what it is called with.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tenon/token_model.h"

namespace tenon {

class ScriptedModel : public TokenModel {
 public:
  // The logits after a text.
  using Script = std::function<std::vector<float>(const std::vector<TokenId>& text)>;
  explicit ScriptedModel(Script script) : script_(std::move(script)) {}

  std::span<const TokenId> tokens() const override { return text_; }
  Result<Logits> Append(std::span<const TokenId> tokens) override {
    if (text_.size() + tokens.size() > most_tokens)
      return tl::unexpected(Error{"scripted", 0, 0, "the context is full"});
    appended.emplace_back(tokens.begin(), tokens.end());
    text_.insert(text_.end(), tokens.begin(), tokens.end());
    logits_ = script_(text_);
    return Logits(logits_);
  }
  void Rewind(size_t n_tokens) override { text_.resize(forgets_all ? 0 : n_tokens); }

  std::vector<std::vector<TokenId>> appended;  // by each call
  size_t most_tokens = 10'000;
  bool forgets_all = false;  // at each Rewind

 private:
  Script script_;
  std::vector<TokenId> text_;
  std::vector<float> logits_;
};

}  // namespace tenon
