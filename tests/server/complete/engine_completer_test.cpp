// The whole path: a real grammar, the small model, a Python buffer.
#include "server/complete/engine_completer.h"
#include "constraint/reading/reading.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "model/file/file.h"
#include "model/text/text.h"
#include "server/request/visible_text.h"
#include "server/syntax/syntax_registry.h"
#include "server/syntax/syntax_tree.h"
#include "tests/model/inference/loaded_model.h"
#include "tests/model/small_model.h"
#include "tests/model/tiny_folder.h"
#include "tests/model/tiny_model.h"
#include "tests/server/cursor_request.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class EngineCompleterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    languages_ = *LanguageRegistry::Load(SourcePath("grammars"));
    CompleterOptions options{model::SmallModelPath()};
    options.syntax_folders = {SyntaxesFolder()};
    completer_ = MakeCompleter(options, languages_).release();
    completer_->WaitUntilLoaded();
  }
  static void TearDownTestSuite() {
    delete completer_;
    languages_.reset();
  }
  void SetUp() override {
    ASSERT_EQ(completer_->status().state, CompleterState::kReady)
        << model::kRunSetup << "; " << completer_->status().message;
  }

  // A request whose cursor stands at the first '|' of the text.
  static CompletionRequest At(std::string text) {
    CompletionRequest request = RequestAt(std::move(text), "python");
    request.name = "example.py";
    return request;
  }

  static bool Parses(const CompletionRequest& request, const CompletionItem& item) {
    return languages_->Get("python")->Check(WithItem(request, item)).valid;
  }

  static inline std::shared_ptr<const LanguageRegistry> languages_;
  static inline Completer* completer_ = nullptr;
};

// The constraint is the same whatever computes the logits.
TEST_F(EngineCompleterTest, TheTorchEngineCompletesTheSame) {
  CompleterOptions options{model::SmallModelPath()};
  options.engine = "torch";
  options.device = "cpu";
  const auto torch = MakeCompleter(options, languages_);
  ASSERT_EQ(torch->WaitUntilLoaded().state, CompleterState::kReady) << torch->status().message;
  CompletionRequest request = At("def add(a, b):\n    return |\n");
  request.max_tokens = 6;
  const CompletionAnswer answer = torch->Complete(request, {});
  ASSERT_EQ(answer.items.size(), 1U) << answer.reason;
  EXPECT_TRUE(Parses(request, answer.items[0])) << answer.items[0].text;
  EXPECT_EQ(answer.items[0].text, completer_->Complete(request, {}).items.at(0).text);
}

// A completer whose time stands still, or hurries: then each look at its clock takes a second, and
// no request has time for a second step.
struct Hurried {
  // A look when it begins, one when the gap opens, and the third is too late.
  static constexpr std::chrono::milliseconds kBudget{1500};
  std::shared_ptr<bool> hurry = std::make_shared<bool>(true);
  std::unique_ptr<Completer> completer;

  explicit Hurried(std::shared_ptr<const LanguageRegistry> languages) {
    CompleterOptions options{model::SmallModelPath()};
    options.now = [hurry = hurry, time = std::chrono::steady_clock::time_point()]() mutable {
      return time += std::chrono::seconds(*hurry ? 1 : 0);
    };
    completer = MakeCompleter(options, std::move(languages));
    EXPECT_EQ(completer->WaitUntilLoaded().state, CompleterState::kReady);
  }
};

