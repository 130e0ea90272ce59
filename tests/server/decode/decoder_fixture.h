// The decode loop against a model that is a script, or that prefers some tokens at each place.
//
// Example: in DecoderTest, Run("a = ", "\\n", "word\\nx = y") is what the decoder makes of a model
// that writes `word` and another line: the middle `word`.
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "server/decode/decoder.h"
#include "server/decode/mask_stores.h"
#include "server/decode/token_cost.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "tests/model/tiny_model.h"
#include "tests/token_ids.h"

namespace tenon::server {

// Statements `word = value` on lines of their own, some behind a line `if word:` or `else:`; values
// are words, calls or strings.
inline constexpr char kGrammar[] = R"toy(
start: statement+
statement: WORD "=" value NEWLINE | "if" WORD ":" NEWLINE statement ["else" ":" NEWLINE statement]
value: WORD | WORD "(" [values] ")" | STRING | "not" value
values: value | values "," value
WORD: /[a-z]+/
STRING: /"[^"\n]*"/
NEWLINE: /\n/
%ignore /[ ]+/
%ignore COMMENT
COMMENT: /#[^\n]*/
%poison OPEN
OPEN: /"[^"\n]*/
%delimited STRING COMMENT
%layout newline=NEWLINE brackets="()"
)toy";

// What is decoded, and how.
struct Question {
  Goal goal = Goal::kJoin;
  int max_tokens = 64;
  bool budget = true;  // it is the gap's, too
  std::string healed = {}, right_line = {};
  bool indented_less = false;
  std::optional<EmptyBlock> empty_block = {};
  std::optional<size_t> most_closing = {};
  // The time for decoding, where each decode takes kStepMs.
  std::optional<std::chrono::milliseconds> time = {};
};

inline constexpr int kStepMs = 10;

// A clock that only the model's work moves.
using FakeTime = std::chrono::steady_clock::time_point;

// A model that writes `script` and then wants to end, whatever is drawn instead; what is forced
// between is not in the script.
class ScriptText : public DecodeText {
 public:
  static constexpr TokenId kEnd{0};

  ScriptText(const model::Tokenizer& tokenizer, std::string_view script, size_t max_steps,
             FakeTime& time)
      : tokenizer_(tokenizer),
        script_(tokenizer.Encode(script, false)),
        steps_left_(max_steps),
        time_(time) {
    script_.push_back(kEnd);
  }
  std::span<const float> Next() {
    logits_.assign(tokenizer_.size(), 0);
    logits_[script_[std::min(at_++, script_.size() - 1)].value] = 10;
    return logits_;
  }
  Logits Append(TokenId token) override {
    tokens_.push_back(token);
    time_ += std::chrono::milliseconds(kStepMs);
    return steps_left_-- == 0 ? std::nullopt : Logits(Next());
  }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override {
    EXPECT_LE(kept, tokens_.size());
    time_ += std::chrono::milliseconds(kStepMs);
    tokens_.resize(kept);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    return logits_;
  }
  const std::vector<TokenId>& tokens() const { return tokens_; }

 private:
  const model::Tokenizer& tokenizer_;
  std::vector<TokenId> script_, tokens_;
  size_t steps_left_, at_ = 0;
  FakeTime& time_;
  std::vector<float> logits_;
};

// A model that prefers some tokens after each text: `after` has them, the likeliest first, and ""
// for the end. Behind any other text it wants to end.
class ChoosyText : public DecodeText {
 public:
  using Choices = std::map<std::string, std::vector<std::string>>;

  ChoosyText(const model::Tokenizer& tokenizer, Choices after)
      : tokenizer_(tokenizer), after_(std::move(after)) {}
  std::span<const float> Next() {
    logits_.assign(tokenizer_.size(), 0);
    const auto choices = after_.find(tokenizer_.Decode(tokens_));
    if (choices == after_.end()) {
      logits_[ScriptText::kEnd.value] = 10;
      return logits_;
    }
    float logit = 10;
    for (const std::string& choice : choices->second) logits_[TokenOf(choice).value] = logit--;
    return logits_;
  }
  Logits Append(TokenId token) override {
    tokens_.push_back(token);
    return Next();
  }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override {
    tokens_.resize(kept);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    return Next();
  }

 private:
  TokenId TokenOf(std::string_view bytes) const {
    if (bytes.empty()) return ScriptText::kEnd;
    const std::vector<TokenId> all = AllTokens(tokenizer_.size());
    const auto found = std::find_if(
        all.begin(), all.end(), [&](TokenId token) { return tokenizer_.Bytes(token) == bytes; });
    EXPECT_NE(found, all.end()) << "no token writes " << bytes;
    return found == all.end() ? ScriptText::kEnd : *found;
  }

