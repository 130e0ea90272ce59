#include "model/inference/kept_panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "model/inference/llama_weights.h"
#include "tests/model/inference/loaded_model.h"
#include "tests/model/panel_image.h"
#include "tests/model/small_model.h"
#include "tests/model/tiny_folder.h"

namespace tenon::model {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A model in blocks, a folder for its panels, and what was said of them.
class KeptPanels : public ::testing::Test {
 protected:
  KeptPanels() : panels_(PanelPath()) { WriteModel(TinyModel({.in_blocks = true})); }
  ~KeptPanels() override { fs::remove_all(fs::path(panels_).parent_path()); }

  void WriteModel(const GgufWriter& writer) {
    const auto bytes = writer.Bytes();
    std::ofstream(model_path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] std::string model_path() const {
    return (fs::path(panels_).parent_path() / "m.gguf").string();
  }
  [[nodiscard]] PanelKey Key() const {
    return PanelKeyOf(*GgufFile::Open(model_path()), PanelLayout());
  }

  // What a process remembers of files, by this shelf.
  PanelShelf Shelf(std::vector<std::string> files) {
    PanelShelf shelf;
    shelf.files = std::move(files);
    shelf.is_known_whole = [this](const std::string&, const std::string& hash) {
      return known_.contains(hash);
    };
    shelf.found_whole = [this](const std::string&, const std::string& hash) {
      known_.insert(hash);
    };
    shelf.note = [this](const std::string& note) { notes_.push_back(note); };
    return shelf;
  }
  std::shared_ptr<const LlamaModel> LoadWith(std::vector<std::string> files) {
    LoadOptions options{2, Precision::kBlocks};
    options.panels = Shelf(std::move(files));
    auto model = LlamaModel::Load(model_path(), options);
    EXPECT_TRUE(model) << model.error().message;
    return *model;
  }
  std::shared_ptr<const LlamaModel> LoadWithPanels() { return LoadWith({panels_}); }

  // Of a prompt and a token after it.
  static std::vector<float> LogitsOf(const LlamaModel& model) {
    const auto session = model.NewSession();
    std::vector<float> logits = Copy(*session->Prefill(SomeTokens(40), {}));
    const std::vector<float> next = Copy(*session->Decode(TokenId{7}));
    logits.insert(logits.end(), next.begin(), next.end());
    return logits;
  }
  [[nodiscard]] PanelImage Bytes() const {
    std::ifstream in(panels_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return PanelImage(std::as_bytes(std::span(text)));
  }
  void Replace(const PanelImage& bytes) const {
    std::ofstream(panels_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.span().data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  // The file is of no use: the note says why, the model computes the same, and writes it anew.
  void ExpectItIsMadeAnew(const std::string& why) {
    known_.clear();
    notes_.clear();
    const auto model = LoadWithPanels();
    EXPECT_FALSE(model->found_panels()) << why;
    EXPECT_THAT(notes_, ElementsAre(HasSubstr(panels_ + ": " + why)));
    EXPECT_EQ(LogitsOf(*model), LogitsOf(*LoadWith({})));
    model->KeepPanels();
    EXPECT_TRUE(LoadWithPanels()->found_panels()) << why;
  }

  std::string panels_;
  std::set<std::string> known_;  // hashes
  std::vector<std::string> notes_;
};

TEST_F(KeptPanels, GiveTheSameLogits) {
  const std::vector<float> wanted = LogitsOf(*LoadWith({}));
  const auto first = LoadWithPanels();
  EXPECT_FALSE(first->found_panels());
  EXPECT_EQ(LogitsOf(*first), wanted);
  EXPECT_FALSE(fs::exists(panels_)) << "loading writes nothing";
  first->KeepPanels();
  ASSERT_TRUE(fs::exists(panels_));
  const auto second = LoadWithPanels();
  EXPECT_TRUE(second->found_panels());
  EXPECT_EQ(LogitsOf(*second), wanted);
  const auto written = fs::last_write_time(panels_);
  second->KeepPanels();
  EXPECT_EQ(fs::last_write_time(panels_), written) << "they are there";
  EXPECT_EQ(ModelPathIn(panels_), model_path());
}

// Bit for bit, of any model: what is in the file is what packing makes.
void ExpectRoundTrip(const std::string& model_path, const std::string& panels) {
  const auto file = GgufFile::Open(model_path);
  ASSERT_TRUE(file) << file.error().message;
  auto config = ReadLlamaConfig(*file);
  ASSERT_TRUE(config) << config.error().message;
  config->precision = Precision::kBlocks;
  config->threads = 2;
  const auto packed = PackLlamaWeights(*file, *config);
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_TRUE(packed->made_panels);
  const PanelKey key = PanelKeyOf(*file, PanelLayout());
  const auto before = packed->Panels();
  ASSERT_TRUE(WritePanelFile(panels, key, model_path, before));
  auto kept = PanelFile::Open(panels, key);
  ASSERT_TRUE(kept) << kept.error();
  const auto found = PackLlamaWeights(*file, *config, nullptr, {}, *std::move(kept));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->made_panels);
  const auto after = found->Panels();
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].tensor, before[i].tensor);
    EXPECT_EQ(after[i].first, before[i].first);
    ASSERT_EQ(after[i].data.size(), before[i].data.size());
    EXPECT_NE(after[i].data.data(), before[i].data.data());
    ASSERT_EQ(std::memcmp(after[i].data.data(), before[i].data.data(), after[i].data.size()), 0)
        << after[i].tensor << " " << after[i].first;
  }
}

TEST_F(KeptPanels, AreWhatPackingMakesBitForBit) { ExpectRoundTrip(model_path(), panels_); }

TEST_F(KeptPanels, OfTheSmallModelAreWhatPackingMakesBitForBit) {
  if (!fs::exists(SmallModelPath())) GTEST_SKIP() << kRunSetup;
  ExpectRoundTrip(SmallModelPath(), panels_);
}

TEST_F(KeptPanels, AreOfAnotherModelOnceItsFileChanges) {
  LoadWithPanels()->KeepPanels();
  ASSERT_TRUE(LoadWithPanels()->found_panels());
  WriteModel(TinyModel({.architecture = "qwen2", .in_blocks = true}));
  ExpectItIsMadeAnew("was made of another file, or of this one before it changed");
  const auto time = fs::last_write_time(model_path());
  fs::last_write_time(model_path(), time + std::chrono::seconds(1));
  ExpectItIsMadeAnew("was made of another file, or of this one before it changed");
}

TEST_F(KeptPanels, AreMadeAnewWhereTheFileIsDamaged) {
  LoadWithPanels()->KeepPanels();
  PanelImage flipped = Bytes();
  flipped[flipped.size() - 5] ^= std::byte{1};
  Replace(flipped);
  ExpectItIsMadeAnew("is damaged");
  const PanelImage whole = Bytes();
  for (const size_t size : {size_t{1}, PanelFile::kHeaderBytes + 10, whole.size() - 64}) {
    Replace(PanelImage(whole.span().first(size)));
    ExpectItIsMadeAnew("is cut short");
  }
  Replace(PanelImage(whole.span().first(0)));
  ExpectItIsMadeAnew("cannot be mapped, or is empty");
  PanelImage other = whole;
  other.Put(16, uint64_t{5});
  other.HashHead();
  Replace(other);
  ExpectItIsMadeAnew("was laid out by another version of the program");
}

TEST_F(KeptPanels, AFileThatWasFoundWholeIsNotReadForItAgain) {
  LoadWithPanels()->KeepPanels();
  EXPECT_THAT(known_, IsEmpty());
  ASSERT_TRUE(LoadWithPanels()->found_panels());
  EXPECT_EQ(known_.size(), 1U);
  PanelImage flipped = Bytes();
  flipped[flipped.size() - 5] ^= std::byte{1};
  Replace(flipped);
  EXPECT_TRUE(LoadWithPanels()->found_panels()) << "whoever remembers a file by its time sees that";
  known_.clear();
  EXPECT_FALSE(LoadWithPanels()->found_panels());
}

// A file with the right key and hash that lacks some rows, or has others' bytes.
TEST_F(KeptPanels, RowsThatTheFileLacksAreLaidOutAndKept) {
  const auto wanted = LogitsOf(*LoadWith({}));
  const auto file = GgufFile::Open(model_path());
  auto config = *ReadLlamaConfig(*file);
  config.precision = Precision::kBlocks;
  const auto packed = PackLlamaWeights(*file, config);
  ASSERT_TRUE(packed) << packed.error().message;
  for (int lie = 0; lie < 4; ++lie) {
    std::vector<PanelStretch> stretches = packed->Panels();
    for (PanelStretch& stretch : stretches) {
      if (stretch.tensor != "blk.1.ffn_up.weight") continue;
      if (lie == 1) stretch.format++;
      if (lie == 2) stretch.columns *= 2;
      if (lie == 3) stretch.data = stretch.data.first(stretch.data.size() - 64);
    }
    if (lie == 0) stretches.erase(stretches.begin());
    ASSERT_TRUE(WritePanelFile(panels_, Key(), model_path(), stretches));
    const auto model = LoadWithPanels();
    EXPECT_FALSE(model->found_panels()) << lie;
    EXPECT_EQ(LogitsOf(*model), wanted) << lie;
    model->KeepPanels();
    EXPECT_TRUE(LoadWithPanels()->found_panels()) << lie;
  }
}

TEST_F(KeptPanels, LieInTheNextFileWhereTheFirstCannotBeWritten) {
  const std::string nowhere = model_path() + "/m.panels";  // below a file
  LoadWith({nowhere, panels_})->KeepPanels();
  EXPECT_TRUE(LoadWith({nowhere, panels_})->found_panels());
  EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr(panels_), HasSubstr("are kept here"))));
  notes_.clear();
  const auto model = LoadWith({nowhere});
  model->KeepPanels();
  EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr(nowhere), HasSubstr("cannot be kept"))));
}

