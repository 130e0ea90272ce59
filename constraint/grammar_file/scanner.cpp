#include "constraint/grammar_file/scanner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/base/base.h"

namespace tenon::constraint {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNamePart(char c) { return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_'; }

class Scanner {
 public:
  Scanner(std::string_view text, ErrorSink& errors, uint32_t file)
      : text_(text), errors_(errors), place_{1, 1, file} {}

  std::vector<ScannedLexeme> Run() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
    while (!errors_.failed() && at_ < text_.size()) Step();
    if (!errors_.failed()) {
      Add(ScannedKind::kLineEnd, place_);
      Add(ScannedKind::kEnd, place_);
    }
    return std::move(lexemes_);
  }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void Fail(FilePlace place, std::string message) {
    errors_.Fail(GrammarErrorCode::kSyntax, place, std::move(message));
  }

  // Moves over one character.
  void Advance() {
    const DecodedCodepoint decoded = DecodeUtf8(text_, at_);
    if (decoded.length_bytes == 0) {
      Fail(place_, "the text is not valid UTF-8 here: save the file as UTF-8");
      at_ = text_.size();
      return;
    }
    at_ += decoded.length_bytes;
    if (decoded.codepoint == '\n') {
      ++place_.line;
      place_.column = 1;
      line_has_lexeme_ = false;
    } else {
      ++place_.column;
    }
  }

  ScannedLexeme& Add(ScannedKind kind, FilePlace place) {
    ScannedLexeme& lexeme = lexemes_.emplace_back();
    lexeme.kind = kind;
    lexeme.place = place;
    lexeme.blank_before = std::exchange(blank_, false);
    line_has_lexeme_ = true;
    return lexeme;
  }

  void Step() {
    const char c = Peek();
    if (c == '\n') {
      if (depth_ == 0 && line_has_lexeme_) Add(ScannedKind::kLineEnd, place_);
      blank_ = true;
      Advance();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      blank_ = true;
      Advance();
    } else if ((c == '/' && Peek(1) == '/') || (c == '#' && !line_has_lexeme_)) {
      while (at_ < text_.size() && Peek() != '\n') Advance();
      blank_ = true;
    } else if (c == '"') {
      String();
    } else if (c == '/') {
      Regex();
    } else if (c == '%') {
      Directive();
    } else if (IsDigit(c) || (c == '-' && IsDigit(Peek(1)))) {
      Number();
    } else if (IsNamePart(c)) {
      Name();
    } else {
      Punctuation();
    }
  }

  void Name() {
    const FilePlace place = place_;
    const size_t begin = at_;
    while (IsNamePart(Peek())) Advance();
    const std::string_view name = text_.substr(begin, at_ - begin);
    const bool lower = std::any_of(name.begin(), name.end(), IsLower);
    const bool upper = std::any_of(name.begin(), name.end(), IsUpper);
    if (lower == upper) {
      Fail(place,
           fmt::format(
               "the name '{}' is neither of a rule (lower case) nor of a terminal (upper case)",
               name));
      return;
    }
    Add(lower ? ScannedKind::kRuleName : ScannedKind::kTerminalName, place).text = name;
  }

  void Directive() {
    const FilePlace place = place_;
    Advance();
    const size_t begin = at_;
    while (IsLower(Peek()) || Peek() == '_') Advance();
    Add(ScannedKind::kDirective, place).text = text_.substr(begin, at_ - begin);
  }

  void Number() {
    const FilePlace place = place_;
    const bool negative = Peek() == '-';
    if (negative) Advance();
    int value = 0;
    for (; IsDigit(Peek()); Advance()) {
      value = value * 10 + (Peek() - '0');
      if (value > 1'000'000) {
        Fail(place, "this number is above 1000000");
        return;
      }
    }
    ScannedLexeme& lexeme = Add(ScannedKind::kNumber, place);
    lexeme.number = negative ? -value : value;
    lexeme.text = std::to_string(lexeme.number);
  }

  void Punctuation() {
    const FilePlace place = place_;
    const std::string_view two = text_.substr(at_, 2);
    const size_t length = two == ".." || two == "->" || two == "#+" || two == "#-" ? 2 : 1;
    const std::string text(text_.substr(at_, length));
    if (length == 1 &&
        std::string_view(":|()[]{}?!*+~.=#,").find(text[0]) == std::string_view::npos) {
      const size_t bytes = std::max<size_t>(DecodeUtf8(text_, at_).length_bytes, 1);
      const bool quote = text == "'";
      Fail(place, quote ? std::string("a literal stands in double quotes, not in single ones")
                        : fmt::format("unexpected character '{}'", text_.substr(at_, bytes)));
      return;
    }
    if (text[0] == '#' && blank_) {
      Fail(place,
           "unexpected '#': a comment behind something begins with '//', a predicate stands "
           "directly behind its symbol");
      return;
    }
    for (size_t i = 0; i < length; ++i) Advance();
    if (text == "(" || text == "[") ++depth_;
    if ((text == ")" || text == "]") && depth_ > 0) --depth_;
    if (text == "|" && !lexemes_.empty() && lexemes_.back().kind == ScannedKind::kLineEnd)
      lexemes_.pop_back();
    Add(ScannedKind::kPunctuation, place).text = text;
  }

