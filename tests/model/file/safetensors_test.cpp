#include "model/file/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "tests/model/safetensors_writer.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(const std::vector<std::byte>& bytes) {
  const auto file = SafetensorsFile::Parse(bytes, "x.safetensors");
  return file ? "" : file.error().message;
}

SafetensorsWriter TwoTensors() {
  SafetensorsWriter writer;
  writer.Metadata("format", "pt")
      .Floats("a", {2, 3}, {1, 2, 3, 4, 5, 6})
      .Halves("b", {2}, {0x3c00, 0xc000});
  return writer;
}

TEST(Safetensors, ReadsTensorsOfThreeTypes) {
  auto writer = TwoTensors();
  writer.Halves("c", {1, 2}, {0x3f80, 0xc000}, "BF16");
  const auto bytes = writer.Bytes();
  const auto file = SafetensorsFile::Parse(bytes, "x.safetensors");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  ASSERT_EQ(file->tensors().size(), 3u);
  EXPECT_THAT(file->Find("a")->shape, ElementsAre(2, 3));
  EXPECT_THAT(ToFloats(*file->Find("a")), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(ToFloats(*file->Find("b")), ElementsAre(1, -2));
  EXPECT_THAT(ToFloats(*file->Find("c")), ElementsAre(1, -2));
  EXPECT_EQ(file->Find("d"), nullptr);
  EXPECT_EQ(file->metadata().at("format"), "pt");
}

TEST(Safetensors, ReadsScalarsEmptyTensorsAndBlanksAfterTheHeader) {
  SafetensorsWriter writer;
  writer.Floats("scalar", {}, {7}).Floats("empty", {3, 0}, {}).Floats("last", {1}, {8});
  const std::string seven_and_eight("\0\0\xe0\x40\0\0\0\x41", 8);
  const auto bytes = SafetensorsBytes(writer.Header() + "   ", seven_and_eight);
  const auto file = SafetensorsFile::Parse(bytes, "x.safetensors");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_THAT(ToFloats(*file->Find("scalar")), ElementsAre(7));
  EXPECT_EQ(file->Find("empty")->elements(), 0u);
  EXPECT_THAT(ToFloats(*file->Find("last")), ElementsAre(8));
}

TEST(Safetensors, ReadsTensorsThatAreNotInTheOrderOfTheirData) {
  const auto bytes = SafetensorsBytes(
      R"({"z": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]},
          "a": {"dtype": "F16", "shape": [1], "data_offsets": [2, 4]}})",
      std::string("\0\x3c\0\x40", 4));
  const auto file = SafetensorsFile::Parse(bytes, "x.safetensors");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->tensors()[0].name, "z");
  EXPECT_THAT(ToFloats(*file->Find("z")), ElementsAre(1));
  EXPECT_THAT(ToFloats(*file->Find("a")), ElementsAre(2));
}

TEST(Safetensors, RefusesAFileCutAtAnyByte) {
  const auto whole = TwoTensors().Bytes();
  ASSERT_EQ(ErrorOf(whole), "");
  for (size_t size = 0; size < whole.size(); ++size) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    cut.shrink_to_fit();
    ASSERT_THAT(ErrorOf(cut), AllOf(HasSubstr("x.safetensors: "), HasSubstr("fetch it again")))
        << size;
  }
  auto longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_THAT(ErrorOf(longer), HasSubstr("ends at 28, the file's data has 29 bytes"));
}

// The error of a header beside eight bytes of data.
std::string ErrorOfHeader(std::string_view header) {
  return ErrorOf(SafetensorsBytes(header, "12345678"));
}
// The error of one tensor w, whose entry has these members.
std::string ErrorOfEntry(std::string_view members) {
  return ErrorOfHeader(fmt::format(R"({{"w": {{{}}}}})", members));
}