TEST_F(KeptPanels, TellHowMuchOfThemIsCheckedAndReadOnlyOnce) {
  LoadWithPanels()->KeepPanels();
  LoadOptions options{1, Precision::kBlocks};
  options.panels = Shelf({panels_});
  std::vector<std::pair<uint64_t, uint64_t>> heard;
  options.on_progress = [&](uint64_t read, uint64_t all) { heard.emplace_back(read, all); };
  ASSERT_TRUE(LlamaModel::Load(model_path(), options));
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.back().first, heard.back().second);
  heard.clear();
  ASSERT_TRUE(LlamaModel::Load(model_path(), options));
  EXPECT_TRUE(heard.empty()) << "the file is known to be whole";
}

TEST_F(KeptPanels, OfAFolderAreMadeOfItsFloatsOnce) {
  const TemporaryFolder folder;
  const auto load = [&] {
    LoadOptions options{2};
    options.panels = Shelf({panels_});
    auto model = LlamaModel::Load(folder.path(), options);
    EXPECT_TRUE(model) << model.error().message;
    return *model;
  };
  auto config = TinyConfig("qwen2");
  config["vocab_size"] = 300;
  WriteTinyFolder(folder, config, 2, "BF16");
  const auto first = load();
  EXPECT_TRUE(first->has_panels());
  EXPECT_FALSE(first->found_panels());
  first->KeepPanels();
  EXPECT_EQ(ModelPathIn(panels_), folder.path());
  EXPECT_TRUE(load()->found_panels());
  EXPECT_EQ(LogitsOf(*load()), LogitsOf(*first));
  // One of its files is another one, or a tensor is taken from elsewhere.
  const std::string shard = folder.PathOf("model-00001-of-00002.safetensors");
  const auto time = fs::last_write_time(shard);
  fs::last_write_time(shard, time - std::chrono::seconds(1));
  EXPECT_FALSE(load()->found_panels());
  fs::last_write_time(shard, time);
  EXPECT_TRUE(load()->found_panels());
  WriteTinyFolder(folder, config, 1, "BF16");
  fs::remove(folder.PathOf("model.safetensors.index.json"));
  EXPECT_FALSE(load()->found_panels());
}

TEST_F(KeptPanels, AreOnlyOfWeightsInBlocks) {
  LoadOptions options{1, Precision::kFloat32};
  options.panels = Shelf({panels_});
  const auto model = LlamaModel::Load(model_path(), options);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE((*model)->has_panels());
  (*model)->KeepPanels();
  EXPECT_FALSE(fs::exists(panels_));
  EXPECT_FALSE((*model)->found_panels());
}

TEST_F(KeptPanels, AreKeptThoughTheWorkingFolderIsGone) {
  const fs::path before = fs::current_path(), gone = fs::path(panels_).parent_path() / "gone";
  fs::create_directory(gone);
  fs::copy_file(model_path(), gone / "m.gguf");
  fs::current_path(gone);
  LoadOptions options{1, Precision::kBlocks};
  options.panels = Shelf({panels_});
  const auto model = LlamaModel::Load("m.gguf", options);
  fs::remove_all(gone);
  if (model) (*model)->KeepPanels();
  fs::current_path(before);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(fs::exists(panels_));
}

}  // namespace
}  // namespace tenon::model
