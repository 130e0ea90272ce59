#include "model/file/panel_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/model/panel_image.h"

namespace tenon::model {
namespace {

using ::testing::HasSubstr;

// "is damaged", or why else these bytes are refused; empty: they are read.
std::string Refusal(std::span<const std::byte> bytes, const PanelKey& key = SamplePanelKey()) {
  const auto file = PanelFile::Parse(bytes, key);
  return file ? "" : file.error();
}

TEST(PanelFile, HoldsTheStretchesOfEachTensor) {
  const PanelImage bytes = SamplePanelFile();
  const auto file = PanelFile::Parse(bytes.span(), SamplePanelKey());
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->model_path(), kSampleModelPath);
  EXPECT_TRUE(file->HashIsRight());
  const auto second = file->Find("blk.0.attn_q.weight", 64, 32);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->rows, 96U);
  EXPECT_EQ(second->columns, 256U);
  EXPECT_EQ(second->format, 7U);
  EXPECT_EQ(second->data.size(), 128U);
  EXPECT_EQ(second->data[0], std::byte{3});
  for (const PanelStretch& written : SampleStretches()) {
    const auto read = file->Find(written.tensor, written.first, written.count);
    ASSERT_TRUE(read) << written.tensor << ' ' << written.first;
    EXPECT_TRUE(
        std::equal(read->data.begin(), read->data.end(), written.data.begin(), written.data.end()));
  }
}

TEST(PanelFile, KnowsNoRowsButThose) {
  const PanelImage bytes = SamplePanelFile();
  const auto file = PanelFile::Parse(bytes.span(), SamplePanelKey());
  ASSERT_TRUE(file) << file.error();
  EXPECT_FALSE(file->Find("blk.1.attn_q.weight", 64, 32));
  EXPECT_FALSE(file->Find("blk.0.attn_q.weight", 64, 31));
  EXPECT_FALSE(file->Find("blk.0.attn_q.weight", 65, 32));
  EXPECT_FALSE(file->Find("blk.0.attn_q.weight", 96, 32));
}

TEST(PanelFile, IsRefusedWhereItIsCutShort) {
  const PanelImage whole = SamplePanelFile();
  ASSERT_TRUE(Refusal(whole.span()).empty());
  const size_t table_end = PanelFile::kHeaderBytes + whole.table_bytes();
  for (size_t size = 0; size <= table_end; ++size)
    EXPECT_EQ(Refusal(whole.span().first(size)), "is cut short") << size;
  for (const size_t size : {PanelFile::kPayloadAlignment - 1, PanelFile::kPayloadAlignment,
                            PanelFile::kPayloadAlignment + 1, whole.size() - 1})
    EXPECT_EQ(Refusal(whole.span().first(size)), "is cut short") << size;
}

TEST(PanelFile, IsRefusedWhereItHasGrown) {
  PanelImage longer = SamplePanelFile();
  longer.Append(64);
  EXPECT_EQ(Refusal(longer.span()), "is damaged");
}

TEST(PanelFile, IsRefusedForEachFlippedBitOfItsHeadAndFailsItsHashForOneOfItsPayload) {
  PanelImage bytes = SamplePanelFile();
  const size_t table_end = PanelFile::kHeaderBytes + bytes.table_bytes();
  for (size_t at = 0; at < table_end; ++at) {
    for (const int bit : {0, 3, 7}) {
      bytes[at] ^= std::byte{1} << bit;
      EXPECT_FALSE(Refusal(bytes.span()).empty()) << "byte " << at << ", bit " << bit;
      bytes[at] ^= std::byte{1} << bit;
    }
  }
  for (size_t at = PanelFile::kPayloadAlignment; at < bytes.size(); ++at) {
    bytes[at] ^= std::byte{16};
    const auto file = PanelFile::Parse(bytes.span(), SamplePanelKey());
    ASSERT_TRUE(file) << file.error();
    EXPECT_FALSE(file->HashIsRight()) << at;
    bytes[at] ^= std::byte{16};
  }
}

