// Two experiments with masks on real files, after Tran-Thien, Fast, High-Fidelity LLM Decoding with
// Regex Constraints (2024):
//
//   tokens      every token of a file that tenon would write itself is in the mask at its place,
//               and its end is accepted
//   positions   the masks of a store that is streamlined and of one that is not are the same: along
//               files without a right context, and
//               in windows cut out of files, with what follows as the right context. There is also
//               counted at how many of them the grammar leaves a single continuation
//               (constraint/closing/forced_text.h), and its bytes
//
// Usage: mask_experiment GRAMMAR TOKENIZER TOKENS POSITIONS SUFFIX PATH...
// PATH: a file, or a folder that is searched for *SUFFIX.
// TOKENIZER: a GGUF file or a tokenizer.json; `small`: that of the small model. TOKENS and
// POSITIONS (of each of the two kinds) are how many are wanted; fewer are a failure, as is a token
// that is refused or a mask that differs. One JSON object says what was found. Files come in a
// random order from a fixed seed.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "constraint/closing/forced_text.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/masker.h"
#include "constraint/reading/reading.h"
#include "model/text/text.h"
#include "tests/model/small_model.h"
#include "tests/token_ids.h"

namespace tenon::grammars {
namespace {

using constraint::GapState;
using constraint::Masker;
using constraint::MaskStore;
using constraint::TokenMask;
using constraint::TokenVocabulary;

constexpr size_t kMaxFileBytes = 300000;
constexpr size_t kWindowTokens = 60;
constexpr size_t kMaxRightBytes = 20000;
constexpr size_t kMaxForcedBytes = 64;
constexpr unsigned kSeed = 20261121;

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// A file as tokens: [i, i + 1) of begins are the bytes of token i; one more at the end.
struct Tokens {
  std::string text;
  std::vector<TokenId> ids;
  std::vector<size_t> begins;

  std::string_view Before(size_t token) const {
    return std::string_view(text).substr(0, begins[token]);
  }
  std::string_view From(size_t token) const {
    return std::string_view(text).substr(begins[token], kMaxRightBytes);
  }
};

class Experiment {
 public:
  Experiment(std::shared_ptr<const constraint::Language> language, model::Tokenizer tokenizer,
             size_t tokens, size_t positions)
      : language_(std::move(language)),
        tokenizer_(std::move(tokenizer)),
        tokens_(tokens),
        positions_(positions) {
    std::vector<std::string> bytes;
    for (const TokenId t : AllTokens(tokenizer_.size()))
      bytes.emplace_back(tokenizer_.IsControl(t) ? std::string_view() : tokenizer_.Bytes(t));
    const auto vocabulary = std::make_shared<const TokenVocabulary>(bytes);
    streamlined_ = MaskStore::Build(language_, vocabulary);
    plain_ = MaskStore::Build(language_, vocabulary, {.interchangeable = false, .by_state = false});
  }

  bool Done() const { return allowed_ >= tokens_ && left_ >= positions_ && both_ >= positions_; }

  void Read(const std::filesystem::path& path) {
    Tokens file{ReadAll(path), {}, {}};
    if (file.text.size() > kMaxFileBytes ||
        !Check(*language_, file.text, constraint::Strength::kAccept).valid)
      return;
    size_t at = 0;
    for (const TokenId token : tokenizer_.Encode(file.text, false)) {
      file.begins.push_back(at);
      file.ids.push_back(token);
      at += tokenizer_.Bytes(token).size();
    }
    file.begins.push_back(at);
    if (at != file.text.size()) return;  // the vocabulary lacks a byte
    place_ = path.string();
    if (allowed_ < tokens_ && Check(*language_, file.text, constraint::Strength::kEmit).valid)
      ReplayWhole(file);
    for (size_t window = 0; window < file.ids.size(); window += kWindowTokens) {
      const size_t end = std::min(file.ids.size(), window + kWindowTokens);
      if (left_ < positions_) left_ += Compare(file, window, end, "");
      if (both_ < positions_ && random_() % 4 == 0) {
        // A cut that ends inside what it began can be closed by nothing that tenon writes.
        const size_t last = std::min(end, window + 1 + random_() % kWindowTokens);
        both_ += Compare(file, window, last, file.From(last));
      }
    }
  }

