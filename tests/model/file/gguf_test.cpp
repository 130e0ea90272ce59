#include "model/file/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdio>
#include <random>

#include "tests/model/gguf_writer.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A copy of exactly the given size, so that a read past its end is a read past an allocation.
std::vector<std::byte> Exactly(const std::vector<std::byte>& bytes, size_t size) {
  std::vector<std::byte> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  copy.shrink_to_fit();
  return copy;
}

std::string ErrorOf(const std::vector<std::byte>& bytes) {
  const auto file = GgufFile::Parse(bytes, "x.gguf");
  return file ? "" : file.error().message;
}

void PutU64(std::vector<std::byte>& bytes, size_t at, uint64_t value) {
  std::memcpy(bytes.data() + at, &value, 8);
}

TEST(Gguf, ReadsValuesOfEveryKind) {
  GgufWriter writer;
  writer.Unsigned("u", 7)
      .Real("r", 1.5f)
      .Bool("b", true)
      .Text("t", "text")
      .Texts("ts", {"a", "bc"});
  writer.Integers("is", {-1, 5})
      .Raw("u64", 10, std::string("\x01\0\0\0\0\0\0\0", 8))
      .Raw("i8", 1, "\xff");
  const auto bytes = writer.Bytes();
  const auto file = GgufFile::Parse(bytes, "x.gguf");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->Integer("u"), 7);
  EXPECT_EQ(file->Real("r"), 1.5);
  EXPECT_EQ(file->Bool("b"), true);
  EXPECT_EQ(file->String("t"), "text");
  EXPECT_THAT(*file->Strings("ts"), ::testing::ElementsAre("a", "bc"));
  EXPECT_THAT(*file->Integers("is"), ::testing::ElementsAre(-1, 5));
  EXPECT_EQ(file->Integer("u64"), 1);
  EXPECT_EQ(file->Integer("i8"), -1);
  EXPECT_EQ(file->Integer("t"), std::nullopt);
  EXPECT_EQ(file->Integer("absent"), std::nullopt);
}

TEST(Gguf, ReadsTensorsInVersionsTwoAndThree) {
  for (const uint32_t version : {2u, 3u}) {
    GgufWriter writer(version);
    writer.Floats("a", {3, 2}, {1, 2, 3, 4, 5, 6}).Floats("b", {1}, {9});
    const auto bytes = writer.Bytes();
    const auto file = GgufFile::Parse(bytes, "x.gguf");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const GgufTensor* a = file->FindTensor("a");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->columns(), 3u);
    EXPECT_EQ(a->rows(), 2u);
    EXPECT_EQ(a->data.size(), 24u);
    float last = 0;
    std::memcpy(&last, a->data.data() + 20, 4);
    EXPECT_EQ(last, 6);
    EXPECT_EQ(file->FindTensor("c"), nullptr);
  }
}

TEST(Gguf, RefusesAFileCutAtAnyByte) {
  TinyShape shape;
  shape.layers = 1;
  shape.control = {"<|endoftext|>"};
  const GgufWriter writer = TinyModel(shape);
  const auto whole = writer.Bytes();
  ASSERT_EQ(ErrorOf(whole), "");
  for (size_t size = 0; size < whole.size(); size += size < writer.header_bytes() + 64 ? 1 : 997) {
    const auto cut = Exactly(whole, size);
    const std::string error = ErrorOf(cut);
    ASSERT_THAT(error,
                AllOf(HasSubstr("x.gguf"), HasSubstr("at byte"), HasSubstr("fetch it again")))
        << size;
  }
  EXPECT_NE(ErrorOf(Exactly(whole, whole.size() - 1)), "");
}

TEST(Gguf, SurvivesLyingNumbersAtEveryPlace) {
  GgufWriter writer;
  writer.Unsigned("u", 7).Text("t", "text").Texts("ts", {"a", "bc"}).Integers("is", {-1, 5});
  writer.Floats("a", {3, 2}, {1, 2, 3, 4, 5, 6});
  const auto whole = writer.Bytes();
  size_t refused = 0;
  for (size_t at = 0; at + 8 <= whole.size(); ++at) {
    for (const uint64_t lie :
         {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}, ~uint64_t{0} >> 1, uint64_t{1} << 40}) {
      auto bytes = Exactly(whole, whole.size());
      PutU64(bytes, at, lie);
      refused += !ErrorOf(bytes).empty();
    }
  }
  EXPECT_GT(refused, whole.size());
}

TEST(Gguf, SurvivesRandomDamage) {
  const auto whole = TinyModel().Bytes();
  std::mt19937 random(20240607);
  for (int round = 0; round < 2000; ++round) {
    auto bytes = Exactly(whole, 3000 + random() % (whole.size() - 3000));
    for (int i = 0; i < 1 + round % 8; ++i)
      bytes[random() % 6000 % bytes.size()] = static_cast<std::byte>(random());
    const auto file = GgufFile::Parse(bytes, "x.gguf");
    if (!file) continue;
    for (const GgufTensor& tensor : file->tensors()) ASSERT_LE(tensor.data.size(), bytes.size());
  }
}

