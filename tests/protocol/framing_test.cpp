#include "protocol/framing.h"

#include <malloc.h>

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

// What a stream gives: bodies as they are, errors as "! message".
std::vector<std::string> Read(std::string_view stream, size_t chunk_bytes,
                              FramingLimits limits = {}) {
  FrameReader reader(limits);
  std::vector<std::string> out;
  for (size_t at = 0; at < stream.size(); at += chunk_bytes) {
    reader.Append(stream.substr(at, chunk_bytes));
    while (const auto frame = reader.Next()) {
      const auto* error = std::get_if<FramingError>(&*frame);
      out.push_back(error != nullptr ? "! " + error->message : std::get<std::string>(*frame));
    }
  }
  return out;
}

std::vector<std::string> ReadBothWays(std::string_view stream, FramingLimits limits = {}) {
  auto whole = Read(stream, stream.size(), limits);
  EXPECT_EQ(Read(stream, 1, limits), whole) << "one byte at a time differs for: " << stream;
  return whole;
}

using Strings = std::vector<std::string>;

TEST(FrameReader, ReadsMessagesFedWholeOrOneByteAtATime) {
  const std::string stream = EncodeFrame("{\"a\":1}") + EncodeFrame("") + EncodeFrame("[2]");
  EXPECT_EQ(ReadBothWays(stream), (Strings{"{\"a\":1}", "", "[2]"}));
}

TEST(FrameReader, ToleratesOtherHeadersCasesAndLineEnds) {
  EXPECT_EQ(ReadBothWays(
                "content-LENGTH:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}"),
            Strings{"{}"});
  EXPECT_EQ(ReadBothWays(
                "X-Y: z\r\nContent-Length:   2  \r\n\r\n{}\r\n\r\nContent-Length: 2\r\n\r\n[]\n"),
            (Strings{"{}", "[]"}));
}

TEST(FrameReader, ReportsABrokenHeaderOnceAndGoesOnAtTheNextGoodOne) {
  const std::string good = EncodeFrame("{}");
  struct Case {
    const char* broken;
    const char* says;
  };
  const Case cases[] = {
      {"Content-Length: abc\r\n\r\n{\"lost\":1}", "'abc' is not a number"},
      {"Content-Length: -5\r\n\r\n{}", "'-5' is not a number"},
      {"Content-Length:\r\n\r\n{}", "'' is not a number"},
      {"Content-Type: x\r\n\r\n{\"lost\":1}", "without Content-Length"},
      {"no header at all\r\n", "'no header at all' is not a header line"},
      {"Content-Length: 99999999999\r\n\r\n{\"lost\":1}", "99999999999 bytes is refused"},
      {"Content-Length: 99999999999999999999999999\r\n\r\n{\"lost\":1}", "is refused"},
      {"\x01\x02\xff\n", "'\x3f?\?' is not a header line"},
  };
  for (const Case& c : cases) {
    const Strings read = ReadBothWays(std::string(c.broken) + good + good);
    ASSERT_EQ(read.size(), 3U) << c.broken;
    EXPECT_EQ(read[0].rfind("! ", 0), 0U);
    EXPECT_NE(read[0].find(c.says), std::string::npos) << read[0];
    EXPECT_EQ(read[1], "{}");
    EXPECT_EQ(read[2], "{}");
  }
}

std::string Announced(size_t bytes, std::string_view body) {
  return "Content-Length: " + std::to_string(bytes) + "\r\n\r\n" + std::string(body);
}

TEST(FrameReader, AContentLengthThatIsTooShortCostsItsMessageAlone) {
  const std::string body = R"({"id":1,"method":"m"})";
  const std::string good = EncodeFrame("{}");
  for (size_t bytes = 0; bytes < body.size(); ++bytes) {
    const Strings read = ReadBothWays(Announced(bytes, body) + good + good);
    ASSERT_EQ(read.size(), 4U) << bytes;
    EXPECT_EQ(read[0], body.substr(0, bytes));
    EXPECT_EQ(read[1].rfind("! ", 0), 0U) << read[1];
    EXPECT_EQ(read[2], "{}");
    EXPECT_EQ(read[3], "{}");
  }
}

