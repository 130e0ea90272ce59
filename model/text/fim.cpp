#include "model/text/fim.h"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::model {
namespace {

constexpr const char* kNoTraining = "right-context-first";

size_t LineStartAtOrAfter(std::string_view text, size_t from) {
  if (from == 0 || from > text.size() || text[from - 1] == '\n') return from;
  const size_t newline = text.find('\n', from);
  return newline == std::string_view::npos ? std::string_view::npos : newline + 1;
}

bool ContinuesCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The token before each file of a repository, where the template has no other use for it.
std::optional<TokenId> FileSeparator(std::string_view fim_template, const Tokenizer& tokenizer) {
  for (const std::string separator : {"<|file_sep|>", "<file_sep>"}) {
    const bool is_marker = fim_template.find(separator) != std::string_view::npos &&
                           fim_template.find(separator + "{name}") == std::string_view::npos;
    if (const auto id = tokenizer.FindSpecial(separator); id && !is_marker) return id;
  }
  return std::nullopt;
}

// Is the token one that no text of a user becomes, or of newlines alone?
bool IsMarkerOrNewlines(TokenId id, const Tokenizer& tokenizer) {
  const std::string_view bytes = tokenizer.Bytes(id);
  const bool newlines = !bytes.empty() && bytes.find_first_not_of('\n') == bytes.npos;
  return newlines || tokenizer.IsControl(id) || tokenizer.FindSpecial(tokenizer.Name(id)) == id;
}

// The beginning of the left window moves by a quarter of the window's size at a time.
constexpr size_t kStepsOfWindow = 4;
// The next smaller window for a prompt that is over budget.
size_t Shrunk(size_t bytes) { return bytes * 3 / 4; }

}  // namespace

bool IsOneOf(TokenId token, const std::vector<TokenId>& tokens) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// A model has such a format if its vocabulary has every marker of the template.
const std::vector<KnownFimFormat>& KnownFimFormats() {
  static const std::vector<KnownFimFormat> kKnown = {
      // CodeGemma has the same markers with other end tokens, so the end tokens of both are here.
      {"qwen2.5-coder",
       "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
       {"<|endoftext|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<|file_separator|>",
        "<eos>"}},
      {"starcoder",
       "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
       {"<|endoftext|>", "<file_sep>", "<fim_pad>"}},
      {"santacoder", "<fim-prefix>{prefix}<fim-suffix>{suffix}<fim-middle>", {"<|endoftext|>"}},
      {"deepseek-coder",
       "<｜fim▁begin｜>{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
       {"<｜end▁of▁sentence｜>", "<|EOT|>"}},
      {"codellama", "▁<PRE>{prefix}▁<SUF>{suffix}▁<MID>", {"▁<EOT>", "</s>"}},
  };
  return kKnown;
}

std::string_view LeftWindow(std::string_view left, size_t max_bytes) {
  if (left.size() <= max_bytes) return left;
  const size_t step = std::max<size_t>(1, max_bytes / kStepsOfWindow);
  const size_t earliest = std::min(left.size(), (left.size() - max_bytes + step - 1) / step * step);
  size_t begin = LineStartAtOrAfter(left, earliest);
  // A long line would take the larger part of the window: it is cut.
  if (begin == std::string_view::npos || begin > left.size() - max_bytes / 2) {
    begin = earliest;
    while (begin < left.size() && ContinuesCodePoint(left[begin])) ++begin;
  }
  return left.substr(begin);
}

std::string_view RightWindow(std::string_view right, size_t max_bytes) {
  if (right.size() <= max_bytes) return right;
  const size_t newline = max_bytes == 0 ? std::string_view::npos : right.rfind('\n', max_bytes - 1);
  // Before a long line little would be left of the window: then the line is cut.
  if (newline != std::string_view::npos && newline + 1 >= max_bytes / 2)
    return right.substr(0, newline + 1);
  size_t end = max_bytes;
  while (end > 0 && ContinuesCodePoint(right[end])) --end;
  return right.substr(0, end);
}