TEST(Safetensors, NamesWhatIsWrongWithTheHeader) {
  EXPECT_THAT(ErrorOf(SafetensorsBytes("{}", "", ~uint64_t{0})),
              HasSubstr("at byte 0: the header claims 18446744073709551615 bytes, 2 are left"));
  EXPECT_THAT(ErrorOfHeader("[]"), HasSubstr("at byte 8: the header begins with no brace"));
  EXPECT_THAT(ErrorOfHeader(""), HasSubstr("at byte 8: the header begins with no brace"));
  EXPECT_THAT(ErrorOfHeader(R"({"a" 1})"), HasSubstr("at byte 13: this is not JSON"));
  EXPECT_THAT(ErrorOfHeader("{\"\xff\": 1}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(ErrorOfHeader("{} {}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(ErrorOfHeader(R"({"a": 1e999})"), HasSubstr("a number that is too large"));
  EXPECT_THAT(ErrorOfHeader(R"({"a": [[[[]]]]})"), HasSubstr("more than 3 brackets are nested"));
  EXPECT_THAT(ErrorOfHeader("{\"a\": " + std::string(100'000, '[')), HasSubstr("x.safetensors"));
  EXPECT_THAT(ErrorOfHeader(R"({"__metadata__": {}, "__metadata__": {}})"),
              HasSubstr("\"__metadata__\" is there twice"));
  EXPECT_THAT(ErrorOfEntry(R"("dtype": "F32", "dtype": "F32")"),
              HasSubstr("\"dtype\" is there twice"));
  EXPECT_THAT(ErrorOfHeader(R"({"__metadata__": {"a": 1}})"), HasSubstr("a of __metadata__"));
  EXPECT_THAT(ErrorOfHeader(R"({"__metadata__": 1})"), HasSubstr("__metadata__"));
  EXPECT_THAT(ErrorOfHeader("{}"), HasSubstr("ends at 0, the file's data has 8 bytes"));
  EXPECT_THAT(ErrorOfHeader("{}" + std::string((size_t{16} << 20) - 1, ' ')),
              HasSubstr("a header of 16777217 bytes, and at most 16777216 are read; take"));
}

TEST(Safetensors, NamesTheTensorThatIsWrong) {
  const auto error_of = [](const char* dtype, const char* shape, const char* offsets) {
    return ErrorOfEntry(
        fmt::format(R"("dtype": {}, "shape": {}, "data_offsets": {})", dtype, shape, offsets));
  };
  ASSERT_EQ(error_of("\"F32\"", "[2]", "[0, 8]"), "");
  EXPECT_THAT(error_of("\"I64\"", "[1]", "[0, 8]"),
              AllOf(HasSubstr("x.safetensors: tensor w: its dtype is I64"),
                    HasSubstr("reads F32, F16 and BF16")));
  EXPECT_THAT(error_of("1", "[2]", "[0, 8]"), HasSubstr("tensor w: its dtype"));
  for (const char* shape : {"[-2]", "[2.0]", "2", "[\"2\"]", "[18446744073709551616]",
                            "[1, 1, 1, 1, 1, 1, 1, 1, 2]", "null"})
    EXPECT_THAT(error_of("\"F32\"", shape, "[0, 8]"), HasSubstr("tensor w: its shape")) << shape;
  EXPECT_THAT(error_of("\"F32\"", "[3]", "[0, 8]"),
              HasSubstr("its shape takes 12 bytes, its data at 0 has 8"));
  // 2^62 * 4 is zero in 64 bits.
  EXPECT_THAT(error_of("\"F32\"", "[4611686018427387904]", "[0, 0]"),
              HasSubstr("takes more than 2^64 bytes"));
  EXPECT_THAT(error_of("\"F32\"", "[4294967296, 4294967296]", "[0, 8]"), HasSubstr("2^64"));
  for (const char* offsets : {"[0]", "[0, 8, 8]", "[-1, 7]", "8", "null"})
    EXPECT_THAT(error_of("\"F32\"", "[2]", offsets), HasSubstr("no two offsets")) << offsets;
  for (const char* offsets : {"[8, 0]", "[4, 12]", "[18446744073709551612, 4]"})
    EXPECT_THAT(error_of("\"F32\"", "[2]", offsets), HasSubstr("is said to be at")) << offsets;
  EXPECT_THAT(ErrorOfHeader(R"({"w": []})"), HasSubstr("tensor w: its dtype"));
}

TEST(Safetensors, RefusesGapsAndOverlaps) {
  const auto error_of = [](int begin, int end) {
    return ErrorOfHeader(fmt::format(
        R"({{"a": {{"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}},
             "w": {{"dtype": "F16", "shape": [{}], "data_offsets": [{}, {}]}}}})",
        (end - begin) / 2, begin, end));
  };
  EXPECT_EQ(error_of(4, 8), "");
  EXPECT_THAT(error_of(2, 8), HasSubstr("tensor w: its data begins at 2, the data before it ends "
                                        "at 4"));
  EXPECT_THAT(error_of(6, 8), HasSubstr("begins at 6"));
  EXPECT_THAT(error_of(0, 8), HasSubstr("tensor w: its data begins at 0"));
}

TEST(Safetensors, SurvivesRandomDamage) {
  const auto whole = TwoTensors().Bytes();
  std::mt19937 random(20261123);
  size_t refused = 0;
  for (int round = 0; round < 5000; ++round) {
    auto bytes = whole;
    for (int i = 0; i < 1 + round % 4; ++i)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    const auto file = SafetensorsFile::Parse(bytes, "x.safetensors");
    refused += !file;
    if (!file) continue;
    for (const SafetensorsTensor& tensor : file->tensors())
      ASSERT_EQ(ToFloats(tensor).size(), tensor.elements());
  }
  EXPECT_GT(refused, 2500u);
}

TEST(Safetensors, OpensAFileAndSaysWhyNot) {
  EXPECT_THAT(
      SafetensorsFile::Open("/nonexistent/x").error().message,
      AllOf(HasSubstr("/nonexistent/x: cannot be opened"), HasSubstr("name a safetensors")));
  const std::string path = ::testing::TempDir() + "/tenon_safetensors_test";
  const auto bytes = TwoTensors().Bytes();
  std::FILE* out = std::fopen(path.c_str(), "wb");
  ASSERT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
  std::fclose(out);
  auto file = SafetensorsFile::Open(path);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  // The mapping goes with the copies of the object.
  const SafetensorsFile copy = *file;
  *file = *SafetensorsFile::Open(path);
  EXPECT_THAT(ToFloats(*copy.Find("b")), ElementsAre(1, -2));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tenon::model