TEST_F(EngineCompleterTest, KeepsThePanelsOfItsModelForTheNext) {
  const model::TemporaryModel file(model::TinyModel({.in_blocks = true}));
  const std::string panels = file.path() + ".panels";
  std::filesystem::remove(panels);
  std::vector<std::string> notes;
  const auto answer_of_one = [&] {
    CompleterOptions options{file.path()};
    options.panels.files = {panels};
    options.panels.note = [&notes](const std::string& note) { notes.push_back(note); };
    const auto completer = MakeCompleter(options, languages_);
    EXPECT_EQ(completer->WaitUntilLoaded().state, CompleterState::kReady);
    CompletionRequest request = At("def add(a, b):\n    return |\n");
    request.constraint = ConstraintMode::kOff;
    request.max_tokens = 6;
    const CompletionAnswer answer = completer->Complete(request, {});
    return answer.items.empty() ? answer.reason : answer.items[0].text;
  };
  const std::string first = answer_of_one();
  ASSERT_EQ(notes.size(), 1U) << "the completer does not go before they are written";
  EXPECT_NE(notes[0].find("are kept here"), std::string::npos) << notes[0];
  EXPECT_EQ(answer_of_one(), first);
  EXPECT_EQ(notes.size(), 1U) << "they were found";
  std::filesystem::remove(panels);
}

TEST_F(EngineCompleterTest, CompletesALineSoThatTheFileParses) {
  for (const char* text :
       {"def add(a, b):\n    return |\n", "values = [1, 2, 3]\nfor value in |:\n    print(value)\n",
        "import os\n\ndef size(path):\n    with open(|) as f:\n        return len(f.read())\n",
        "class A:\n    def __init__(self, x):\n        self.x = |\n\n    def get(self):\n        "
        "return self.x\n"}) {
    CompletionRequest request = At(text);
    CompletionAnswer answer = completer_->Complete(request, {});
    ASSERT_EQ(answer.items.size(), 1u) << text << answer.reason;
    EXPECT_EQ(answer.items[0].guarantee, Guarantee::kFile);
    EXPECT_NE(answer.items[0].text.find_first_not_of(" \n"), std::string::npos);
    EXPECT_TRUE(Parses(request, answer.items[0])) << text << " <- " << answer.items[0].text;
    EXPECT_TRUE(answer.timings_ms.contains("total"));
  }
}

TEST_F(EngineCompleterTest, WhereALanguageHasASyntaxAloneNoErrorIsAdded) {
  const struct {
    const char* language;
    const char* text;
  } cases[] = {
      {"c", "#include <stdio.h>\n\nint main(void) {\n  int sum = add(1, |);\n  return 0;\n}\n"},
      {"c", "int f(int a) {\n  int b = a +;\n  return |;\n}\n"},
      {"lua", "function size(path)\n  local text = read(|)\n  return #text\nend\n"},
      {"rust", "fn main() {\n    let name = |;\n    println!(\"{}\", name);\n}\n"},
      {"shellscript", "for f in *.txt; do\n  |\ndone\n"},
      {"csharp", "class A {\n  int F(int a) {\n    return |;\n  }\n}\n"},
      {"yaml", "name: build\non: |\njobs:\n  test:\n    runs-on: linux\n"},
  };
  const SyntaxRegistry syntaxes(languages_, {SyntaxesFolder()});
  int answered = 0;
  for (const auto& [language, text] : cases) {
    CompletionRequest request = At(text);
    request.language_id = language;
    request.name = "example";
    const CompletionAnswer answer = completer_->Complete(request, {});
    if (answer.items.empty()) {
      EXPECT_FALSE(answer.reason.empty());
      continue;
    }
    ++answered;
    const CompletionItem& item = answer.items[0];
    EXPECT_EQ(item.guarantee, Guarantee::kSyntax);
    const TSLanguage* parser = *syntaxes.Get(language);
    std::string completed = *request.text;
    completed.insert(request.offset_bytes, item.text);
    EXPECT_LE(SyntaxTree::Parse(parser, completed)->error_count(),
              SyntaxTree::Parse(parser, *request.text)->error_count())
        << completed;
  }
  EXPECT_GE(answered, 6);
}

TEST_F(EngineCompleterTest, WithoutGrammarAndSyntaxALineIsOfferedWhereAskedFor) {
  CompletionRequest request = At("name := 'a'.\nprint |\n");
  request.language_id = "smalltalk";
  request.any_language = true;
  const CompletionAnswer answer = completer_->Complete(request, {});
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  EXPECT_EQ(answer.items[0].guarantee, Guarantee::kNone);
  request.any_language = false;
  EXPECT_EQ(completer_->Complete(request, {}).reason,
            "no grammar for language 'smalltalk', and no syntax");
}

