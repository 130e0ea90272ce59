#include "model/text/pre_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace tenon::model {
namespace {

// Unicode's White_Space, for use within [] of an expression.
#define TENON_SPACE \
  R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})"
// Numbers, for use within []; the ranges are those of Unicode 15 to 17, which PCRE2 10.42 does not
// know. The tokenizers that the models were trained with do; other new characters change no token.
#define TENON_NUMBER                                                                     \
  R"(\p{N}\x{10d40}-\x{10d49}\x{116d0}-\x{116e3}\x{11bf0}-\x{11bf9}\x{11de0}-\x{11de9})" \
  R"(\x{11f50}-\x{11f59}\x{16130}-\x{16139}\x{16d70}-\x{16d79}\x{16ff4}-\x{16ff6})"      \
  R"(\x{1ccf0}-\x{1ccf9}\x{1d2c0}-\x{1d2d3}\x{1e4f0}-\x{1e4f9}\x{1e5f1}-\x{1e5fa})"
#define TENON_TAIL "[" TENON_SPACE "]+(?![^" TENON_SPACE "])|[" TENON_SPACE "]+"
// The rest of the expressions of Llama 3 and Qwen 2, after the contractions.
#define TENON_WORDS_AND_LINES(digits)                                                             \
  R"([^\r\n\p{L})" TENON_NUMBER R"(]?\p{L}+|)" digits "| ?[^" TENON_SPACE R"(\p{L})" TENON_NUMBER \
  R"(]+[\r\n]*|[)" TENON_SPACE R"(]*[\r\n]+|)" TENON_TAIL

constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[)" TENON_NUMBER
                              R"(]+| ?[^)" TENON_SPACE R"(\p{L})" TENON_NUMBER "]+|" TENON_TAIL;
constexpr const char* kEachDigit = "[" TENON_NUMBER "]";
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|)" TENON_WORDS_AND_LINES("[" TENON_NUMBER "]");
constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|)" TENON_WORDS_AND_LINES("[" TENON_NUMBER "]{1,3}");

struct NamedPatterns {
  std::string_view name;
  std::vector<const char*> patterns;
};

const std::vector<NamedPatterns>& KnownPreTokenizers() {
  static const std::vector<NamedPatterns> kKnown = {
      {"gpt2", {kGpt2}},
      {"gpt-2", {kGpt2}},
      {"default", {kGpt2}},
      {"smollm", {kEachDigit, kGpt2}},
      {"starcoder", {kEachDigit, kGpt2}},
      {"refact", {kEachDigit, kGpt2}},
      {"codeshell", {kEachDigit, kGpt2}},
      {"command-r", {kEachDigit, kGpt2}},
      {"qwen2", {kQwen2}},
      {"deepseek-r1-qwen", {kQwen2}},
      {"llama-bpe", {kLlama3}},
      {"llama3", {kLlama3}},
      {"deepseek-coder",
       {R"([\r\n])", "[" TENON_SPACE R"(]?\p{L}+)", "[" TENON_SPACE R"(]?\p{P}+)",
        R"([\x{4e00}-\x{9fa5}\x{0800}-\x{4e00}\x{ac00}-\x{d7ff}]+)", kEachDigit}},
  };
  return kKnown;
}

struct CodeFree {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct MatchFree {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct LimitsFree {
  void operator()(pcre2_match_context* limits) const { pcre2_match_context_free(limits); }
};
using Code = std::unique_ptr<pcre2_code, CodeFree>;
using Match = std::unique_ptr<pcre2_match_data, MatchFree>;
using Limits = std::unique_ptr<pcre2_match_context, LimitsFree>;

// Real tokenizers have up to six expressions, whose matches take a few steps a byte.
constexpr size_t kMaxPatterns = 32;
constexpr size_t kMaxStepsOfByte = 32, kMaxStepsBeside = 10'000;
constexpr uint32_t kMaxHeapKib = 64 << 10;

// Of each match in a text of so many bytes.
Limits LimitsFor(size_t text_bytes) {
  Limits limits(pcre2_match_context_create(nullptr));
  if (!limits) throw std::bad_alloc();
  const size_t steps = kMaxStepsOfByte * text_bytes + kMaxStepsBeside;
  pcre2_set_match_limit(limits.get(), static_cast<uint32_t>(std::min<size_t>(steps, UINT32_MAX)));
  pcre2_set_heap_limit(limits.get(), kMaxHeapKib);
  return limits;
}

tl::unexpected<ModelError> RefusePattern(std::string_view pattern, std::string_view why) {
  return tl::unexpected(
      ModelError{ModelErrorCode::kUnsupported,
                 fmt::format("the expression {} of the pre-tokenizer {}", pattern, why)});
}

// The pattern with white space and numbers spelled out: \s, \S and \p{N}. Nothing where \S is
// within []: there it has no spelling.
std::optional<std::string> SpellClasses(std::string_view pattern) {
  constexpr std::string_view kNumber = R"(\p{N})";
  std::string spelled;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (pattern.substr(i).starts_with(kNumber)) {
      spelled += in_class ? TENON_NUMBER : "[" TENON_NUMBER "]";
      i += kNumber.size() - 1;
      continue;
    }
    if (c == '\\' && i + 1 < pattern.size()) {
      const char escaped = pattern[++i];
      if (escaped == 's') {
        spelled += in_class ? TENON_SPACE : "[" TENON_SPACE "]";
      } else if (escaped == 'S') {
        if (in_class) return std::nullopt;
        spelled += "[^" TENON_SPACE "]";
      } else {
        spelled += {c, escaped};
      }
      continue;
    }
    if (c == '[' && !in_class) {
      in_class = true;
    } else if (c == ']') {
      in_class = false;
    }
    spelled += c;
  }
  return spelled;
}

bool MayMatchNothing(const pcre2_code* code) {
  uint32_t empty = 0;
  return pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &empty) != 0 || empty != 0;
}

