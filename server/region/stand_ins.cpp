#include "server/region/stand_ins.h"

#include <algorithm>

#include "server/request/lines.h"

namespace tenon::server {

size_t WithBlanks(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return begin == 0 || text[begin - 1] == '\n' ? begin : offset;
}

std::string IndentationAt(std::string_view text, size_t offset) {
  const size_t line = LineBeginAt(text, offset);
  const size_t first = std::min(text.find_first_not_of(" \t\f", line), offset);
  std::string blanks(text.substr(line, first - line));
  if (first < offset) blanks += ' ';
  return blanks;
}

std::string StandIns::Lines(std::string_view text) const {
  std::string lines;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      lines += text[i];
      continue;
    }
    lines += line_end_;
    if (i + 1 < text.size()) lines += indentation_;
  }
  return lines;
}

void StandIns::Add(const RegionRule& rule, const std::string& inner_indentation) {
  if (!rule.before.empty()) {
    if (AtLineBegin()) before_ += indentation_;
    before_ += Lines(rule.before);
  }
  std::string after;
  if (!rule.after.empty()) {
    if (!rule.before.empty() && rule.before.back() == '\n') after = line_end_ + indentation_;
    after += Lines(rule.after);
  }
  after_.push_back(std::move(after));
  indentation_ = inner_indentation;
}

void StandIns::AddLineBelow(size_t construct, std::string_view blanks, std::string_view line) {
  std::string& after = after_[construct];
  after = line_end_ + std::string(blanks) + std::string(line) + after;
}

std::string StandIns::Before(bool first_in_line, std::string_view line) const {
  if (!line.empty()) return before_ + indentation_ + std::string(line) + line_end_;
  return first_in_line || !AtLineBegin() ? before_ : before_ + indentation_;
}

std::string StandIns::After(bool first_in_line) const {
  std::string after;
  for (size_t i = after_.size(); i-- > 0;) after += after_[i];
  if (first_in_line && after.starts_with(line_end_)) after.erase(0, line_end_.size());
  return after;
}

}  // namespace tenon::server