  void Regex() {
    const FilePlace place = place_;
    Advance();
    const size_t begin = at_;
    while (at_ < text_.size() && Peek() != '/' && Peek() != '\n') {
      if (Peek() == '\\' && Peek(1) != '\n') Advance();
      if (at_ < text_.size()) Advance();
    }
    if (Peek() != '/') {
      Fail(place,
           "this regular expression is not closed on its line: end it with '/', write '\\/' for a "
           "slash inside");
      return;
    }
    const size_t end = at_;
    Advance();
    const size_t flags = at_;
    while (IsLower(Peek())) Advance();
    ScannedLexeme& lexeme = Add(ScannedKind::kRegex, place);
    lexeme.text = text_.substr(begin, end - begin);
    lexeme.flags = text_.substr(flags, at_ - flags);
  }

  void String() {
    const FilePlace place = place_;
    std::string value;
    Advance();
    while (at_ < text_.size() && Peek() != '"' && Peek() != '\n' && !errors_.failed()) {
      if (Peek() == '\\') {
        Escape(value);
      } else {
        const size_t begin = at_;
        Advance();
        value += text_.substr(begin, at_ - begin);
      }
    }
    if (errors_.failed()) return;
    if (Peek() != '"') {
      Fail(place,
           "this literal is not closed on its line: end it with '\"', write '\\n' for a line end "
           "inside");
      return;
    }
    Advance();
    ScannedLexeme& lexeme = Add(ScannedKind::kString, place);
    lexeme.text = std::move(value);
    if (Peek() == 'i' && !IsNamePart(Peek(1))) {
      lexeme.flags.push_back('i');
      Advance();
    }
  }

  void Escape(std::string& value) {
    const FilePlace place = place_;
    Advance();
    const char c = Peek();
    constexpr std::string_view kPlain = "ntrfv\\\"/";
    constexpr std::string_view kMeaning = "\n\t\r\f\v\\\"/";
    if (const size_t i = kPlain.find(c); i != std::string_view::npos && c != '\0') {
      value.push_back(kMeaning[i]);
      Advance();
      return;
    }
    const int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) {
      Fail(place,
           "unknown escape in a literal: the escapes are \\n \\t \\r \\f \\v \\\\ \\\" \\xHH "
           "\\uHHHH \\UHHHHHHHH");
      return;
    }
    Advance();
    uint32_t codepoint = 0;
    for (int i = 0; i < digits; ++i, Advance()) {
      if (HexValue(Peek()) < 0) {
        Fail(place, fmt::format("this escape needs {} hexadecimal digits", digits));
        return;
      }
      codepoint = codepoint * 16 + static_cast<uint32_t>(HexValue(Peek()));
    }
    if (codepoint > 0x10ffff || (codepoint >= 0xd800 && codepoint <= 0xdfff)) {
      Fail(place, "this escape is no Unicode character");
      return;
    }
    AppendUtf8(codepoint, value);
  }

  std::string_view text_;
  ErrorSink& errors_;
  std::vector<ScannedLexeme> lexemes_;
  size_t at_ = 0;
  FilePlace place_;
  int depth_ = 0;
  bool line_has_lexeme_ = false;
  bool blank_ = false;
};

}  // namespace

std::string ScannedLexeme::Describe() const {
  switch (kind) {
    case ScannedKind::kRuleName:
      return fmt::format("the rule name '{}'", text);
    case ScannedKind::kTerminalName:
      return fmt::format("the terminal name '{}'", text);
    case ScannedKind::kString:
      return "a literal";
    case ScannedKind::kRegex:
      return "a regular expression";
    case ScannedKind::kNumber:
      return fmt::format("the number {}", text);
    case ScannedKind::kDirective:
      return fmt::format("'%{}'", text);
    case ScannedKind::kPunctuation:
      return fmt::format("'{}'", text);
    case ScannedKind::kLineEnd:
      return "the end of the line";
    case ScannedKind::kEnd:
      return "the end of the file";
  }
  return text;
}

std::vector<ScannedLexeme> Scan(std::string_view text, ErrorSink& errors, uint32_t file) {
  return Scanner(text, errors, file).Run();
}

}  // namespace tenon::constraint
