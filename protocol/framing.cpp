#include "protocol/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace tenon::protocol {
namespace {

constexpr std::string_view kContentLength = "content-length:";

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower_case_prefix) {
  if (text.size() < lower_case_prefix.size()) return false;
  return std::equal(
      lower_case_prefix.begin(), lower_case_prefix.end(), text.begin(), [](char want, char have) {
        return want == static_cast<char>(std::tolower(static_cast<unsigned char>(have)));
      });
}

// Is `text` the header's name, or the beginning of it cut off by the end of what has come so far?
bool MayBeContentLength(std::string_view text) {
  return StartsWithIgnoringCase(text, kContentLength.substr(0, text.size()));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

constexpr std::string_view kCanonicalName = "Content-Length:";

enum class HeaderLine { kNone, kBegun, kWhole };

// Does `text` begin with a line "Content-Length: N", or with as much of it as there is text?
HeaderLine HeaderLineAt(std::string_view text) {
  const size_t name = std::min(text.size(), kCanonicalName.size());
  if (text.substr(0, name) != kCanonicalName.substr(0, name)) return HeaderLine::kNone;
  size_t end = name;
  while (end < text.size() && (text[end] == ' ' || IsDigit(text[end]))) ++end;
  const std::string_view rest = text.substr(end);
  if (rest.empty()) return HeaderLine::kBegun;
  if (!IsDigit(text[end - 1])) return HeaderLine::kNone;
  if (rest == "\r") return HeaderLine::kBegun;
  return rest[0] == '\n' || rest.starts_with("\r\n") ? HeaderLine::kWhole : HeaderLine::kNone;
}

// A line from a stream that may hold anything, cut and made printable for a message.
std::string Shown(std::string_view line) {
  std::string shown(line.substr(0, 60));
  for (char& c : shown) {
    if (c < 0x20 || c > 0x7E) c = '?';
  }
  return shown;
}

}  // namespace

void FrameReader::Append(std::string_view bytes) {
  if (consumed_ > 0 && consumed_ >= buffer_.size() / 2) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
  }
  buffer_.append(bytes);
}

void FrameReader::Drop(size_t bytes) {
  consumed_ = std::min(buffer_.size(), consumed_ + bytes);
  if (consumed_ < buffer_.size() || buffer_.capacity() <= kMaxKeptBytes) return;
  std::string().swap(buffer_);
  consumed_ = 0;
}

std::optional<Frame> FrameReader::Fail(std::string message) {
  Drop(1);
  lost_ = true;
  return Frame(FramingError{std::move(message)});
}

// Reads the header at the front if its empty line is there, or if the first wrong line is.
std::optional<FrameReader::Header> FrameReader::ReadHeader() const {
  const std::string_view rest = std::string_view(buffer_).substr(consumed_);
  Header header;
  size_t at = 0;
  while (true) {
    const size_t end = rest.find('\n', at);
    if (end == std::string_view::npos || end >= limits_.header_bytes) {
      if (rest.size() < limits_.header_bytes) return std::nullopt;
      header.problem = fmt::format("a header longer than {} bytes", limits_.header_bytes);
      return header;
    }
    const std::string_view line = Trim(rest.substr(at, end - at));
    at = end + 1;
    header.size_bytes = at;
    if (line.empty()) break;
    if (line.find(':') == std::string_view::npos) {
      header.problem =
          fmt::format("'{}' is not a header line; 'Content-Length: N' was expected", Shown(line));
      return header;
    }
    if (!StartsWithIgnoringCase(line, kContentLength)) continue;
    const std::string_view digits = Trim(line.substr(kContentLength.size()));
    size_t length = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length);
    const bool is_number = stop == digits.data() + digits.size() && !digits.empty();
    if (!is_number || (error != std::errc() && error != std::errc::result_out_of_range)) {
      header.problem = fmt::format("Content-Length '{}' is not a number", Shown(digits));
      return header;
    }
    if (error == std::errc::result_out_of_range || length > limits_.body_bytes) {
      header.problem = fmt::format(
          "a message of {} bytes is refused: at most {} bytes are taken; "
          "keep files of that size out of the language server",
          Shown(digits), limits_.body_bytes);
      return header;
    }
    header.content_length = length;
  }
  if (!header.content_length) header.problem = "a header without Content-Length";
  return header;
}

// Drops bytes up to the next complete, good header. JSON text holds no raw line break inside a
// string, so a header that is complete and good is hardly ever part of a body.
bool FrameReader::FindNextHeader() {
  while (true) {
    const std::string_view rest = std::string_view(buffer_).substr(consumed_);
    size_t at = 0;
    while (at < rest.size() && !MayBeContentLength(rest.substr(at))) ++at;
    Drop(at);
    if (rest.size() - at < kContentLength.size()) return false;
    const std::optional<Header> header = ReadHeader();
    if (!header) return false;
    if (header->problem.empty()) return true;
    Drop(1);
  }
}

// Where a header begins inside the body that is being read, for a Content-Length that is too
// long. No JSON holds one: a string has no raw line end, and a C stands in strings alone. So no
// JSON ends with the beginning of one, either.
std::optional<size_t> FrameReader::HeaderWithinBody() {
  const std::string_view body = std::string_view(buffer_).substr(consumed_, *body_bytes_);
  for (size_t at = body.find(kCanonicalName[0], scanned_); at != std::string_view::npos;
       at = body.find(kCanonicalName[0], at + 1)) {
    const HeaderLine line = HeaderLineAt(body.substr(at));
    if (line == HeaderLine::kNone) continue;
    if (line == HeaderLine::kWhole || body.size() == *body_bytes_) return at;
    scanned_ = at;  // more bytes will tell
    return std::nullopt;
  }
  scanned_ = body.size();
  return std::nullopt;
}

std::optional<Frame> FrameReader::Next() {
  if (lost_) {
    if (!FindNextHeader()) return std::nullopt;
    lost_ = false;
  }
  if (!body_bytes_) {
    // Line breaks between messages belong to none: a client that ends each message with one is
    // understood.
    while (consumed_ < buffer_.size() && (buffer_[consumed_] == '\n' || buffer_[consumed_] == '\r'))
      ++consumed_;
    std::optional<Header> header = ReadHeader();
    if (!header) return std::nullopt;
    if (!header->problem.empty()) return Fail(std::move(header->problem));
    Drop(header->size_bytes);
    body_bytes_ = header->content_length;
    scanned_ = 0;
  }
  if (const auto header = HeaderWithinBody()) body_bytes_ = *header;
  if (buffer_.size() - consumed_ < *body_bytes_) return std::nullopt;
  std::string body = buffer_.substr(consumed_, *body_bytes_);
  Drop(*body_bytes_);
  body_bytes_.reset();
  return Frame(std::move(body));
}

bool FrameReader::AtBoundary() const {
  return !body_bytes_ && (lost_ || consumed_ == buffer_.size());
}

std::string EncodeFrame(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace tenon::protocol