std::optional<std::string> FimFormat::AddParts(std::string_view fim_template,
                                               const Tokenizer& tokenizer) {
  constexpr std::pair<std::string_view, Slot> kSlots[] = {
      {"{prefix}", Slot::kLeft}, {"{suffix}", Slot::kRight}, {"{name}", Slot::kName}};
  for (std::string_view rest = fim_template; !rest.empty();) {
    const auto* slot = std::find_if(std::begin(kSlots), std::end(kSlots), [&](const auto& entry) {
      return rest.starts_with(entry.first);
    });
    if (slot != std::end(kSlots)) {
      // As CodeLlama was trained: the left context begins a text, the right one is inside it.
      const bool left = slot->second == Slot::kLeft;
      parts_.push_back({slot->second, {}, left ? TextPlace::kBeginning : TextPlace::kInside});
      rest.remove_prefix(slot->first.size());
      continue;
    }
    const std::string_view markers = rest.substr(0, rest.find('{', 1));
    std::vector<TokenId> ids = tokenizer.Encode(markers, true);
    const auto is_marker = [&](TokenId id) { return IsMarkerOrNewlines(id, tokenizer); };
    if (!std::all_of(ids.begin(), ids.end(), is_marker))
      return fmt::format("the vocabulary has no marker '{}'", markers);
    parts_.push_back({Slot::kMarkers, std::move(ids)});
    rest.remove_prefix(markers.size());
  }
  const bool has_left = std::any_of(parts_.begin(), parts_.end(),
                                    [](const Part& part) { return part.slot == Slot::kLeft; });
  return has_left ? std::nullopt : std::optional<std::string>("{prefix} is missing");
}

std::optional<std::string> FimFormat::AddEnds(const std::vector<std::string>& ends,
                                              const Tokenizer& tokenizer) {
  const auto add = [this](TokenId end) {
    if (!IsOneOf(end, end_tokens_)) end_tokens_.push_back(end);
  };
  for (const std::string& end : ends) {
    const auto id = tokenizer.FindSpecial(end);
    if (!id) return fmt::format("the vocabulary has no end token '{}'", end);
    add(*id);
  }
  for (const TokenId end : tokenizer.end_tokens()) add(end);
  return std::nullopt;
}

tl::expected<FimFormat, ModelError> FimFormat::FromTemplate(std::string name,
                                                            std::string_view fim_template,
                                                            const std::vector<std::string>& ends,
                                                            const Tokenizer& tokenizer) {
  FimFormat format;
  format.name_ = std::move(name);
  format.trained_ = true;
  format.file_separator_ = FileSeparator(fim_template, tokenizer);
  auto fault = format.AddParts(fim_template, tokenizer);
  if (!fault) fault = format.AddEnds(ends, tokenizer);
  if (!fault) return format;
  return tl::unexpected(
      ModelError{ModelErrorCode::kUnsupported,
                 fmt::format("fill-in-the-middle template '{}': {}; a template looks like "
                             "<fim_prefix>{{prefix}}<fim_suffix>{{suffix}}<fim_middle>",
                             fim_template, *fault)});
}

std::optional<FimFormat> FimFormat::FromKnown(const KnownFimFormat& known,
                                              const Tokenizer& tokenizer) {
  std::vector<std::string> ends = known.ends;
  std::erase_if(ends, [&](const std::string& end) { return !tokenizer.FindSpecial(end); });
  auto format = FromTemplate(known.name, known.fim_template, ends, tokenizer);
  return format ? std::optional(*std::move(format)) : std::nullopt;
}

std::optional<FimFormat> FimFormat::FromMarkerIds(const GgufFile& file,
                                                  const Tokenizer& tokenizer) {
  // The name of the token that the metadata has for a purpose; empty: it has none.
  const auto marker = [&](const char* purpose) -> std::string {
    const auto id = file.Integer(fmt::format("tokenizer.ggml.{}_token_id", purpose));
    if (!id || *id < 0 || static_cast<size_t>(*id) >= tokenizer.size()) return "";
    return std::string(tokenizer.Name(TokenId{static_cast<uint32_t>(*id)}));
  };
  const std::string pre = marker("fim_pre"), suf = marker("fim_suf"), mid = marker("fim_mid");
  if (pre.empty() || suf.empty() || mid.empty()) return std::nullopt;
  KnownFimFormat format{"from-metadata", pre + "{prefix}" + suf + "{suffix}" + mid, {}};
  for (const char* purpose : {"fim_pad", "fim_rep", "fim_sep", "eot"})
    format.ends.push_back(marker(purpose));
  for (const KnownFimFormat& known : KnownFimFormats()) {
    if (known.fim_template == format.fim_template)
      format.ends.insert(format.ends.end(), known.ends.begin(), known.ends.end());
  }
  return FromKnown(format, tokenizer);
}

