#include "server/region/open_tags.h"

#include <algorithm>
#include <cctype>

#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

bool IsOfName(char c) { return IsWordByte(c) || c == '$'; }

class PartScanner {
 public:
  explicit PartScanner(std::string_view text) : text_(text), quotes_(text) {}

  std::vector<OpenPart> Scan() {
    for (at_ = 0; at_ < text_.size(); ++at_) Read();
    return std::move(open_);
  }

 private:
  [[nodiscard]] char Next(size_t steps = 1) const {
    return at_ + steps < text_.size() ? text_[at_ + steps] : char{0};
  }
  [[nodiscard]] bool IsIn(std::string_view beginning) const {
    return !open_.empty() && open_.back().closer.starts_with(beginning);
  }
  [[nodiscard]] bool MayBeginTag() const {
    if (!std::isalpha(static_cast<unsigned char>(Next())) && Next() != '>') return false;
    return at_ == 0 || IsIn("</") ||
           (!IsOfName(text_[at_ - 1]) &&
            std::string_view(")]").find(text_[at_ - 1]) == std::string_view::npos);
  }
  std::string_view NameFrom(size_t begin) const {
    size_t end = begin;
    while (end < text_.size() && (IsOfName(text_[end]) || text_[end] == '.' || text_[end] == '-'))
      ++end;
    return text_.substr(begin, end - begin);
  }

  // Where the quoted text ends; here where it does not end in its line. Attributes have no escapes.
  size_t EndOfQuote() {
    if (!IsIn("/>")) return quotes_.EndAt(at_);
    const size_t end = text_.find_first_of(std::string{text_[at_], '\n'}, at_ + 1);
    return end < text_.size() && text_[end] == text_[at_] ? end : at_;
  }

  void Read() {
    const char c = text_[at_];
    const bool in_content = IsIn("</");
    if (!in_content && (c == '"' || c == '\'' || c == '`')) {
      at_ = EndOfQuote();
      return;
    }
    if (c == '<' && Next() == '/') {
      if (in_content) open_.pop_back();
      at_ = std::min(text_.find('>', at_), text_.size());
    } else if (c == '<' && MayBeginTag()) {
      open_.push_back({at_, "/>"});
    } else if (c == '>' && IsIn("/>")) {
      if (text_[at_ - 1] == '/')
        open_.pop_back();
      else
        open_.back().closer = "</" + std::string(NameFrom(open_.back().offset + 1)) + ">";
    } else if (!in_content || c == '{') {
      ReadBracket(c);
    }
  }

  void ReadBracket(char c) {
    const size_t opening = kOpeningBrackets.find(c);
    if (opening != std::string_view::npos)
      open_.push_back({at_, std::string(1, kClosingBrackets[opening])});
    if (IsClosingBracket(c) && IsIn(std::string_view(&c, 1))) open_.pop_back();
  }

  std::string_view text_;
  QuoteScanner quotes_;
  size_t at_ = 0;
  std::vector<OpenPart> open_;
};

}  // namespace

std::vector<OpenPart> OpenPartsOf(std::string_view text) { return PartScanner(text).Scan(); }

bool ClosesElementBefore(std::string_view left, std::string_view middle, size_t least) {
  if (middle.find('>') == std::string_view::npos) return false;
  const std::vector<OpenPart> before = OpenPartsOf(left);
  const std::vector<OpenPart> after = OpenPartsOf(std::string(left) + std::string(middle));
  return std::any_of(before.begin(), before.end(), [&](const OpenPart& part) {
    return part.offset < least && part.closer.ends_with('>') &&
           std::none_of(after.begin(), after.end(),
                        [&](const OpenPart& other) { return other.offset == part.offset; });
  });
}

}  // namespace tenon::server
