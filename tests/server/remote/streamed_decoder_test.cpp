// The judge loop on scripted streams: whatever comes, the middle is a member within its budget.
#include "server/remote/streamed_decoder.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/remote/scripted_source.h"

namespace tenon::server {
namespace {

using testing::ElementsAre;

class StreamedDecoderTest : public SumsTest {
 protected:
  DecodeResult Decode(std::string_view left, std::string_view right, ScriptedSource& source,
                      std::string healed = "") const {
    auto result = DecodeStreamed(Open(left, right, std::move(healed)), source, limits_);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result.value_or(DecodeResult());
  }
};

TEST_F(StreamedDecoderTest, TakesWhatFitsInOneRequest) {
  ScriptedSource source({{Piece("b"), Piece(" + c"), End()}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "b + c");
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_TRUE(result.closed);
  EXPECT_EQ(result.statistics.requests, 1);
  EXPECT_EQ(result.statistics.wasted, 0);
  EXPECT_EQ(result.nats.size(), 2u);
  EXPECT_THAT(source.asked, ElementsAre(""));
}

TEST_F(StreamedDecoderTest, EndsBeforeTheRightContext) {
  ScriptedSource source({{Piece("b"), Piece(")"), Piece("never read")}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "b");
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_EQ(result.statistics.wasted, 1);
}

TEST_F(StreamedDecoderTest, EndsInsideAPiece) {
  ScriptedSource source({{Piece("b"), Piece("c)")}});
  EXPECT_EQ(Decode("f(a, ", ")", source).middle, "bc");
}

TEST_F(StreamedDecoderTest, GoesOnBehindTheBestAlternativeThatFits) {
  ScriptedSource source({{Piece("+", {")", "b", "c"}), Piece("lost")}, {Piece("d"), End()}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "bd");
  EXPECT_THAT(source.asked, ElementsAre("", "b"));
  EXPECT_THAT(source.asked_tokens, ElementsAre(64, 63));
  EXPECT_EQ(result.statistics.requests, 2);
  EXPECT_EQ(result.statistics.refused, 1);
  EXPECT_EQ(result.statistics.wasted, 1);
}

// The model has written `b` to its end: `=` is refused, and `c` would make another word.
TEST_F(StreamedDecoderTest, WritesNoWordOnThatTheServerHasEnded) {
  ScriptedSource source({{Piece("b"), Piece("=", {"c", "+"})}, {End()}});
  EXPECT_EQ(Decode("f(a, ", " e)", source).middle, "b+");
}

// `of` begins no sum, but a longer word does; the model has not meant one.
TEST_F(StreamedDecoderTest, TakesAWordBackThatCannotStand) {
  ScriptedSource source({{Piece("of", {"b"}), Piece("=", {"c"})}, {End()}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "b");
  EXPECT_THAT(source.asked, ElementsAre("", "b"));
  EXPECT_EQ(result.nats.size(), 1u);
  // Where nothing else was shown in its place it goes on.
  ScriptedSource alone({{Piece("of"), Piece("=", {"c"})}, {End()}});
  EXPECT_EQ(Decode("f(a, ", ")", alone).middle, "ofc");
}

TEST_F(StreamedDecoderTest, AsksForASignAsLongAsTheMiddleIsBlank) {
  ScriptedSource source(
      {{Piece(" "), Piece(";", {"b"})}, {Piece("("), Piece(";", {"c"})}, {Piece(")"), End()}});
  (void)Decode("f(a, ", ")", source);
  EXPECT_THAT(source.asked, ElementsAre("", " b", " b(c"));
  EXPECT_THAT(source.openings, ElementsAre("+", "", ""));
}

TEST_F(StreamedDecoderTest, AsksForNoSignWhereATextMayBeBlank) {
  ScriptedSource source({{End()}});
  const GapText text(Budget(Gap::Open(language_, "a", ""), 8), Goal::kText, {});
  const auto result = DecodeStreamed(text, source, limits_);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->middle, "");
  EXPECT_THAT(source.openings, ElementsAre(""));
}

TEST_F(StreamedDecoderTest, GoesOnWhereTheServerEndsAtOnceAllTheSame) {
  ScriptedSource source({{End({")", "b"})}, {Piece("c"), End()}});
  EXPECT_EQ(Decode("f(a, ", ")", source).middle, "bc");
  EXPECT_THAT(source.openings, ElementsAre("+", ""));
}

TEST_F(StreamedDecoderTest, LetsAPartialWordBeWrittenAnew) {
  ScriptedSource source({{Piece(" n"), Piece("ame", {"o", "umber"}), Piece(";", {"("})}, {End()}});
  const DecodeResult result = Decode("f(a, na", ", b)", source, " na");
  EXPECT_EQ(result.middle, "me");
  EXPECT_EQ(result.statistics.wasted, 1);
  EXPECT_THAT(source.asked, ElementsAre(""));
  EXPECT_THAT(source.openings, ElementsAre(" na+"));
  // `ame` has e^-0.5; nothing else that was shown goes on with `a`.
  ASSERT_EQ(result.nats.size(), 2u);
  EXPECT_EQ(result.nats[1].end_bytes, 2u);
  EXPECT_NEAR(result.nats[1].nats, 0, 1e-9);
}

TEST_F(StreamedDecoderTest, AsksOnBehindAWordThatWasWrittenAnew) {
  ScriptedSource source({{Piece(" name"), Piece("("), Piece(";", {"b"})}, {Piece(")"), End()}});
  EXPECT_EQ(Decode("f(a, na", ")", source, " na").middle, "me(b)");
  EXPECT_THAT(source.asked, ElementsAre("", " name(b"));
}

TEST_F(StreamedDecoderTest, ShowsAPartialWordToAServerThatDoesNotWriteIt) {
  for (const TextPiece& wrong : {Piece(" no"), Piece("+"), End()}) {
    ScriptedSource source({{wrong, Piece("lost")}, {Piece("me"), End()}});
    EXPECT_EQ(Decode("f(a, na", ")", source, " na").middle, "me");
    EXPECT_THAT(source.asked, ElementsAre("", " na"));
    EXPECT_THAT(source.openings, ElementsAre(" na+", "+"));
  }
}

TEST_F(StreamedDecoderTest, KeepsTheBeginningOfARefusedPieceThatCutsNoWord) {
  ScriptedSource source({{Piece("(b]c")}, {Piece(")"), End()}});
  EXPECT_EQ(Decode("f(a, ", ")", source).middle, "(b)");
  EXPECT_THAT(source.asked, ElementsAre("", "(b"));
}

TEST_F(StreamedDecoderTest, EndsWhereItMayAtARefusedPiece) {
  ScriptedSource source({{Piece("b"), Piece(";")}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "b");
  EXPECT_EQ(result.ended, Ended::kStop);
  EXPECT_EQ(result.statistics.requests, 1);
}

TEST_F(StreamedDecoderTest, ClosesWhatTheServerEndsTooEarly) {
  ScriptedSource source({{Piece("g"), Piece("("), Piece("b"), End()}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_EQ(result.middle, "g(b)");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(result.statistics.requests, 1);
}

TEST_F(StreamedDecoderTest, EndsTheLineWhereTheServerEndsAfterAColon) {
  language_ = *Language::Compile(
      "start: \"if\" NAME \":\" NEWLINE NAME [NEWLINE]\n"
      "NAME: /[a-z]+/\nNEWLINE: /\\n/\n%ignore / +/\n",
      "lines.lark");
  ScriptedSource source({{Piece("if a:"), End({" b"})}, {Piece("  b"), End()}});
  EXPECT_EQ(Decode("", "\n", source).middle, "if a:\n  b");
  EXPECT_THAT(source.asked, ElementsAre("", "if a:\n"));
}

TEST_F(StreamedDecoderTest, ClosesWhereNothingThatIsShownFits) {
  ScriptedSource source({{Piece(";", {"]", "!"})}});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_TRUE(IsMember("f(a, ", result.middle, ")")) << result.middle;
  EXPECT_EQ(result.ended, Ended::kWitness);
}

TEST_F(StreamedDecoderTest, AsksAFewTimesAlone) {
  std::vector<Script> scripts;
  for (int i = 0; i < 20; ++i) scripts.push_back({Piece(";", {"("})});
  ScriptedSource source(std::move(scripts));
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_TRUE(IsMember("f(a, ", result.middle, ")")) << result.middle;
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_LE(result.statistics.requests, kMaxRequests);
}

TEST_F(StreamedDecoderTest, StaysWithinItsTokens) {
  limits_.max_tokens = 8;
  ScriptedSource source({Script(30, Piece("("))});
  const DecodeResult result = Decode("f(a, ", ")", source);
  EXPECT_TRUE(IsMember("f(a, ", result.middle, ")")) << result.middle;
  EXPECT_LE(result.middle.size(), 8u);  // a token a byte
  EXPECT_EQ(result.statistics.requests, 1);
}

TEST_F(StreamedDecoderTest, CutsNoWordForWhichThereIsNoRoom) {
  limits_.max_tokens = 3;
  ScriptedSource source({{Piece("b"), Piece("+c"), Piece("d")}});
  const DecodeResult result = Decode("g(f(a, ", ")", source);
  EXPECT_EQ(result.middle, "b)");
  EXPECT_EQ(result.ended, Ended::kWitness);
  EXPECT_EQ(result.nats.size(), 1u);
}

TEST_F(StreamedDecoderTest, FailsWithTheServersWords) {
  ScriptedSource source({{Piece("b")}});
  source.fault = {StreamFault::Kind::kServer, "127.0.0.1:1: its answer broke off"};
  const auto result = DecodeStreamed(Open("f(a, ", ")"), source, limits_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "127.0.0.1:1: its answer broke off");
}

TEST_F(StreamedDecoderTest, IsCutBackToItsLastGoodEndInTime) {
  limits_.deadline = Deadline(std::chrono::milliseconds(100),
                              [] { return std::chrono::steady_clock::time_point(); });
  ScriptedSource source({{Piece("b"), Piece(" +"), Piece(" c")}});
  source.fault = {StreamFault::Kind::kLate, "late"};
  const DecodeResult result = Decode("f(a, ", ", d)", source);
  EXPECT_EQ(result.middle, "b");
  EXPECT_EQ(result.ended, Ended::kTime);
}

TEST_F(StreamedDecoderTest, IsCancelled) {
  ScriptedSource source({{Piece("b")}});
  source.fault = {StreamFault::Kind::kCancelled, ""};
  EXPECT_TRUE(Decode("f(a, ", ")", source).cancelled);
}

TEST_F(StreamedDecoderTest, WritesForcedTextItself) {
  language_ =
      *Language::Compile("start: \"[\" NAME \"=\" NAME \"]\"\nNAME: /[a-z]+/\n", "toy.lark");
  ScriptedSource source({{Piece("a"), Piece("="), Piece("b"), End()}});
  const DecodeResult result = Decode("", "]", source);
  EXPECT_EQ(result.middle, "[a=b");
  EXPECT_THAT(source.asked, ElementsAre("["));
  EXPECT_EQ(result.statistics.forced, 1);
}

// Random pieces of random sizes, as a server of any tokenizer, or none, may send them.
TEST_F(StreamedDecoderTest, MakesMembersOfAnyText) {
  std::mt19937 random(1);
  const std::vector<std::string> words = {"a", "bc", "(",  ")",  "))",    " + ",  "+", ",",  ", d",
                                          ";", "\n", "(e", "f)", ") + g", "\xff", "",  "x)]"};
  const auto any = [&] { return words[random() % words.size()]; };
  for (int round = 0; round < 300; ++round) {
    std::vector<Script> scripts;
    for (int request = 0; request < kMaxRequests; ++request) {
      Script script;
      for (size_t n = random() % 30; n > 0; --n)
        script.push_back(random() % 12 == 0 ? End({any()}) : Piece(any(), {any(), any()}));
      scripts.push_back(std::move(script));
    }
    ScriptedSource source(std::move(scripts));
    const bool call = round % 2 == 0;
    const std::string left = call ? "f(a, " : "f(", right = call ? ")" : ", b) + c";
    const DecodeResult result = Decode(left, right, source);
    ASSERT_TRUE(result.closed) << round;
    EXPECT_TRUE(IsMember(left, result.middle, right)) << round << ": " << result.middle;
  }
}

}  // namespace
}  // namespace tenon::server