TEST(Gguf, NamesWhatItRefuses) {
  const auto error_of = [](const GgufWriter& writer) { return ErrorOf(writer.Bytes()); };
  EXPECT_THAT(error_of(GgufWriter(1)), HasSubstr("version 1"));
  EXPECT_THAT(error_of(GgufWriter(0x03000000)), HasSubstr("big-endian"));
  const std::vector<std::byte> block(144);
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {256}, 16, block)),
              AllOf(HasSubstr("tensor w has type IQ2_XXS"), HasSubstr("reads F32, F16"),
                    HasSubstr("IQ4_XS: take")));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {256}, 99, block)), HasSubstr("type number 99"));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {33}, 8, block)), HasSubstr("blocks of 32 Q8_0"));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {0}, 0, block)), HasSubstr("impossible size"));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {uint64_t{1} << 40, uint64_t{1} << 40}, 0, block)),
              HasSubstr("impossible size"));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {1, 1, 1, 1, 1}, 0, block)),
              HasSubstr("5 dimensions"));
  EXPECT_THAT(error_of(GgufWriter().Tensor("w", {4096}, 0, block)), HasSubstr("needs 16384 bytes"));
  EXPECT_THAT(error_of(GgufWriter().Floats("w", {1}, {1}).Floats("w", {1}, {1})),
              HasSubstr("tensor w is there twice"));
  EXPECT_THAT(error_of(GgufWriter().Bool("k", true).Bool("k", true)),
              HasSubstr("metadata k is there twice"));
  EXPECT_THAT(error_of(GgufWriter().Raw("k", 13, "")), HasSubstr("no type of a metadata value"));
  EXPECT_THAT(error_of(GgufWriter().Raw("k", 9, std::string("\x09\0\0\0\x01\0\0\0\0\0\0\0", 12))),
              HasSubstr("array of arrays"));
  std::string bytes_too_many(
      std::string("\0\0\0\0\x01\0\0\x01\0\0\0\0", 12));  // 2^24 + 1 of type u8
  bytes_too_many.resize(12 + (size_t{1} << 24) + 1);
  EXPECT_THAT(error_of(GgufWriter().Raw("k", 9, bytes_too_many)),
              HasSubstr("an array of 16777217 elements"));
  EXPECT_THAT(error_of(GgufWriter().Unsigned("general.alignment", 24)),
              HasSubstr("no power of two"));
  const std::string text = "this is plain text, not a model at all";
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  EXPECT_THAT(ErrorOf({bytes, bytes + text.size()}), HasSubstr("no GGUF file"));
}

TEST(Gguf, ReadsAHeadOfSomeMegabytesAlone) {
  // A text of 200 MiB, of which only the pages are there that are written to.
  constexpr size_t kBytes = size_t{201} << 20;
  constexpr uint64_t kTextBytes = uint64_t{200} << 20;
  void* mapped = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* bytes = static_cast<std::byte*>(mapped);
  const auto head = GgufWriter().Text("k", "").Bytes();
  constexpr size_t kLengthAt = 24 + 8 + 1 + 4;  // after the key's length, the key and the type
  std::memcpy(bytes, head.data(), head.size());
  std::memcpy(bytes + kLengthAt, &kTextBytes, sizeof kTextBytes);
  const auto file = GgufFile::Parse({bytes, kBytes}, "x.gguf");
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ModelErrorCode::kUnsupported);
  EXPECT_THAT(file.error().message, HasSubstr("more than 134217728 bytes; take a file"));
  ::munmap(mapped, kBytes);
}

TEST(Gguf, OpensAFileAndSaysWhyNot) {
  EXPECT_THAT(
      GgufFile::Open("/nonexistent/x.gguf").error().message,
      AllOf(HasSubstr("/nonexistent/x.gguf"), HasSubstr("No such file"), HasSubstr("tools/setup")));
  EXPECT_THAT(GgufFile::Open("/").error().message, HasSubstr("Is a directory"));
  const std::string path = ::testing::TempDir() + "/tenon_gguf_test.gguf";
  const auto bytes = GgufWriter().Floats("w", {2}, {1, 2}).Bytes();
  std::FILE* out = std::fopen(path.c_str(), "wb");
  ASSERT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
  std::fclose(out);
  const auto file = GgufFile::Open(path);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  // The mapping goes with the copies of the object.
  const GgufFile copy = *file;
  EXPECT_EQ(copy.FindTensor("w")->data.size(), 8u);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tenon::model