TEST(PanelFile, SaysWhoseItIs) {
  PanelImage bytes = SamplePanelFile();
  PanelKey key = SamplePanelKey();
  key.layout++;
  EXPECT_THAT(Refusal(bytes.span(), key), HasSubstr("another version of the program"));
  for (int i = 0; i < 4; ++i) {
    key = SamplePanelKey();
    if (i == 0) key.model_bytes++;
    if (i == 1) key.model_changed_ns++;
    if (i > 1) key.model_print[i - 2]++;
    EXPECT_THAT(Refusal(bytes.span(), key), HasSubstr("another file")) << i;
  }
  bytes[8] = std::byte{9};
  EXPECT_THAT(Refusal(bytes.span()), HasSubstr("has format 9"));
  bytes[0] = std::byte{'G'};
  EXPECT_EQ(Refusal(bytes.span()), "is no panel file");
}

// The hash of the head is right in these: only the checks of the fields can find them out.
TEST(PanelFile, LiesAreFoundOut) {
  const PanelImage right = SamplePanelFile();
  const size_t table = PanelFile::kHeaderBytes;
  // Of the first tensor, blk.0.attn_q.weight; its name follows the model's path.
  const size_t name = table + 4 + std::strlen(kSampleModelPath);
  const size_t fields = name + 4 + std::strlen("blk.0.attn_q.weight");
  const size_t stretches = fields + 12, first_stretch = fields + 16;
  struct Lie {
    const char* about;
    size_t at;
    uint32_t value;
  };
  const Lie lies[] = {{"number of tensors, too few", 12, 1},
                      {"number of tensors, too many", 12, 3},
                      {"number of tensors, far too many", 12, 0xffffffff},
                      {"bytes of the table, too few", 56, 40},
                      {"bytes of the table, too many", 56, 1 << 30},
                      {"offset of the payload", 64, 4096},
                      {"offset of the payload, behind the end", 68, 1},
                      {"bytes of the payload", 72, 64},
                      {"bytes of the payload, far too many", 76, 0xffffffff},
                      {"length of the path", table, 1 << 20},
                      {"length of a name", name, 0xffffffff},
                      {"rows of the tensor", fields + 4, 33},
                      {"number of stretches", stretches, 0x10000000},
                      {"number of stretches, too few", stretches, 1},
                      {"a first row behind the next one", first_stretch, 80},
                      {"no rows", first_stretch + 4, 0},
                      {"too many rows", first_stretch + 4, 0xffffffff},
                      {"an offset amid a line", first_stretch + 8, 32},
                      {"an offset behind the payload", first_stretch + 8, 1 << 20},
                      {"an offset far behind it", first_stretch + 12, 0xffffffff},
                      {"bytes behind the payload", first_stretch + 16, 64 * 7},
                      {"far more bytes", first_stretch + 20, 0xffffffff}};
  for (const Lie& lie : lies) {
    PanelImage bytes = right;
    bytes.Put(lie.at, lie.value);
    if (bytes.table_bytes() <= bytes.size() - PanelFile::kHeaderBytes) bytes.HashHead();
    EXPECT_FALSE(Refusal(bytes.span()).empty()) << lie.about;
  }
}

TEST(PanelFile, ATensorIsThereOnce) {
  PanelImage bytes = PanelFileOf({SampleStretch("aa", 0, 1), SampleStretch("bb", 0, 1)});
  ASSERT_TRUE(Refusal(bytes.span()).empty());
  const auto head = bytes.span().first(PanelFile::kHeaderBytes + bytes.table_bytes());
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const size_t at = text.find("bb");
  ASSERT_NE(at, std::string_view::npos);
  bytes[at] = bytes[at + 1] = std::byte{'a'};
  bytes.HashHead();
  EXPECT_EQ(Refusal(bytes.span()), "is damaged");
}

}  // namespace
}  // namespace tenon::model