TEST(FrameReader, AContentLengthThatIsTooLongCostsNoMessage) {
  const std::string body = R"({"id":1,"method":"m"})";
  const std::string good = EncodeFrame("{}");
  for (const size_t more :
       {size_t{1}, size_t{7}, good.size() - 3, good.size(), size_t{10'000'000}}) {
    EXPECT_EQ(ReadBothWays(Announced(body.size() + more, body) + good + good),
              (Strings{body, "{}", "{}"}))
        << more;
  }
}

TEST(FrameReader, TheTextOfAHeaderInABodyIsNoHeader) {
  for (const std::string body :
       {R"({"text":"Content-Length: 5\r\n\r\nhello"})", R"({"text":"Content-Length: 5"})",
        R"(["Content-Length:", "Content-Length: 12", "Content-Length: \n"])"})
    EXPECT_EQ(ReadBothWays(EncodeFrame(body) + EncodeFrame("{}")), (Strings{body, "{}"}));
}

TEST(FrameReader, AnEndlessHeaderIsRefusedAndMemoryStaysSmall) {
  FrameReader reader(FramingLimits{1000, 100});
  int errors = 0;
  for (int i = 0; i < 1000; ++i) {
    reader.Append("Content-Type: xxxxxxxxxxxxxxxxxxxx");
    while (const auto frame = reader.Next()) ++errors;
  }
  EXPECT_EQ(errors, 1);
  reader.Append("\r\n\r\n" + EncodeFrame("{}"));
  const auto frame = reader.Next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(std::get<std::string>(*frame), "{}");
}

TEST(FrameReader, TheBodyLimitIsExact) {
  const FramingLimits limits{10, 100};
  EXPECT_EQ(ReadBothWays(EncodeFrame("0123456789"), limits), Strings{"0123456789"});
  const Strings refused = ReadBothWays(EncodeFrame("0123456789x"), limits);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_NE(refused[0].find("at most 10 bytes"), std::string::npos);
}

// Blocks of this size come from the system and go back to it.
TEST(FrameReader, GivesTheMemoryOfALargeMessageBack) {
  const auto from_system = [] { return mallinfo2().hblkhd; };
  FrameReader reader;
  const size_t before = from_system();
  reader.Append("Content-Length: 41943040\r\n\r\n");
  reader.Append(std::string(size_t{40} << 20, 'x'));
  EXPECT_TRUE(reader.Next().has_value());
  EXPECT_LE(from_system(), before + FrameReader::kMaxKeptBytes);
}

TEST(FrameReader, KnowsWhetherTheStreamMayEnd) {
  FrameReader reader;
  EXPECT_TRUE(reader.AtBoundary());
  reader.Append("Content-Length: 2\r\n\r\n{");
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_FALSE(reader.AtBoundary());
  reader.Append("}");
  EXPECT_TRUE(reader.Next().has_value());
  EXPECT_TRUE(reader.AtBoundary());
}

TEST(FrameReader, RandomBytesNeverStopAGoodMessageBehindThem) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    static constexpr std::string_view kPieces[] = {
        "Content-Length: ", "3", "\r\n", "\r\n\r\n", "{", "x", ":", "\xff", "c"};
    std::string noise;
    for (unsigned i = random() % 20; i > 0; --i) noise += kPieces[random() % std::size(kPieces)];
    Strings read = Read(noise + "\n\n" + EncodeFrame("{\"n\":1}") + EncodeFrame("{\"n\":2}") +
                            EncodeFrame("{\"n\":3}"),
                        1 + random() % 7);
    ASSERT_FALSE(read.empty()) << "seed " << seed;
    EXPECT_EQ(read.back(), "{\"n\":3}") << "seed " << seed << " noise " << noise;
  }
}

}  // namespace
}  // namespace tenon::protocol
