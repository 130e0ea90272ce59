#include "server/cli/model_command.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "model/kernels/kernels.h"
#include "server/models/file_hash.h"
#include "server/models/model_folder.h"
#include "tests/model/panel_image.h"
#include "tests/model/tiny_folder.h"
#include "tests/model/tiny_model.h"
#include "tests/server/cli/tenon.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// A folder with models/ and config/, as the program finds them.
class ModelCommand : public testing::Test {
 protected:
  ProgramRun Run(std::vector<std::string> arguments,
                 std::optional<uint64_t> available_bytes = std::nullopt) const {
    return Tenon(std::move(arguments), "", CompleterState::kReady, false, {}, folder_.path(),
                 available_bytes);
  }
  // The path of a model that runs.
  std::string WriteTinyModel(const std::string& name) const {
    const std::vector<std::byte> bytes = model::TinyModel().Bytes();
    return folder_.Write(
        name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  // Of `model list --json`; null where there is none.
  json Row(const std::string& name, std::optional<uint64_t> available_bytes = std::nullopt) const {
    const auto lines = Run({"model", "list", "--json"}, available_bytes).Lines();
    const json* row = RowNamed(lines, name);
    return row != nullptr ? *row : json();
  }

  TemporaryFolder folder_;
};

TEST_F(ModelCommand, AFileThatCannotBeReadIsNamed) {
  const ProgramRun run = Run({"model", "info", "/nowhere/at-all.gguf"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.err, "/nowhere/at-all.gguf")) << run.err;
  EXPECT_TRUE(
      Has(Run({"model", "info", folder_.Write("m.gguf", "GGUF"), "--json"}).Lines().at(0)["error"],
          "m.gguf"));
}

TEST_F(ModelCommand, ListShowsWhatIsInstalledAndWhatRuns) {
  const auto none = Run({"model", "list", "--json"}).Lines();
  EXPECT_EQ(none.at(0)["runs"], nullptr);
  EXPECT_TRUE(Has(none.at(0)["why"], "tenon model pull")) << none.at(0);
  EXPECT_EQ(Row("qwen2.5-coder-1.5b")["installed"], false);
  EXPECT_EQ(Row("qwen2.5-coder-1.5b")["file_bytes"], 1117320768);
  EXPECT_TRUE(Has(Row("qwen2.5-coder-1.5b")["why"], "tenon model pull qwen2.5-coder-1.5b"));

  WriteTinyModel("models/smollm2-135m-fim.gguf");
  WriteTinyModel("models/mine.gguf");
  EXPECT_EQ(Row("smollm2-135m-fim")["runs"], true);
  EXPECT_EQ(Row("mine")["installed"], true);
  EXPECT_EQ(Row("mine")["runs"], false);
  const ProgramRun screen = Run({"model", "list"}, uint64_t{2'000'000'000});
  EXPECT_EQ(screen.status, 0) << screen.err;
  EXPECT_TRUE(Has(screen.out, "* smollm2-135m-fim")) << screen.out;
  EXPECT_TRUE(Has(screen.out, "2,000 MB of memory are available")) << screen.out;
}

TEST_F(ModelCommand, TheChosenModelRunsUntilItIsTakenBack) {
  WriteTinyModel("models/smollm2-135m-fim.gguf");
  WriteTinyModel("models/mine.gguf");
  EXPECT_EQ(Run({"model", "use", "mine", "--json"}).Lines().at(0),
            json({{"used", "mine"}, {"fits", true}}));
  EXPECT_EQ(Row("mine")["runs"], true);
  EXPECT_TRUE(Has(Row("mine")["why"], "tenon model use"));
  EXPECT_EQ(Run({"model", "info", "--json"}).Lines().at(0)["model"], "mine");
  EXPECT_EQ(Run({"model", "list", "--json", "--model", "smollm2-135m-fim"}).Lines()[0]["runs"],
            "smollm2-135m-fim");
  EXPECT_EQ(Run({"model", "use", "--default"}).status, 0);
  EXPECT_EQ(Row("smollm2-135m-fim")["runs"], true);
  EXPECT_EQ(Run({"model", "use"}).status, 2);

  const ProgramRun absent = Run({"model", "use", "qwen2.5-coder-0.5b"});
  EXPECT_EQ(absent.status, 1);
  EXPECT_TRUE(Has(absent.err, "tenon model pull qwen2.5-coder-0.5b")) << absent.err;
  EXPECT_TRUE(Has(Run({"model", "use", "mien"}).err, "nearest name is 'mine'"));
  EXPECT_TRUE(Has(Run({"model", "use", "./a.gguf"}).err, "tenon model add ./a.gguf"));
}

TEST_F(ModelCommand, AModelThatDoesNotFitGivesWayToASmallerOne) {
  WriteTinyModel("models/qwen2.5-coder-1.5b.gguf");
  WriteTinyModel("models/smollm2-135m-fim.gguf");
  const uint64_t needed = Row("qwen2.5-coder-1.5b")["memory_bytes"];
  const ProgramRun use = Run({"model", "use", "qwen2.5-coder-1.5b"}, needed - 1);
  EXPECT_EQ(use.status, 0);
  EXPECT_TRUE(Has(use.out, "a smaller one runs")) << use.out;
  EXPECT_EQ(Row("qwen2.5-coder-1.5b", needed)["runs"], true);
  EXPECT_EQ(Row("smollm2-135m-fim", needed - 1)["runs"], true);
  const json head = Run({"model", "list", "--json"}, needed - 1).Lines().at(0);
  EXPECT_EQ(head["available_bytes"], needed - 1);
  EXPECT_TRUE(Has(head["passed_over"], "qwen2.5-coder-1.5b needs")) << head;

  const ProgramRun doctor = Run({"doctor", "--json"}, needed - 1);
  const json facts = doctor.Lines().at(0);
  EXPECT_EQ(facts["model"]["name"], "smollm2-135m-fim");
  EXPECT_TRUE(Has(facts["problems"].at(0), "qwen2.5-coder-1.5b needs")) << facts;
  EXPECT_EQ(facts["models"].size(), 3U);

  const std::string file = folder_.Write("a.json", "[]");
  const ProgramRun complete = Run({"complete", file, "--at", "1:2"}, needed - 1);
  EXPECT_EQ(complete.status, 0);
  EXPECT_TRUE(Has(complete.err, "smollm2-135m-fim runs instead")) << complete.err;
}

TEST_F(ModelCommand, AFileOfOnesOwnIsAddedAndRemoved) {
  const std::string file = WriteTinyModel("download/tiny.gguf");
  const json added = Run({"model", "add", file, "--name", "mine", "--json"}).Lines().at(0);
  EXPECT_EQ(added["added"], "mine");
  EXPECT_EQ(added["path"], (folder_.path() / "models" / "mine.gguf").string());
  EXPECT_EQ(Run({"model", "info", "mine", "--json"}).Lines().at(0)["runs"], true);
  EXPECT_TRUE(Has(Run({"model", "add", file, "--name", "mine"}).err, "remove mine"));
  EXPECT_EQ(Run({"model", "add", file}).status, 0);  // by the file's name
  EXPECT_EQ(Row("tiny")["installed"], true);

  EXPECT_EQ(Run({"model", "use", "mine"}).status, 0);
  const ProgramRun removed = Run({"model", "remove", "mine"});
  EXPECT_EQ(removed.status, 0) << removed.err;
  EXPECT_TRUE(Has(removed.out, "a default model runs")) << removed.out;
  EXPECT_EQ(Row("mine"), json());
  EXPECT_FALSE(fs::exists(folder_.path() / "config" / "model.json"));
  EXPECT_EQ(Run({"model", "remove", (folder_.path() / "models" / "tiny.gguf").string(), "--json"})
                .Lines()
                .at(0)["removed"],
            "tiny");
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(ModelCommand, AFolderIsAddedUsedAndRemoved) {
  const model::TemporaryFolder source;
  model::WriteTinyFolder(source, model::TinyConfig(), 2);
  source.Write("notes.txt", "not part of the model");
  const json info = Run({"model", "info", source.path(), "--json"}).Lines().at(0);
  EXPECT_EQ(info["runs"], true) << info;
  EXPECT_EQ(info["architecture"], "llama");
  EXPECT_EQ(info["file"], "no hash is known");
  const ProgramRun run = Run({"model", "add", source.path() + "/", "--name", "My-1.5", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const fs::path installed = folder_.path() / "models" / "My-1.5";
  EXPECT_EQ(run.Lines().at(0)["path"], installed.string());
  EXPECT_TRUE(fs::exists(installed / "model-00002-of-00002.safetensors"));
  EXPECT_FALSE(fs::exists(installed / "notes.txt"));
  EXPECT_EQ(Run({"model", "info", "My-1.5", "--json"}).Lines().at(0)["runs"], true);
  EXPECT_EQ(Row("My-1.5")["installed"], true);
  EXPECT_EQ(Row("My-1.5")["file_bytes"].get<uint64_t>(), ModelBytes(source.path()));
  EXPECT_TRUE(Has(Run({"model", "add", source.path(), "--name", "My-1.5"}).err, "remove My-1.5"));
  EXPECT_TRUE(Has(Run({"model", "check", "My-1.5"}).err, "no hash"));
  // By the folder's name.
  const std::string own = fs::path(source.path()).filename().string();
  EXPECT_EQ(Run({"model", "add", source.path() + "/"}).status, 0);
  EXPECT_EQ(Row(own)["installed"], true);

  EXPECT_EQ(Run({"model", "use", "My-1.5"}).status, 0);
  EXPECT_EQ(Row("My-1.5")["runs"], true);
  EXPECT_EQ(Run({"model", "remove", "My-1.5"}).status, 0);
  EXPECT_EQ(Run({"model", "remove", own}).status, 0);
  EXPECT_TRUE(fs::is_empty(folder_.path() / "models"));
  EXPECT_TRUE(fs::exists(source.PathOf("config.json")));
}

TEST_F(ModelCommand, AConvertedFolderLoadsFromItsPanels) {
  const model::TemporaryFolder source;
  model::WriteTinyFolder(source, model::TinyConfig(), 2);
  ASSERT_EQ(Run({"model", "add", source.path(), "--name", "mine"}).status, 0);
  const std::string installed = (folder_.path() / "models" / "mine").string();
  const ProgramRun run = Run({"model", "convert", "mine", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json told = run.Lines().at(0);
  EXPECT_EQ(told["converted"], installed);
  EXPECT_EQ(told["panels"], installed + ".panels");
  EXPECT_EQ(told["bytes"], fs::file_size(installed + ".panels"));
  EXPECT_EQ(told["made"], true);
  const ProgramRun again = Run({"model", "convert", installed + "/"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(Has(again.out, "was converted before")) << again.out;
  EXPECT_TRUE(Has(Run({"model", "info", "mine"}).out, installed + ".panels, "));
  EXPECT_EQ(Row("mine")["panel_bytes"], told["bytes"]);
  EXPECT_EQ(Run({"model", "remove", "mine"}).status, 0);
  EXPECT_TRUE(fs::is_empty(folder_.path() / "models"));
}

TEST_F(ModelCommand, ConvertSaysWhyThereIsNothingToKeep) {
  const std::string floats = WriteTinyModel("m.gguf");
  EXPECT_TRUE(Has(Run({"model", "convert", floats}).err, "there is nothing to convert"));
  EXPECT_EQ(Run({"model", "convert", floats, "--no-cache"}).status, 2);
  EXPECT_TRUE(Has(Run({"model", "convert", "/nowhere/at-all"}).err, "/nowhere/at-all"));
}

TEST_F(ModelCommand, AFolderThatLacksAFileIsNotAdded) {
  const model::TemporaryFolder source;
  model::WriteTinyFolder(source, model::TinyConfig(), 2);
  source.Remove("model-00001-of-00002.safetensors");
  EXPECT_TRUE(Has(Run({"model", "add", source.path()}).err, "model-00001-of-00002.safetensors"));
  source.Remove("config.json");
  EXPECT_TRUE(Has(Run({"model", "info", source.path()}).err, "config.json"));
  EXPECT_FALSE(fs::exists(folder_.path() / "models"));
}

TEST_F(ModelCommand, KnowsThePanelsOfAModelAndRemovesThemWithIt) {
  const std::string path = WriteTinyModel("models/tiny.gguf");
  EXPECT_EQ(Row("tiny")["panel_bytes"], 0);
  EXPECT_EQ(Run({"model", "info", "tiny", "--json"}).Lines().at(0)["panels"], json::array());
  const std::string panels = path + ".panels";
  const model::PanelKey key = model::PanelKeyOf(*model::GgufFile::Open(path), model::PanelLayout());
  ASSERT_TRUE(model::WritePanelFile(panels, key, path, model::SampleStretches()));
  const uint64_t bytes = fs::file_size(panels);
  EXPECT_EQ(Row("tiny")["panel_bytes"], bytes);
  EXPECT_TRUE(Has(Run({"model", "list"}).out, "MB of panels beside"));
  const json info = Run({"model", "info", "tiny", "--json"}).Lines().at(0);
  EXPECT_EQ(info["panels"],
            json::array({{{"path", panels}, {"bytes", bytes}, {"state", "unchecked"}}}));
  EXPECT_TRUE(Has(Run({"model", "info", "tiny"}).out, panels + ", "));
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  EXPECT_TRUE(Has(Run({"model", "info", "tiny"}).out, "was made of another file"));
  EXPECT_EQ(Run({"model", "remove", "tiny"}).status, 0);
  EXPECT_FALSE(fs::exists(panels));
}

TEST_F(ModelCommand, AddRefusesWhatCannotRunOrBeCalledSo) {
  const std::string file = WriteTinyModel("tiny.gguf");
  EXPECT_TRUE(Has(Run({"model", "add", folder_.Write("bad.gguf", "GGUF")}).err, "bad.gguf"));
  const ProgramRun taken = Run({"model", "add", file, "--name", "qwen2.5-coder-0.5b"});
  EXPECT_TRUE(Has(taken.err, "tenon model pull' fetches")) << taken.err;
  EXPECT_TRUE(Has(Run({"model", "add", file, "--name", "../mine"}).err, "--name"));
  EXPECT_FALSE(fs::exists(folder_.path() / "models"));
}

TEST_F(ModelCommand, RemoveDeletesOnlyWhatLiesInTheFolder) {
  const std::string file = WriteTinyModel("tiny.gguf");
  const ProgramRun outside = Run({"model", "remove", file});
  EXPECT_EQ(outside.status, 1);
  EXPECT_TRUE(Has(outside.err, "delete the file yourself")) << outside.err;
  EXPECT_TRUE(fs::exists(file));
  EXPECT_TRUE(Has(Run({"model", "remove", "smollm2-135m-fim"}).err, "is not installed"));
}

TEST_F(ModelCommand, BenchSaysHowFastAModelIs) {
  WriteTinyModel("models/tiny.gguf");
  const ProgramRun run = Run({"model", "bench", "tiny", "--runs", "2", "--json"});
  EXPECT_EQ(run.status, 0) << run.out;
  const auto rows = run.Lines();
  const json* prompt = RowNamed(rows, "prompt_512");
  const json* decode = RowNamed(rows, "decode");
  ASSERT_NE(prompt, nullptr) << run.out;
  ASSERT_NE(decode, nullptr) << run.out;
  EXPECT_EQ((*prompt)["unit"], "tokens/s");
  EXPECT_EQ((*prompt)["count"], 2);
  EXPECT_EQ((*prompt)["model"], "tiny");
  EXPECT_GT((*prompt)["p50"], 0.0);
  EXPECT_EQ((*decode)["unit"], "ms");
  EXPECT_EQ((*decode)["count"], 20);
  for (const char* name : {"decode_2", "decode_4", "decode_8"}) {
    const json* drafted = RowNamed(rows, name);
    ASSERT_NE(drafted, nullptr) << name << ": " << run.out;
    EXPECT_EQ((*drafted)["count"], 20) << name;
  }
  EXPECT_TRUE(Has(Run({"model", "bench", "huge"}).err, "no model is called 'huge'"));
}

TEST_F(ModelCommand, CheckFindsADamagedFile) {
  WriteTinyModel("models/smollm2-135m-fim.gguf");  // not the file whose hash the registry has
  WriteTinyModel("models/mine.gguf");
  EXPECT_EQ(Run({"model", "info", "mine", "--json"}).Lines().at(0)["file"], "no hash is known");
  EXPECT_EQ(Run({"model", "check", "mine", "--json"}).Lines().at(0)["file"], "no hash is known");

  const std::vector<std::string> info = {"model", "info", "smollm2-135m-fim", "--json"};
  EXPECT_EQ(Run(info).Lines().at(0)["file"], "unchecked");
  EXPECT_EQ(Run({"doctor", "--json"}).Lines().at(0)["model"]["file"], "unchecked");
  const ProgramRun check = Run({"model", "check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(Has(check.err, "smollm2-135m-fim.gguf: the file is damaged")) << check.err;
  EXPECT_EQ(Run(info).Lines().at(0)["file"], "damaged");
  const json facts = Run({"doctor", "--json"}).Lines().at(0);
  EXPECT_EQ(facts["model"]["runs"], false);
  EXPECT_TRUE(Has(facts["problems"].dump(), "tenon model pull smollm2-135m-fim")) << facts;
  const ProgramRun complete = Run({"complete", folder_.Write("a.json", "[]"), "--at", "1:2"});
  EXPECT_EQ(complete.status, 1);
  EXPECT_TRUE(Has(complete.err, "the file is damaged")) << complete.err;
}

TEST_F(ModelCommand, AHashBesideTheFileIsTheOneThatItShouldHave) {
  const std::string file = WriteTinyModel("models/smollm2-135m-fim.gguf");
  const auto hash = Sha256OfFile(file);
  ASSERT_TRUE(hash);
  folder_.Write("models/smollm2-135m-fim.gguf.sha256", *hash + "  smollm2-135m-fim.gguf\n");
  const json checked = Run({"model", "check", "--json"}).Lines().at(0);
  EXPECT_EQ(checked, json({{"path", file}, {"sha256", *hash}, {"file", "checked"}}));
  EXPECT_EQ(Run({"doctor", "--json"}).Lines().at(0)["model"]["file"], "checked");
  EXPECT_EQ(Run({"model", "remove", "smollm2-135m-fim"}).status, 0);
  EXPECT_FALSE(fs::exists(file + ".sha256"));
}

// A model is named in the same way wherever one is.
TEST_F(ModelCommand, UnknownNamesAreRefusedByEachCommand) {
  const std::string file = folder_.Write("a.json", "[]");
  const std::vector<std::vector<std::string>> commands = {
      {"complete", file, "--at", "1:2"},
      {"eval", "gaps", folder_.path().string()},
      {"bench", "model"},
      {"bench", "masks", "--file", file},
      {"bench", "masks", "--regex", "a"},
      {"store", "show", "--language", "json"},
      {"gap", file, "--at", "1", "--sample", "1"},
      {"model", "info"},
      {"doctor"}};
  for (std::vector<std::string> command : commands) {
    const std::string name = command[0] + " " + command[1 % command.size()];
    command.insert(command.end(), {"--model", "smollm2"});
    const ProgramRun run = Run(command);
    EXPECT_EQ(run.status, 1) << name;
    EXPECT_TRUE(Has(run.out + run.err, "the nearest name is 'smollm2-135m-fim'"))
        << name << ": " << run.out << run.err;
  }
}

}  // namespace
}  // namespace tenon::server