TEST_F(EngineCompleterTest, FillsGapsOfARealFileSoThatItParses) {
  std::ifstream file(SourcePath("tests/exactness/legs.py"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GT(text.size(), 2000u);
  int answered = 0;
  for (size_t begin = 1500; begin + 800 < text.size(); begin += 1511) {
    CompletionRequest request;
    request.text = text.substr(0, begin) + text.substr(begin + 20);
    request.offset_bytes = begin;
    request.language_id = "python";
    request.name = "legs.py";
    for (const CompletionItem& item : completer_->Complete(request, {}).items) {
      ++answered;
      EXPECT_TRUE(Parses(request, item)) << "at " << begin << ": " << item.text;
    }
  }
  EXPECT_GT(answered, 3);
}

TEST_F(EngineCompleterTest, KeepsTheLineEndsOfTheFile) {
  CompletionRequest request =
      At("def f(a):\r\n    if a:\r\n        |else:\r\n        return 2\r\n");
  request.scope = Scope::kFree;
  CompletionAnswer answer = completer_->Complete(request, {});
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  const std::string& text = answer.items[0].text;
  EXPECT_NE(text.find('\n'), std::string::npos) << "`else:` needs a line of its own: " << text;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') continue;
    EXPECT_TRUE(i > 0 && text[i - 1] == '\r') << text;
  }
  EXPECT_TRUE(Parses(request, answer.items[0])) << text;
}

TEST_F(EngineCompleterTest, OffersDistinctCandidatesThatAllParse) {
  CompletionRequest request = At("def area(width, height):\n    return |\n");
  const CompletionAnswer alone = completer_->Complete(request, {});
  request.candidates = 3;
  const CompletionAnswer several = completer_->Complete(request, {});
  ASSERT_EQ(alone.items.size(), 1u);
  ASSERT_EQ(several.items.size(), 3u);
  EXPECT_EQ(several.items[0].text, alone.items[0].text);
  for (const CompletionItem& item : several.items) {
    EXPECT_TRUE(Parses(request, item)) << item.text;
    EXPECT_EQ(item.guarantee, Guarantee::kFile);
    EXPECT_FALSE(item.nats.empty());
    for (const CompletionItem& other : several.items)
      EXPECT_TRUE(&item == &other || AreDistinct(item.text, other.text)) << item.text;
  }
}

TEST_F(EngineCompleterTest, BesideAKnownFirstTheOthersOfAllAreComputed) {
  const Hurried fresh(languages_), known(languages_);
  *fresh.hurry = *known.hurry = false;
  CompletionRequest request = At("def area(width, height):\n    return |\n");
  request.candidates = 3;
  const CompletionAnswer all = fresh.completer->Complete(request, {});
  ASSERT_EQ(all.items.size(), 3u);

  request.candidates = 1;
  const CompletionAnswer keystroke = known.completer->Complete(request, {});
  ASSERT_EQ(keystroke.items.size(), 1u);
  request.candidates = 2;
  request.already_offered = {keystroke.items[0].text};
  const CompletionAnswer beside = known.completer->Complete(request, {});
  ASSERT_EQ(beside.items.size(), 2u);
  EXPECT_EQ(keystroke.items[0].text, all.items[0].text);
  EXPECT_EQ(beside.items[0].text, all.items[1].text);
  EXPECT_EQ(beside.items[1].text, all.items[2].text);
  EXPECT_EQ(keystroke.statistics->passes + beside.statistics->passes, all.statistics->passes)
      << "the model computes nothing a second time";
}

TEST_F(EngineCompleterTest, TheModelReadsStretchesOfOtherFilesWhereTheRequestSaysSo) {
  // The small model knows no files beside its own: a tiny one with the markers of Qwen2.5-Coder.
  model::TinyShape shape;
  shape.control = {"<|endoftext|>", "<|file_sep|>", "<|fim_prefix|>", "<|fim_suffix|>",
                   "<|fim_middle|>"};
  const model::TemporaryModel tiny(model::TinyModel(shape));
  const auto tokenizer = *model::Tokenizer::FromGguf(*model::GgufFile::Open(tiny.path()));
  const auto completer = MakeCompleter({tiny.path()}, languages_);
  ASSERT_EQ(completer->WaitUntilLoaded().state, CompleterState::kReady);
  EXPECT_EQ(completer->status().message, tiny.path());
  std::string prompt;
  CompletionRequest request = At("def close(timeout):\n    worker_thread.join(timeout)\n    |\n");
  request.max_tokens = 8;
  request.on_progress = [&](const CompletionProgress& progress) {
    prompt = tokenizer.Decode({progress.prompt.begin(), progress.prompt.end()});
  };
  // Words are rare or frequent among many lines.
  std::string other;
  for (int i = 0; i < 200; ++i) other += "line" + std::to_string(i) + " = 1\n";
  const std::string like = "worker_queue.put(None)\nworker_thread.join(timeout)\n";
  request.other_texts = {{SharedText(other + like), "worker.py"},
                         {SharedText(other + "worker_thread.join(timeout, 'secret')\n"), ".env"}};
  (void)completer->Complete(request, {});
  EXPECT_NE(prompt.find("def close(timeout)"), std::string::npos) << prompt;
  EXPECT_EQ(prompt.find("worker_queue"), std::string::npos) << prompt;

  request.other_files = true;
  (void)completer->Complete(request, {});
  EXPECT_NE(prompt.find("worker.py\n"), std::string::npos) << prompt;
  EXPECT_NE(prompt.find(like), std::string::npos) << prompt;
  EXPECT_LT(prompt.find(like), prompt.find("def close(timeout)")) << "before this file";
  EXPECT_EQ(prompt.find("secret"), std::string::npos) << prompt;
}

TEST_F(EngineCompleterTest, OffersAnotherTextWhereTheFirstIsUnwanted) {
  CompletionRequest request = At("def area(width, height):\n    return |\n");
  const std::string first = completer_->Complete(request, {}).items[0].text;
  request.unwanted = {first};
  const CompletionAnswer other = completer_->Complete(request, {});
  ASSERT_EQ(other.items.size(), 1u) << other.reason;
  EXPECT_TRUE(AreDistinct(other.items[0].text, first));
  EXPECT_TRUE(Parses(request, other.items[0]));
}

TEST_F(EngineCompleterTest, ReplacesWhatTheEditorHasClosedAheadOrLeavesItThere) {
  for (const char* text : {"import os\nname = os.path.join(|)\n", "x = [1, |]\ny = 2\n",
                           "def f(a):\n    print(\"|\")\n", "value = max(min(1, |))\n"}) {
    const CompletionRequest request = At(text);
    const CompletionAnswer answer = completer_->Complete(request, {});
    ASSERT_EQ(answer.items.size(), 1u) << text << answer.reason;
    const CompletionItem& item = answer.items[0];
    EXPECT_TRUE(Parses(request, item)) << text << " <- " << item.text;
    EXPECT_EQ(item.range_begin_bytes, request.offset_bytes);
    const std::string_view replaced =
        std::string_view(request.text)
            .substr(request.offset_bytes, item.range_end_bytes - request.offset_bytes);
    EXPECT_EQ(replaced.find('\n'), std::string_view::npos);
    EXPECT_TRUE(replaced.empty() || !item.text.ends_with(replaced)) << item.text;
  }
}

TEST_F(EngineCompleterTest, OffersNothingWhereNothingFits) {
  CompletionAnswer answer = completer_->Complete(At("x = ) + |\n"), {});
  EXPECT_TRUE(answer.items.empty());
  EXPECT_FALSE(answer.reason.empty());
}

TEST_F(EngineCompleterTest, NamesALanguageWithoutGrammar) {
  CompletionRequest request = At("MOVE A TO |.");
  request.language_id = "cobol";
  CompletionAnswer answer = completer_->Complete(request, {});
  EXPECT_TRUE(answer.items.empty());
  EXPECT_NE(answer.reason.find("cobol"), std::string::npos) << answer.reason;
}

TEST_F(EngineCompleterTest, SaysHowManyTokensABudgetLacks) {
  CompletionRequest request = At("try:\n    a = [(|\nprint(a)\n");
  request.max_tokens = 1;
  CompletionAnswer answer = completer_->Complete(request, {});
  EXPECT_TRUE(answer.items.empty());
  EXPECT_NE(answer.reason.find("infeasible, needs "), std::string::npos) << answer.reason;
}

TEST_F(EngineCompleterTest, KeepsTheBudgetWhateverItIs) {
  for (int budget : {2, 3, 5, 8}) {
    CompletionRequest request = At("def f(a):\n    return a + |\n");
    request.max_tokens = budget;
    CompletionAnswer answer = completer_->Complete(request, {});
    ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
    EXPECT_LE(answer.items[0].tokens, budget);
    EXPECT_TRUE(Parses(request, answer.items[0])) << answer.items[0].text;
  }
}

TEST_F(EngineCompleterTest, AnswersACancelledRequestWithoutItems) {
  std::stop_source stop;
  stop.request_stop();
  CompletionAnswer answer = completer_->Complete(At("x = |\n"), stop.get_token());
  EXPECT_TRUE(answer.cancelled);
  EXPECT_TRUE(answer.items.empty());
}

TEST_F(EngineCompleterTest, RepeatsItselfWithTheSameSeed) {
  CompletionRequest request = At("def total(values):\n    result = |\n    return result\n");
  request.temperature = 0.9f;
  request.seed = 7;
  std::string first = completer_->Complete(request, {}).items.at(0).text;
  EXPECT_EQ(completer_->Complete(request, {}).items.at(0).text, first);
}

TEST_F(EngineCompleterTest, FindsALikelyTextCheaperThanAnUnlikelyOne) {
  const CompletionRequest request = At("def add(first, second):\n    return |\n");
  const auto likely = completer_->NatsOf(request, "first + second"),
             beginning = completer_->NatsOf(request, "first"),
             unlikely = completer_->NatsOf(request, "banana % 77");
  ASSERT_TRUE(likely) << likely.error();
  ASSERT_TRUE(beginning && unlikely);
  EXPECT_GT(*beginning, 0);
  EXPECT_GT(*likely, *beginning) << "each further token costs";
  EXPECT_GT(*unlikely, *likely);
  EXPECT_EQ(*completer_->NatsOf(request, ""), 0);
  EXPECT_EQ(*completer_->NatsOf(request, "first"), *beginning) << "it keeps nothing";
}

TEST_F(EngineCompleterTest, PromisesNothingWithoutTheRightContext) {
  for (ConstraintMode mode : {ConstraintMode::kOff, ConstraintMode::kLeft}) {
    CompletionRequest request = At("def add(a, b):\n    return |\n");
    request.constraint = mode;
    CompletionAnswer answer = completer_->Complete(request, {});
    ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
    EXPECT_EQ(answer.items[0].guarantee, Guarantee::kNone);
    EXPECT_EQ(answer.items[0].text.find('\n'), std::string::npos);
  }
}

TEST_F(EngineCompleterTest, AnswersWithinOneStepAndGoesOnWithItNextTime) {
  const Hurried hurried(languages_);
  Completer* const completer = hurried.completer.get();
  std::string text = "values = []\n";
  for (int i = 0; i < 20; ++i) text += "values.append(compute(values, 17, 'name'))\n";
  CompletionRequest request = At(text + "print(|)\n");
  request.time_budget = Hurried::kBudget;
  CompletionAnswer answer = completer->Complete(request, {});
  EXPECT_TRUE(answer.items.empty());
  EXPECT_NE(answer.reason.find("when 16 of the prompt's "), std::string::npos) << answer.reason;
  EXPECT_TRUE(answer.cut_by_time);
  int calls = 1;
  for (; answer.items.empty() && calls < 300; ++calls) answer = completer->Complete(request, {});
  EXPECT_GT(calls, 3);
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  EXPECT_EQ(answer.items[0].ended, Ended::kTime);
  EXPECT_EQ(answer.items[0].guarantee, Guarantee::kFile);
  EXPECT_TRUE(Parses(request, answer.items[0])) << answer.items[0].text;
}

// A request without a time reads everything. One with a time sees what is near until everything is
// read.
TEST_F(EngineCompleterTest, AtANewPlaceAHurriedRequestSeesWhatIsNear) {
  const Hurried hurried(languages_);
  std::string text = "values = []\n";
  for (int i = 0; i < 40; ++i) text += "values.append(compute(values, 17, 'name'))\n";
  CompletionRequest request = At(text + "print(|)\n" + text);
  size_t shown_tokens = 0;
  request.on_progress = [&](const CompletionProgress& progress) {
    shown_tokens = progress.prompt.size();
  };
  const auto shown = [&](std::optional<std::chrono::milliseconds> budget) {
    request.time_budget = budget;
    (void)hurried.completer->Complete(request, {});
    return shown_tokens;
  };
  const size_t near = shown(Hurried::kBudget);
  EXPECT_GT(near, 200U);
  EXPECT_LT(near, 600U);
  *hurried.hurry = false;
  EXPECT_EQ(hurried.completer->GoOn({}).items.size(), 1U) << "an answer from what is near";
  EXPECT_EQ(shown(Hurried::kBudget), near);
  hurried.completer->ReadAhead(request, {});
  const size_t all = shown(Hurried::kBudget);
  EXPECT_GT(all, near + 300) << "all is read";
  *hurried.hurry = true;
  EXPECT_EQ(shown(Hurried::kBudget), all);
  EXPECT_EQ(shown({}), all);
}

TEST_F(EngineCompleterTest, ReadsAheadWhatIsNearFirst) {
  const Hurried hurried(languages_);
  std::string text = "values = []\n";
  for (int i = 0; i < 40; ++i) text += "values.append(compute(values, 17, 'name'))\n";
  CompletionRequest request = At(text + "print(|)\n" + text);
  std::vector<size_t> shown_tokens;
  request.on_progress = [&](const CompletionProgress& progress) {
    const size_t tokens = progress.prompt.size();
    if (shown_tokens.empty() || shown_tokens.back() != tokens) shown_tokens.push_back(tokens);
  };
  hurried.completer->ReadAhead(request, {});
  ASSERT_EQ(shown_tokens.size(), 2U);
  EXPECT_GT(shown_tokens[1], shown_tokens[0] + 300);
  shown_tokens.erase(shown_tokens.begin());
  const std::vector<size_t> all = shown_tokens;
  shown_tokens.clear();
  hurried.completer->ReadAhead(request, {});
  EXPECT_EQ(shown_tokens, all) << "what is near is not read again";
}

TEST_F(EngineCompleterTest, StopsOpeningALongTextAtTheEndOfItsTime) {
  std::string text;
  while (text.size() < 8'000'000) text += "values = [compute(value, 17) for value in values]\n";
  CompletionRequest request = At(text + "print(|)\n");
  request.time_budget = std::chrono::milliseconds(1);
  const CompletionAnswer answer = completer_->Complete(request, {});
  EXPECT_TRUE(answer.items.empty());
  EXPECT_TRUE(answer.cut_by_time);
  EXPECT_FALSE(answer.cancelled);
  EXPECT_EQ(answer.reason, "the time of 1 ms ended when the text around the cursor was being read");
}

TEST_F(EngineCompleterTest, WorkInTheBackgroundChangesNoAnswer) {
  const Hurried plain(languages_), ahead(languages_);
  *plain.hurry = false;
  const std::string before = "def add(first, second):\n    return ", after = "\n";
  CompletionRequest request = At(before + "|" + after);
  request.time_budget = Hurried::kBudget;
  const CompletionAnswer whole = plain.completer->Complete(request, {});
  ASSERT_EQ(whole.items.size(), 1u) << whole.reason;
  EXPECT_FALSE(whole.cut_by_time);

  EXPECT_TRUE(ahead.completer->Complete(request, {}).cut_by_time);
  *ahead.hurry = false;
  ahead.completer->GoOn({});
  const CompletionAnswer again = ahead.completer->Complete(request, {});
  ASSERT_EQ(again.items.size(), 1u) << again.reason;
  EXPECT_EQ(again.items[0].text, whole.items[0].text);
  EXPECT_EQ(again.items[0].tokens, whole.items[0].tokens);
  ASSERT_TRUE(again.statistics);
  EXPECT_EQ(again.statistics->passes, 0) << "all was computed in the background";

  // Typed along what was drawn, and away from it.
  for (const std::string& typed : {whole.items[0].text.substr(0, 3), std::string("other(")}) {
    CompletionRequest next = At(before + typed + "|" + (typed == "other(" ? ")" : "") + after);
    next.time_budget = request.time_budget;
    const CompletionAnswer expected = plain.completer->Complete(next, {});
    const CompletionAnswer got = ahead.completer->Complete(next, {});
    ASSERT_EQ(got.items.size(), expected.items.size()) << typed;
    for (size_t i = 0; i < got.items.size(); ++i)
      EXPECT_EQ(got.items[i].text, expected.items[i].text) << typed;
  }
  ahead.completer->GoOn({});  // nothing was cut short
}

TEST_F(EngineCompleterTest, TellsHowFarItIs) {
  std::vector<size_t> read;
  std::vector<std::string> middles;
  CompletionRequest request = At("def add(first, second):\n    return |\n");
  request.on_progress = [&](const CompletionProgress& progress) {
    EXPECT_LE(progress.read_tokens, progress.prompt.size());
    read.push_back(progress.read_tokens);
    if (!progress.middle.empty()) middles.emplace_back(progress.middle);
  };
  const CompletionAnswer answer = completer_->Complete(request, {});
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
  ASSERT_GE(middles.size(), 2u);
  for (size_t i = 1; i < middles.size(); ++i) EXPECT_TRUE(middles[i].starts_with(middles[i - 1]));
  EXPECT_EQ(answer.items[0].text.substr(0, middles[0].size()), middles[0]);
}

// A model of random weights knows nothing; what it writes fits all the same.
TEST(EngineCompleter, CompletesWithAFolderOfHuggingFacesLayout) {
  const model::TemporaryFolder folder;
  model::WriteTinyFolder(folder, model::TinyConfig("qwen2"), 2, "BF16");
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const auto completer = MakeCompleter({folder.path()}, languages);
  ASSERT_EQ(completer->WaitUntilLoaded().state, CompleterState::kReady)
      << completer->status().message;
  std::string text = "values = [1, \n";
  CompletionRequest request;
  request.offset_bytes = text.size() - 1;
  request.text = text;
  request.language_id = "python";
  request.name = "example.py";
  const CompletionAnswer answer = completer->Complete(request, {});
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  text.insert(request.offset_bytes, answer.items[0].text);
  EXPECT_TRUE(languages->Get("python")->Check(text).valid) << text;
  // A folder that lacks a file is named with it.
  folder.Remove("tokenizer.json");
  const auto without = MakeCompleter({folder.path()}, languages);
  EXPECT_EQ(without->WaitUntilLoaded().state, CompleterState::kFailed);
  EXPECT_NE(without->status().message.find("tokenizer.json"), std::string::npos)
      << without->status().message;
}

TEST(EngineCompleter, SaysWhatIsWrongWithAModelThatIsNotThere) {
  auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  auto completer = MakeCompleter({"no/such/model.gguf"}, languages);
  EXPECT_EQ(completer->WaitUntilLoaded().state, CompleterState::kFailed);
  EXPECT_NE(completer->status().message.find("no/such/model.gguf"), std::string::npos);
  EXPECT_TRUE(completer->Complete({}, {}).items.empty());
  EXPECT_FALSE(completer->NatsOf({}, "x"));
}

}  // namespace
}  // namespace tenon::server