  int Report() const {
    std::cout << nlohmann::json{{"files", files_},
                                {"tokens_allowed", allowed_},
                                {"tokens_refused", refused_},
                                {"ends_refused", ends_refused_},
                                {"positions_left", left_},
                                {"positions_both", both_},
                                {"masks_different", different_},
                                {"positions_forced", forced_},
                                {"bytes_forced", forced_bytes_}}
                     .dump()
              << std::endl;
    return Done() && refused_ + ends_refused_ + different_ == 0 ? 0 : 1;
  }

 private:
  void Complain(const std::string& what, const GapState& state) const {
    const std::string& middle = state.middle();
    std::cerr << place_ << ": " << what << " behind ["
              << middle.substr(middle.size() - std::min<size_t>(middle.size(), 60)) << "]\n";
  }

  void ReplayWhole(const Tokens& file) {
    ++files_;
    GapState state = OpenGap(language_, "", "", {});
    Masker masker(streamlined_, state);
    for (const TokenId token : file.ids) {
      if (!masker.Of(state).Allows(token)) {
        ++refused_;
        return Complain("the mask lacks [" + std::string(tokenizer_.Bytes(token)) + "]", state);
      }
      ++allowed_;
      if (!state.Accept(tokenizer_.Bytes(token))) {
        ++refused_;
        return Complain(
            "the gap refuses [" + std::string(tokenizer_.Bytes(token)) + "] of the mask", state);
      }
    }
    if (state.Member()) return;
    ++ends_refused_;
    Complain("the end is refused", state);
  }

  // How many positions were compared. What tenon would not write itself ends the window.
  size_t Compare(const Tokens& file, size_t begin, size_t end, std::string_view right) {
    GapState state = OpenGap(language_, file.Before(begin), right, {});
    if (!state.viable()) return 0;
    Masker first(streamlined_, state), second(plain_, state);
    size_t compared = 0;
    for (size_t i = begin; i < end; ++i) {
      const TokenMask mask = first.Of(state);
      ++compared;
      if (mask != second.Of(state)) {
        ++different_;
        Complain("the masks differ", state);
      }
      const size_t forced = constraint::ForcedText(state, kMaxForcedBytes).size();
      forced_ += forced > 0;
      forced_bytes_ += forced;
      if (!state.Accept(tokenizer_.Bytes(file.ids[i]))) break;
    }
    return compared;
  }

  std::shared_ptr<const constraint::Language> language_;
  model::Tokenizer tokenizer_;
  size_t tokens_, positions_;
  std::shared_ptr<const MaskStore> streamlined_, plain_;
  std::mt19937 random_{kSeed};
  std::string place_;  // the file at hand
  size_t files_ = 0, allowed_ = 0, refused_ = 0, ends_refused_ = 0, left_ = 0, both_ = 0,
         different_ = 0;
  size_t forced_ = 0, forced_bytes_ = 0;
};

std::vector<std::filesystem::path> FilesOf(const std::vector<std::string>& paths,
                                           const std::string& suffix) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().native().ends_with(suffix))
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::shuffle(files.begin(), files.end(), std::mt19937(kSeed));
  return files;
}

int Run(const std::vector<std::string>& arguments) {
  size_t tokens = 0, positions = 0;
  const auto number = [](const std::string& digits, size_t& value) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
  };
  if (arguments.size() < 6 || !number(arguments[2], tokens) || !number(arguments[3], positions)) {
    std::cerr << "usage: mask_experiment GRAMMAR TOKENIZER TOKENS POSITIONS SUFFIX PATH...\n";
    return 2;
  }
  const auto language = constraint::Language::Compile(ReadAll(arguments[0]), arguments[0]);
  if (!language) {
    std::cerr << language.error().ToString() << '\n';
    return 1;
  }
  auto tokenizer =
      model::OpenTokenizer(arguments[1] == "small" ? model::SmallModelPath() : arguments[1]);
  if (!tokenizer) {
    std::cerr << tokenizer.error().message << '\n';
    return 1;
  }
  Experiment experiment(*language, *std::move(tokenizer), tokens, positions);
  for (const auto& file : FilesOf({arguments.begin() + 5, arguments.end()}, arguments[4])) {
    if (experiment.Done()) break;
    experiment.Read(file);
  }
  return experiment.Report();
}

}  // namespace
}  // namespace tenon::grammars

int main(int argc, char** argv) { return tenon::grammars::Run({argv + 1, argv + argc}); }