FimFormat FimFormat::WithoutTraining(const Tokenizer& tokenizer) {
  FimFormat format;
  format.name_ = kNoTraining;
  format.end_tokens_ = tokenizer.end_tokens();
  std::vector<TokenId> before, between = tokenizer.Encode("\n", false);
  if (const auto separator = tokenizer.FindSpecial("<file_sep>")) {
    before.push_back(*separator);
    between.push_back(*separator);
    format.end_tokens_.push_back(*separator);
  }
  format.parts_ = {{Slot::kMarkers, std::move(before)},
                   {Slot::kRight, {}, TextPlace::kBeginning},
                   {Slot::kMarkers, std::move(between)},
                   {Slot::kLeft, {}}};
  return format;
}

tl::expected<FimFormat, ModelError> FimFormat::Detect(const GgufFile& file,
                                                      const Tokenizer& tokenizer) {
  if (const auto own = file.String("tenon.fim.template")) {
    std::vector<std::string> ends;
    if (const auto end = file.String("tenon.fim.end")) ends.emplace_back(*end);
    auto format = FromTemplate("tenon", *own, ends, tokenizer);
    if (format) return format;
    return Refuse(file, format.error().code, format.error().message);
  }
  if (auto format = FromMarkerIds(file, tokenizer)) return *std::move(format);
  for (const KnownFimFormat& known : KnownFimFormats()) {
    if (auto format = FromKnown(known, tokenizer)) return *std::move(format);
  }
  return WithoutTraining(tokenizer);
}

std::vector<TokenId> FimFormat::LayFiles(const Tokenizer& tokenizer,
                                         std::span<const FimSnippet> snippets) const {
  std::vector<TokenId> tokens;
  if (!file_separator_) return tokens;
  for (const FimSnippet& snippet : snippets) {
    tokens.push_back(*file_separator_);
    for (const std::string_view text : {snippet.name, std::string_view("\n"), snippet.text}) {
      const std::vector<TokenId> ids = tokenizer.Encode(text, false);
      tokens.insert(tokens.end(), ids.begin(), ids.end());
    }
  }
  return tokens;
}

std::vector<TokenId> FimFormat::Lay(const Tokenizer& tokenizer, std::string_view name,
                                    std::string_view left, std::string_view right) const {
  std::vector<TokenId> tokens;
  if (tokenizer.add_bos()) tokens.push_back(*tokenizer.bos());
  for (const Part& part : parts_) {
    if (part.slot == Slot::kMarkers) {
      tokens.insert(tokens.end(), part.markers.begin(), part.markers.end());
      continue;
    }
    const std::string_view text = part.slot == Slot::kName   ? name
                                  : part.slot == Slot::kLeft ? left
                                                             : right;
    const std::vector<TokenId> ids = tokenizer.Encode(text, false, part.place);
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  }
  return tokens;
}

FimPrompt FimFormat::BuildPrompt(const Tokenizer& tokenizer, std::string_view name,
                                 std::string_view left, std::string_view right,
                                 size_t budget_tokens, const FimOutline& outline,
                                 const FimWindow& window,
                                 std::span<const FimSnippet> snippets) const {
  FimWindow shown = window;
  FimPrompt prompt{{}, end_tokens_};
  for (;;) {
    const std::string_view shown_name = shown.left_bytes > 0 ? name : std::string_view();
    const std::string_view left_window = LeftWindow(left, shown.left_bytes);
    const std::string_view hidden = left.substr(0, left.size() - left_window.size());
    std::string left_text;
    if (outline && !hidden.empty() && shown.left_bytes > 0)
      left_text = outline(hidden, left_window);
    left_text += left_window;
    prompt.tokens = LayFiles(tokenizer, snippets);
    const std::vector<TokenId> own =
        Lay(tokenizer, shown_name, left_text, RightWindow(right, shown.right_bytes));
    prompt.tokens.insert(prompt.tokens.end(), own.begin(), own.end());
    if (prompt.tokens.size() <= budget_tokens || (shown.left_bytes == 0 && shown.right_bytes == 0))
      return prompt;
    if (!snippets.empty()) {
      snippets = snippets.subspan(1);
      continue;
    }
    // The left context is worth more than the right one, so the right window shrinks first.
    const bool shrink_right = shown.right_bytes * 4 >= shown.left_bytes;
    (shrink_right ? shown.right_bytes : shown.left_bytes) =
        Shrunk(shrink_right ? shown.right_bytes : shown.left_bytes);
  }
}

}  // namespace tenon::model