tl::expected<Code, ModelError> Compile(const char* pattern) {
  int number = 0;
  PCRE2_SIZE offset = 0;
  Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                          PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF, &number, &offset,
                          nullptr));
  if (!code) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported,
                   fmt::format("this PCRE2 refuses the expression {} at {}; PCRE2 10.34 or newer, "
                               "with Unicode, is needed",
                               pattern, offset)});
  }
  // Fails where PCRE2 has no JIT for this processor; pcre2_match then interprets the expression.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  return code;
}

int MatchAt(const pcre2_code* code, std::string_view text, size_t at, pcre2_match_data* match,
            pcre2_match_context* limits) {
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  int found = pcre2_match(code, subject, text.size(), at, 0, match, limits);
  // The JIT's stack is small; the interpreter takes what it needs from the heap.
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
    found = pcre2_match(code, subject, text.size(), at, PCRE2_NO_JIT, match, limits);
  }
  return found;
}

// Appends the parts of a piece. False: a match would have exceeded the limits, and the rest of the
// piece is one part.
bool SplitPiece(const pcre2_code* code, pcre2_match_context* limits, std::string_view piece,
                std::vector<std::string_view>& out) {
  const Match match(pcre2_match_data_create_from_pattern(code, nullptr));
  size_t done = 0;
  int found = 0;
  while (done < piece.size()) {
    found = MatchAt(code, piece, done, match.get(), limits);
    if (found < 0) break;
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.get());
    if (ends[1] <= ends[0]) break;
    if (ends[0] > done) out.push_back(piece.substr(done, ends[0] - done));
    out.push_back(piece.substr(ends[0], ends[1] - ends[0]));
    done = ends[1];
  }
  if (done < piece.size()) out.push_back(piece.substr(done));
  return found >= 0 || found == PCRE2_ERROR_NOMATCH;
}

}  // namespace

struct PreTokenizer::Patterns {
  std::vector<Code> codes;
};

PreTokenizer::PreTokenizer(std::unique_ptr<Patterns> patterns) : patterns_(std::move(patterns)) {}
PreTokenizer::~PreTokenizer() = default;
PreTokenizer::PreTokenizer(PreTokenizer&&) noexcept = default;
PreTokenizer& PreTokenizer::operator=(PreTokenizer&&) noexcept = default;

tl::expected<PreTokenizer, ModelError> PreTokenizer::ForName(std::string_view name) {
  for (const NamedPatterns& known : KnownPreTokenizers()) {
    if (known.name != name) continue;
    auto patterns = std::make_unique<Patterns>();
    for (const char* pattern : known.patterns) {
      auto code = Compile(pattern);
      if (!code) return tl::unexpected(code.error());
      patterns->codes.push_back(std::move(*code));
    }
    return PreTokenizer(std::move(patterns));
  }
  std::string names;
  for (const NamedPatterns& known : KnownPreTokenizers()) names += fmt::format(" {}", known.name);
  return tl::unexpected(
      ModelError{ModelErrorCode::kUnsupported,
                 fmt::format("pre-tokenizer '{}' (tokenizer.ggml.pre) is not known; take a model "
                             "with one of these:{}",
                             name, names)});
}

tl::expected<PreTokenizer, ModelError> PreTokenizer::ForPatterns(
    const std::vector<std::string>& patterns) {
  constexpr size_t kMaxPatternBytes = 4096;
  if (patterns.size() > kMaxPatterns) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported,
                   fmt::format("the pre-tokenizer has {} expressions, and at most {} are run",
                               patterns.size(), kMaxPatterns)});
  }
  auto compiled = std::make_unique<Patterns>();
  for (const std::string& pattern : patterns) {
    if (pattern.size() > kMaxPatternBytes)
      return RefusePattern(pattern.substr(0, 40) + "…",
                           fmt::format("is longer than {} bytes", kMaxPatternBytes));
    if (pattern.find('\0') != std::string::npos)
      return RefusePattern("with a NUL in it", "cannot be read");
    const auto spelled = SpellClasses(pattern);
    if (!spelled) return RefusePattern(pattern, "has \\S within []; write the white space out");
    auto code = Compile(spelled->c_str());
    if (!code) return tl::unexpected(code.error());
    if (MayMatchNothing(code->get()))
      return RefusePattern(pattern, "may match the empty text; it must cut something");
    compiled->codes.push_back(std::move(*code));
  }
  return PreTokenizer(std::move(compiled));
}

std::vector<std::string_view> PreTokenizer::Split(std::string_view text) const {
  std::vector<std::string_view> pieces;
  if (!text.empty()) pieces.push_back(text);
  const Limits limits = LimitsFor(text.size());
  for (const Code& code : patterns_->codes) {
    std::vector<std::string_view> finer;
    finer.reserve(pieces.size() * 2);
    bool goes_on = true;  // an expression that exceeds its limits once cuts no more
    for (const std::string_view piece : pieces) {
      if (goes_on)
        goes_on = SplitPiece(code.get(), limits.get(), piece, finer);
      else
        finer.push_back(piece);
    }
    pieces = std::move(finer);
  }
  return pieces;
}

}  // namespace tenon::model
