// A server whose answers are scripted, and gaps of a small language for it.
//
// Example: ScriptedSource({{Piece("b"), End()}, {Piece("c")}}) answers the first request by `b` and
// the end, the second one by `c`.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/decode/decoder.h"
#include "server/decode/gap_text.h"
#include "server/remote/text_stream.h"

namespace tenon::server {

// Sums of names and calls; `of` is no name.
inline constexpr char kSumsGrammar[] = R"toy(
start: sum | sum "of" NAME
sum: value | sum "+" value
value: NAME | NAME "(" args ")" | "(" sum ")"
args: sum | args "," sum
NAME: /[a-z]+/
%ignore / +/
)toy";

inline TextPiece Piece(std::string bytes, std::vector<std::string> others = {}) {
  TextPiece piece{ShownText{std::move(bytes), 0.5}};
  for (std::string& other : others) piece.others.push_back({std::move(other), 1.5});
  return piece;
}

inline TextPiece End(std::vector<std::string> others = {}) {
  TextPiece piece = Piece("", std::move(others));
  piece.text.ends = true;
  return piece;
}

using Script = std::vector<TextPiece>;

// Streams the scripts, one a request. After a script the stream is over, or fails.
class ScriptedSource final : public TextSource {
 public:
  explicit ScriptedSource(std::vector<Script> scripts) : scripts_(scripts.begin(), scripts.end()) {}

  tl::expected<std::unique_ptr<TextStream>, StreamFault> Open(std::string_view written,
                                                              int max_tokens,
                                                              const Opening& opening) override {
    asked.emplace_back(written);
    openings.push_back(opening.healed + (opening.sign ? "+" : ""));
    asked_tokens.push_back(max_tokens);
    if (scripts_.empty())
      return tl::unexpected(StreamFault{StreamFault::Kind::kServer, "no more scripts"});
    auto stream = std::make_unique<Stream>(std::move(scripts_.front()), fault);
    scripts_.pop_front();
    return stream;
  }

  std::vector<std::string> asked;
  std::vector<int> asked_tokens;
  std::vector<std::string> openings;  // "pri+": `pri`, and a sign behind it
  std::optional<StreamFault> fault;   // at each script's end

 private:
  class Stream final : public TextStream {
   public:
    Stream(Script script, std::optional<StreamFault> fault)
        : pieces_(script.begin(), script.end()), fault_(std::move(fault)) {}
    tl::expected<std::optional<TextPiece>, StreamFault> Next() override {
      if (pieces_.empty() && fault_) return tl::unexpected(*fault_);
      if (pieces_.empty()) return std::nullopt;
      TextPiece piece = std::move(pieces_.front());
      pieces_.pop_front();
      return piece;
    }

   private:
    std::deque<TextPiece> pieces_;
    std::optional<StreamFault> fault_;
  };
  std::deque<Script> scripts_;
};

// Gaps between sums.
class SumsTest : public testing::Test {
 protected:
  GapText Open(std::string_view left, std::string_view right, std::string healed = "") const {
    return GapText(
        Budget(Gap::Open(language_, left, right), static_cast<uint32_t>(limits_.max_tokens)),
        Goal::kJoin,
        {.healed = std::move(healed),
         .left_line = std::string(left),
         .right_line = std::string(right.substr(0, right.find('\n')))});
  }
  bool IsMember(std::string_view left, std::string_view middle, std::string_view right) const {
    Gap gap = Gap::Open(language_, left, right);
    return (middle.empty() || gap.Accept(middle)) && gap.Member();
  }

  Language language_ = *Language::Compile(kSumsGrammar, "sums.lark");
  DecodeLimits limits_;
};

}  // namespace tenon::server
