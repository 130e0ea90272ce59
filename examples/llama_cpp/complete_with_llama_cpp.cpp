// Completes a gap by a model that llama.cpp's library runs; tenon's masks see to it that it fits.
//
//   complete_with_llama_cpp MODEL.gguf GRAMMAR LEFT RIGHT
//
// The model was trained to fill gaps: its file names the markers of such prompts.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <ggml-backend.h>
#include <llama.h>
#include <tenon/tenon.h>

constexpr uint32_t kContextTokens = 2048, kBatchTokens = 512;
constexpr uint32_t kMostTokens = 32;

struct Free {
  void operator()(llama_model* model) const { llama_model_free(model); }
  void operator()(llama_context* context) const { llama_free(context); }
};
using ModelFile = std::unique_ptr<llama_model, Free>;

// The bytes that a token writes; none of a control token.
std::string BytesOf(const llama_vocab* vocabulary, llama_token token) {
  std::string bytes(64, '\0');
  for (;;) {
    const int32_t size = llama_token_to_piece(vocabulary, token, bytes.data(),
                                              static_cast<int32_t>(bytes.size()), 0, false);
    bytes.resize(static_cast<size_t>(size < 0 ? -size : size));
    if (size >= 0) return bytes;
  }
}

// The tokens of a text. `has_markers`: names of control tokens in it are these tokens.
std::vector<tenon::TokenId> Encode(const llama_vocab* vocabulary, std::string_view text,
                                   bool has_markers) {
  std::vector<llama_token> ids(text.size() + 8);
  const int32_t count = llama_tokenize(vocabulary, text.data(), static_cast<int32_t>(text.size()),
                                       ids.data(), static_cast<int32_t>(ids.size()),
                                       /*add_special=*/false, has_markers);
  ids.resize(static_cast<size_t>(std::max(count, 0)));
  std::vector<tenon::TokenId> tokens;
  for (const llama_token id : ids) tokens.push_back({static_cast<uint32_t>(id)});
  return tokens;
}

// A model that tenon drives: llama.cpp's keys and values of one text.
class LlamaCppModel : public tenon::TokenModel {
 public:
  explicit LlamaCppModel(llama_model* model)
      : vocabulary_(llama_model_get_vocab(model)),
        context_(llama_init_from_model(model, Sizes())) {}
  bool is_ready() const { return context_ != nullptr; }

  std::span<const tenon::TokenId> tokens() const override { return text_; }

  tenon::Result<Logits> Append(std::span<const tenon::TokenId> tokens) override {
    if (text_.size() + tokens.size() > kContextTokens) return Failed("the text is too long for it");
    for (size_t at = 0; at < tokens.size(); at += kBatchTokens) {
      const auto part = tokens.subspan(at, std::min<size_t>(kBatchTokens, tokens.size() - at));
      std::vector<llama_token> ids;
      for (const tenon::TokenId token : part) ids.push_back(static_cast<llama_token>(token.value));
      const auto count = static_cast<int32_t>(ids.size());
      if (llama_decode(context_.get(), llama_batch_get_one(ids.data(), count)) != 0)
        return Failed("llama_decode could not compute the tokens");
      text_.insert(text_.end(), part.begin(), part.end());
    }
    const float* logits = llama_get_logits_ith(context_.get(), -1);  // after the last token
    if (logits == nullptr) return Failed("llama.cpp gave no logits");
    return Logits(logits, static_cast<size_t>(llama_vocab_n_tokens(vocabulary_)));
  }

  void Rewind(size_t n_tokens) override {
    llama_memory_t memory = llama_get_memory(context_.get());
    // Recurrent models cannot forget a part of their text.
    if (!llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(n_tokens), -1)) {
      llama_memory_clear(memory, true);
      n_tokens = 0;
    }
    text_.resize(n_tokens);
  }

 private:
  static llama_context_params Sizes() {
    llama_context_params sizes = llama_context_default_params();
    sizes.n_ctx = kContextTokens;
    sizes.n_batch = kBatchTokens;
    // Its threads wait for each other at every step: each needs a core of its own.
    const auto threads = static_cast<int32_t>(std::thread::hardware_concurrency() / 2);
    sizes.n_threads = sizes.n_threads_batch = std::max(threads, 1);
    return sizes;
  }
  static tl::unexpected<tenon::Error> Failed(const char* what) {
    return tl::unexpected(tenon::Error{"the model", 0, 0, what});
  }
  const llama_vocab* vocabulary_;
  std::unique_ptr<llama_context, Free> context_;
  std::vector<tenon::TokenId> text_;
};

