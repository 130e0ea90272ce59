#include "model/text/hugging_face_tokenizer.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/text/open_tokenizer.h"

namespace tenon::model {
namespace {

constexpr const char* kJson = "tokenizer.json";
constexpr const char* kSentencepiece = "tokenizer.model";

// One id or a list of them. Ids that no vocabulary has are left out.
std::vector<TokenId> IdsOf(const JsonValues& values, std::string_view name) {
  std::vector<int64_t> numbers;
  if (const auto one = values.Integer(name)) numbers.push_back(*one);
  if (const auto* list = values.Integers(name)) numbers = *list;
  std::vector<TokenId> ids;
  for (const int64_t number : numbers) {
    if (number >= 0 && number < std::numeric_limits<int32_t>::max())
      ids.push_back(TokenId{static_cast<uint32_t>(number)});
  }
  return ids;
}

ToldEnds EndsOf(const HuggingFaceFolder& folder) {
  ToldEnds ends;
  ends.also_end = IdsOf(folder.generation_config(), "eos_token_id");
  if (ends.also_end.empty()) ends.also_end = IdsOf(folder.config(), "eos_token_id");
  if (!ends.also_end.empty()) ends.eos = ends.also_end.front();
  std::vector<TokenId> bos = IdsOf(folder.generation_config(), "bos_token_id");
  if (bos.empty()) bos = IdsOf(folder.config(), "bos_token_id");
  if (!bos.empty()) ends.bos = bos.front();
  ends.add_bos = folder.tokenizer_config().Bool("add_bos_token");
  return ends;
}

// Each id must be a token.
tl::expected<Tokenizer, ModelError> Checked(tl::expected<Tokenizer, ModelError> tokenizer,
                                            const HuggingFaceFolder& folder) {
  if (!tokenizer) return tokenizer;
  const auto check = [&](TokenId id, const char* key) -> tl::expected<void, ModelError> {
    if (id.value < tokenizer->size()) return {};
    return tl::unexpected(ModelError{
        ModelErrorCode::kFormat,
        fmt::format("{}: its tokens are {}, and {} of generation_config.json or config.json is {}; "
                    "take all files from the same model",
                    folder.path(), tokenizer->size(), key, id.value)});
  };
  for (const TokenId end : tokenizer->end_tokens()) {
    if (auto fine = check(end, "eos_token_id"); !fine) return tl::unexpected(fine.error());
  }
  if (const auto bos = tokenizer->bos()) {
    if (auto fine = check(*bos, "bos_token_id"); !fine) return tl::unexpected(fine.error());
  }
  return tokenizer;
}

}  // namespace

tl::expected<Tokenizer, ModelError> OpenTokenizerOf(const HuggingFaceFolder& folder) {
  const bool json = folder.HasFile(kJson);
  if (!json && !folder.HasFile(kSentencepiece)) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFile,
                   fmt::format("{}: the folder has neither {} nor {}; fetch the model's tokenizer "
                               "into it",
                               folder.path(), kJson, kSentencepiece)});
  }
  ToldEnds ends = EndsOf(folder);
  // As transformers does where a tokenizer.model alone is there.
  if (!json && !ends.add_bos) ends.add_bos = true;
  return Checked(OpenTokenizer(folder.PathOf(json ? kJson : kSentencepiece), ends), folder);
}

}  // namespace tenon::model
