// The construct parsers of a language: the next gap finds again the states and moves that one gap
// has made.
//
// Example: R = `b + c)`. The parser of the first gap makes the states of an expression, and moves
// stacks over NAME and "+". They hold neither text nor offsets (construct_parser.h), so a gap in
// another file that begins with `x + y` looks the same moves up.
//
// A parser belongs to one thread at a time. So it is borrowed for one reading and given back; who
// comes while it is lent gets another one.
//
// Source: none. Cost: a lock for each loan; up to kMaxKept parsers of kMaxKeptBytes each are kept.
// Thread rule: any threads; each loan is one thread's.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "constraint/language/construct_parser.h"

namespace tenon::constraint {

class ConstructParsers {
 public:
  static constexpr size_t kMaxKept = 2;
  static constexpr size_t kMaxKeptBytes = 8u << 20;  // a larger parser is dropped when given back

  // REQUIRES: the index outlives this.
  explicit ConstructParsers(const GrammarIndex& index) : index_(index) {}

  class Loan {
   public:
    explicit Loan(const ConstructParsers& from) : from_(from), parser_(from.Take()) {}
    ~Loan() { from_.GiveBack(std::move(parser_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ConstructParser& operator*() const { return *parser_; }

   private:
    const ConstructParsers& from_;
    std::unique_ptr<ConstructParser> parser_;
  };

 private:
  std::unique_ptr<ConstructParser> Take() const;
  void GiveBack(std::unique_ptr<ConstructParser> parser) const;

  const GrammarIndex& index_;
  mutable std::mutex mutex_;  // guards kept_
  mutable std::vector<std::unique_ptr<ConstructParser>> kept_;
};

}  // namespace tenon::constraint
