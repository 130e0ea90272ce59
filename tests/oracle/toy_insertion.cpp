#include "tests/oracle/toy_insertion.h"

#include <algorithm>

namespace tenon::oracle {

std::optional<size_t> ToyInsertion::Behind(size_t read, const Alternatives& lexeme) const {
  auto [known, fresh] = behind_.try_emplace({read, lexeme}, std::nullopt);
  if (!fresh) return known->second;
  Lexemes longer = read_[read];
  longer.push_back(lexeme);
  if (!grammar_.Viable(longer, {})) return std::nullopt;
  read_.push_back(std::move(longer));
  return known->second = read_.size() - 1;
}

bool ToyInsertion::Member(const Lexemes& lexemes) const {
  size_t read = 0;
  for (const Alternatives& lexeme : lexemes) {
    std::optional<size_t> next = Behind(read, lexeme);
    const bool line_seen =
        std::find(lexeme.begin(), lexeme.end(), lexeme[0] + "#newline_before") != lexeme.end();
    if (!next &&
        (line_seen || std::find(before_.begin(), before_.end(), lexeme[0]) != before_.end())) {
      if (auto inserted = Behind(read, {inserted_})) next = Behind(*inserted, lexeme);
    }
    if (!next) return false;
    read = *next;
  }
  if (grammar_.Member(read_[read])) return true;
  auto inserted = Behind(read, {inserted_});
  return inserted && grammar_.Member(read_[*inserted]);
}

}  // namespace tenon::oracle