  const model::Tokenizer& tokenizer_;
  Choices after_;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;
};

class DecoderTest : public testing::Test {
 protected:
  DecoderTest() {
    model::GgufWriter writer;
    model::TinyShape shape;
    shape.pairs = {{"\"", ")"}, {")", ")"},  {")", ","},   {")", "Ċ"}, {"x", "y"},
                   {"e", "l"},  {"el", "s"}, {"els", "e"}, {")", ";"}};
    model::AddTinyTokenizer(writer, shape);
    bytes_ = writer.Bytes();
    auto file = model::GgufFile::Parse(bytes_, "tiny");
    EXPECT_TRUE(file) << file.error().message;
    auto tokenizer = model::Tokenizer::FromGguf(*file);
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    tokenizer_.emplace(*std::move(tokenizer));
    auto language = Language::Compile(kGrammar, "toy.lark");
    EXPECT_TRUE(language) << language.error().ToString();
    language_ = *language;
  }

  // What the decoder makes of a model that writes `script` and then wants to end; with masks and
  // without the same.
  DecodeResult Run(std::string_view left, std::string_view right, std::string_view script,
                   Question question = {}) {
    DecodeResult unmasked = RunOnce(left, right, script, question, false);
    DecodeResult masked = RunOnce(left, right, script, question, true);
    EXPECT_EQ(masked.middle, unmasked.middle) << script;
    EXPECT_EQ(masked.ended, unmasked.ended) << script;
    EXPECT_EQ(unmasked.statistics.masks, 0);
    EXPECT_EQ(masked.statistics.masks > 0, masked.statistics.refused > 0) << script;
    EXPECT_LE(masked.statistics.refused, unmasked.statistics.refused) << script;
    return masked;
  }

  DecodeResult RunOnce(std::string_view left, std::string_view right, std::string_view script,
                       const Question& question, bool masked) {
    time_ = FakeTime();
    ScriptText text(*tokenizer_, script, max_steps_, time_);
    DecodeResult result = Through(left, right, text, question, masked);
    tokens_ = text.tokens();
    return result;
  }

  // What the decoder makes of a model that prefers some tokens; with masks and without the same.
  DecodeResult Choose(std::string_view left, std::string_view right,
                      const ChoosyText::Choices& after, Question question = {}) {
    ChoosyText text(*tokenizer_, after), again(*tokenizer_, after);
    DecodeResult result = Through(left, right, text, question, false);
    EXPECT_EQ(Through(left, right, again, question, true).middle, result.middle);
    return result;
  }

  template <typename Text>
  DecodeResult Through(std::string_view left, std::string_view right, Text& text,
                       const Question& question, bool masked) {
    model::Sampler sampler(0, 0, TokensOf({1, 2}));
    GapOptions options;
    options.count = CanonicalCount(*tokenizer_);
    Budget gap(Gap::Open(*language_, left, right, std::move(options)),
               question.budget ? static_cast<uint32_t>(question.max_tokens) : kUnlimitedTokens);
    if (!gap.feasible()) return {};
    MaskSource masks;
    if (masked) masks = [this] { return Store(); };
    GapFilter filter(*tokenizer_, ends_, std::move(gap),
                     {.goal = question.goal,
                      .cursor = {.healed = question.healed,
                                 .left_line = std::string(left.substr(left.rfind('\n') + 1)),
                                 .right_line = question.right_line,
                                 .next_text = std::string(FirstLineWithText(right)),
                                 .next_columns = IndentationColumns(
                                     LeadingBlanksAt(right, right.find_first_not_of(" \n"))),
                                 .indented_less = question.indented_less,
                                 .empty_block = question.empty_block,
                                 .most_closing = question.most_closing},
                      .masks = masks});
    DecodeLimits limits;
    limits.max_tokens = question.max_tokens;
    limits.deadline = Deadline(question.time, [this] { return time_; });
    return Decode(std::move(filter), sampler, text.Next(), text, limits, {});
  }

  bool Fits(std::string_view left, std::string_view middle, std::string_view right) const {
    return language_->Check(std::string(left) + std::string(middle) + std::string(right)).valid;
  }

  std::optional<model::Tokenizer> tokenizer_;
  std::optional<Language> language_;
  size_t max_steps_ = 1000;  // of the model
  FakeTime time_;
  std::vector<TokenId> tokens_;  // behind the prompt, of the last run

 private:
  std::optional<MaskStore> Store() {
    if (!store_ || store_->language() != *language_)
      store_ = MaskStore::Build(*language_, VocabularyOf(*tokenizer_));
    return store_;
  }
  std::vector<std::byte> bytes_;
  std::vector<TokenId> ends_{ScriptText::kEnd};
  std::optional<MaskStore> store_;
};

}  // namespace tenon::server