// The prompt's template: the file's own, else the markers that its metadata names; empty: it has
// neither.
std::string TemplateOf(const llama_model* model) {
  std::string own(256, '\0');
  const int32_t size =
      llama_model_meta_val_str(model, "tenon.fim.template", own.data(), own.size());
  if (size >= 0) return own.substr(0, static_cast<size_t>(size));
  const llama_vocab* vocabulary = llama_model_get_vocab(model);
  const auto name = [&](llama_token token) -> std::string {
    const char* text =
        token == LLAMA_TOKEN_NULL ? nullptr : llama_vocab_get_text(vocabulary, token);
    return text == nullptr ? "" : text;
  };
  const std::string left = name(llama_vocab_fim_pre(vocabulary));
  const std::string right = name(llama_vocab_fim_suf(vocabulary));
  const std::string middle = name(llama_vocab_fim_mid(vocabulary));
  if (left.empty() || right.empty() || middle.empty()) return "";
  return left + "{prefix}" + right + "{suffix}" + middle;
}

// Both contexts in the template. No text of theirs acts as a marker.
std::vector<tenon::TokenId> PromptOf(const llama_vocab* vocabulary, std::string_view layout,
                                     std::string_view left, std::string_view right) {
  std::vector<tenon::TokenId> prompt;
  const auto add = [&](std::string_view text, bool has_markers) {
    const auto tokens = Encode(vocabulary, text, has_markers);
    prompt.insert(prompt.end(), tokens.begin(), tokens.end());
  };
  const std::pair<std::string_view, std::string_view> slots[] = {
      {"{prefix}", left}, {"{suffix}", right}, {"{name}", "file.py"}};
  while (!layout.empty()) {
    const auto* slot = std::find_if(std::begin(slots), std::end(slots), [&](const auto& one) {
      return layout.substr(0, one.first.size()) == one.first;
    });
    if (slot != std::end(slots)) {
      add(slot->second, false);
      layout.remove_prefix(slot->first.size());
    } else {
      const std::string_view markers = layout.substr(0, layout.find('{', 1));
      add(markers, true);
      layout.remove_prefix(markers.size());
    }
  }
  return prompt;
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: complete_with_llama_cpp MODEL.gguf GRAMMAR LEFT RIGHT\n";
    return 2;
  }
  const std::string left = argv[3], right = argv[4];
  const tenon::Result<tenon::Language> language = tenon::Language::FromFile(argv[2]);
  if (!language) {
    std::cerr << language.error().ToString() << "\n";
    return 2;
  }

  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  ggml_backend_load_all_from_path(GGML_BACKENDS);
  const ModelFile file(llama_model_load_from_file(argv[1], llama_model_default_params()));
  const std::string layout = file ? TemplateOf(file.get()) : "";
  if (layout.empty()) {
    std::cerr << argv[1] << (file ? ": has no markers of gaps" : ": llama.cpp cannot read it")
              << "; take a model for filling gaps\n";
    return 2;
  }
  LlamaCppModel model(file.get());
  if (!model.is_ready()) {
    std::cerr << argv[1] << ": llama.cpp has no room for " << kContextTokens << " tokens\n";
    return 2;
  }

  // [TokenId] The bytes of each token, and the tokens that end a text.
  const llama_vocab* vocabulary = llama_model_get_vocab(file.get());
  std::vector<std::string> tokens;
  tenon::CompleteOptions options{kMostTokens};
  for (llama_token id = 0; id < llama_vocab_n_tokens(vocabulary); ++id) {
    tokens.push_back(BytesOf(vocabulary, id));
    if (llama_vocab_is_eog(vocabulary, id))
      options.end_tokens.push_back({static_cast<uint32_t>(id)});
  }
  tenon::Masker masker(tenon::MaskStore::Build(*language, tenon::Vocabulary(tokens)));

  tenon::GapOptions counted;  // closing texts are counted in the model's tokens
  counted.count = [vocabulary](std::string_view text) {
    return static_cast<uint32_t>(Encode(vocabulary, text, false).size());
  };
  const tenon::Gap gap = tenon::Gap::Open(*language, left, right, counted);
  const auto prompt = PromptOf(vocabulary, layout, left, right);
  const auto done = tenon::Complete(model, prompt, gap, masker, options);
  if (!done) {
    std::cerr << done.error().ToString() << "\n";
    return 2;
  }
  if (!*done) {
    std::cerr << "no text of " << kMostTokens << " tokens fits between these two\n";
    return 1;
  }
  std::cout << left << (*done)->middle << right << "\n";
}
