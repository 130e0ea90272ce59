#include "model/text/fim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Model {
  explicit Model(const std::vector<std::string>& control, const std::string& fim_template = "") {
    TinyShape shape;
    shape.control = control;
    GgufWriter writer;
    AddTinyTokenizer(writer, shape);
    if (!fim_template.empty())
      writer.Text("tenon.fim.template", fim_template).Text("tenon.fim.end", control[0]);
    bytes = writer.Bytes();
    file = std::make_unique<GgufFile>(std::move(*GgufFile::Parse(bytes, "x.gguf")));
    tokenizer = std::make_unique<Tokenizer>(std::move(*Tokenizer::FromGguf(*file)));
  }
  tl::expected<FimFormat, ModelError> Detect() const {
    return FimFormat::Detect(*file, *tokenizer);
  }
  std::string Text(const FimPrompt& prompt) const {
    std::string text;
    for (const TokenId id : prompt.tokens) {
      text += tokenizer->IsControl(id) ? "[" + std::string(tokenizer->Name(id)) + "]"
                                       : std::string(tokenizer->Bytes(id));
    }
    return text;
  }
  std::string Prompt(std::string_view left, std::string_view right, size_t budget = 4000) const {
    return Text(Detect()->BuildPrompt(*tokenizer, "a.py", left, right, budget));
  }

  std::vector<std::byte> bytes;
  std::unique_ptr<GgufFile> file;
  std::unique_ptr<Tokenizer> tokenizer;
};

TEST(Fim, KnowsFormatsByTheirMarkers) {
  const struct {
    std::vector<std::string> control;
    std::string name, prompt;
  } cases[] = {
      {{"<|endoftext|>", "<fim_prefix>", "<fim_suffix>", "<fim_middle>"},
       "starcoder",
       "[<fim_prefix>]L[<fim_suffix>]R[<fim_middle>]"},
      {{"<|endoftext|>", "<fim-prefix>", "<fim-suffix>", "<fim-middle>"},
       "santacoder",
       "[<fim-prefix>]L[<fim-suffix>]R[<fim-middle>]"},
      {{"<|endoftext|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"},
       "qwen2.5-coder",
       "[<|fim_prefix|>]L[<|fim_suffix|>]R[<|fim_middle|>]"},
      {{"</s>", "▁<PRE>", "▁<SUF>", "▁<MID>", "▁<EOT>"}, "codellama", "[▁<PRE>]L[▁<SUF>]R[▁<MID>]"},
      {{"<e>", "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"},
       "deepseek-coder",
       "[<｜fim▁begin｜>]L[<｜fim▁hole｜>]R[<｜fim▁end｜>]"},
      {{"<|endoftext|>", "<file_sep>"}, "right-context-first", "[<file_sep>]R\n[<file_sep>]L"},
      {{"<|endoftext|>"}, "right-context-first", "R\nL"},
  };
  for (const auto& c : cases) {
    const Model model(c.control);
    const auto format = model.Detect();
    ASSERT_TRUE(format.has_value()) << format.error().message;
    EXPECT_EQ(format->name(), c.name);
    EXPECT_EQ(format->trained(), c.name != "right-context-first");
    EXPECT_EQ(model.Prompt("L", "R"), c.prompt);
    EXPECT_THAT(format->end_tokens(), ::testing::Contains(TokenId{0})) << c.name;
  }
}

TEST(Fim, TheMetadataNameMarkersAndEnds) {
  TinyShape shape;
  shape.control = {"</s>",  "<p>",    "<s>",    "<m>",    "<end>",
                   "<pad>", "▁<PRE>", "▁<SUF>", "▁<MID>", "▁<EOT>"};
  const auto ends = [&shape](uint32_t pre) {
    GgufWriter writer;
    AddTinyTokenizer(writer, shape);
    writer.Unsigned("tokenizer.ggml.fim_pre_token_id", pre)
        .Unsigned("tokenizer.ggml.fim_suf_token_id", pre + 1)
        .Unsigned("tokenizer.ggml.fim_mid_token_id", pre + 2)
        .Unsigned("tokenizer.ggml.eot_token_id", 4)
        .Unsigned("tokenizer.ggml.fim_pad_token_id", 5);
    const auto bytes = writer.Bytes();
    const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
    const Tokenizer tokenizer = *Tokenizer::FromGguf(file);
    const auto format = FimFormat::Detect(file, tokenizer);
    EXPECT_EQ(format->name(), "from-metadata");
    return format->end_tokens();
  };
  EXPECT_THAT(ends(1), ::testing::UnorderedElementsAre(TokenId{0}, TokenId{4}, TokenId{5}));
  EXPECT_THAT(ends(6), ::testing::Contains(TokenId{9})) << "as of CodeLlama, by its markers";
}

TEST(Fim, TheFilesOwnTemplateComesFirst) {
  const Model model({"<|endoftext|>", "<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<n>"},
                    "<n>{name}<fim_suffix>{suffix}<fim_prefix>{prefix}");
  EXPECT_EQ(model.Detect()->name(), "tenon");
  EXPECT_EQ(model.Prompt("L", "R"), "[<n>]a.py[<fim_suffix>]R[<fim_prefix>]L");
}

TEST(Fim, ATemplateMayHaveNewlinesAndNoOtherText) {
  const Model model({"<|endoftext|>", "<n>", "<s>", "<m>"}, "<n>{name}\n<s>{suffix}<m>{prefix}");
  EXPECT_EQ(model.Prompt("L", "R"), "[<n>]a.py\n[<s>]R[<m>]L");
  EXPECT_THAT(Model({"<e>", "<n>"}, "<n>{name}\n# {prefix}").Detect().error().message,
              HasSubstr("no marker '?# '"));
}

TEST(Fim, NamesWhatIsWrongWithATemplate) {
  EXPECT_THAT(Model({"<e>"}, "<nope>{prefix}").Detect().error().message,
              ::testing::AllOf(HasSubstr("x.gguf"), HasSubstr("<nope>")));
  EXPECT_THAT(Model({"<e>", "<a>"}, "<a>{suffix}").Detect().error().message,
              HasSubstr("{prefix} is missing"));
  const Model model({"<e>", "<a>"});
  EXPECT_THAT(
      FimFormat::FromTemplate("mine", "<a>{prefix}", {"<z>"}, *model.tokenizer).error().message,
      HasSubstr("<z>"));
}

TEST(Fim, TextOfAUserIsNeverAMarker) {
  const Model model({"<|endoftext|>", "<file_sep>"});
  EXPECT_EQ(model.Prompt("a<|endoftext|>", "<file_sep>b"),
            "[<file_sep>]<file_sep>b\n[<file_sep>]a<|endoftext|>");
}

TEST(Fim, WindowsBeginAndEndAtLines) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + "\n";
  const std::string_view left = LeftWindow(text, 300);
  EXPECT_LE(left.size(), 300u);
  EXPECT_GE(left.size(), 200u);
  EXPECT_THAT(std::string(left), StartsWith("line "));
  EXPECT_THAT(std::string(left), EndsWith("line 199\n"));
  const std::string_view right = RightWindow(text, 300);
  EXPECT_LE(right.size(), 300u);
  EXPECT_THAT(std::string(right), StartsWith("line 0\n"));
  EXPECT_THAT(std::string(right), EndsWith("\n"));
  EXPECT_EQ(LeftWindow("short", 300), "short");
  EXPECT_EQ(RightWindow("short", 300), "short");
  EXPECT_EQ(LeftWindow(text, 0), "");
  EXPECT_EQ(RightWindow(text, 0), "");
}

TEST(Fim, ALineLongerThanTheWindowIsCutBetweenCodePoints) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\u6f22";
  for (size_t size = 1; size < 20; ++size) {
    const std::string_view left = LeftWindow(text, size), right = RightWindow(text, size);
    EXPECT_LE(left.size(), size);
    EXPECT_LE(right.size(), size);
    EXPECT_EQ(left.size() % 3, 0u);
    EXPECT_EQ(right.size() % 3, 0u);
  }
}

TEST(Fim, ALongLineTakesNoWindow) {
  const std::string line(1000, 'x');
  const std::string left = "a\n" + line + "\nb", right = "a\n" + line + "\nb\n";
  EXPECT_GE(LeftWindow(left, 400).size(), 200u);
  EXPECT_GE(RightWindow(right, 400).size(), 200u);
  EXPECT_THAT(std::string(LeftWindow(left, 400)), EndsWith("x\nb"));
  EXPECT_THAT(std::string(RightWindow(right, 400)), StartsWith("a\nx"));
}

TEST(Fim, TypingMovesTheLeftWindowSeldom) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "line " + std::to_string(i) + "\n";
  int moves = 0;
  const char* begin = nullptr;
  for (size_t length = 2000; length < 3000; ++length) {
    const char* now = LeftWindow(std::string_view(text).substr(0, length), 1400).data();
    moves += begin != nullptr && now != begin;
    begin = now;
  }
  EXPECT_LE(moves, 4);
  EXPECT_GE(moves, 2);
}

TEST(Fim, APromptKeepsToItsBudget) {
  const Model model({"<|endoftext|>", "<file_sep>"});
  std::string text;
  for (int i = 0; i < 400; ++i) text += "x = " + std::to_string(i) + "\n";
  const auto format = model.Detect();
  for (const size_t budget : {0, 1, 5, 50, 300, 2000}) {
    const FimPrompt prompt = format->BuildPrompt(*model.tokenizer, "a.py", text, text, budget);
    EXPECT_LE(prompt.tokens.size(), std::max<size_t>(budget, 3));
    if (budget >= 50) {
      EXPECT_THAT(model.Text(prompt), EndsWith("x = 399\n"));
    }
  }
}

TEST(Fim, AnOutlineStandsBeforeAWindowThatHidesSomething) {
  const Model model({"<|endoftext|>", "<file_sep>"});
  const auto format = model.Detect();
  const auto outline = [](std::string_view hidden, std::string_view shown) {
    return std::to_string(hidden.size()) + "," + std::to_string(shown.size()) + "\n";
  };
  const FimWindow window{8, 8};
  const auto prompt = [&](std::string_view left, size_t budget) {
    return model.Text(
        format->BuildPrompt(*model.tokenizer, "a.py", left, "R", budget, outline, window));
  };
  EXPECT_EQ(prompt("a\nb\nc\n", 100), "[<file_sep>]R\n[<file_sep>]a\nb\nc\n");
  EXPECT_EQ(prompt("a\nb\nc\nd\ne\n", 100), "[<file_sep>]R\n[<file_sep>]2,8\nb\nc\nd\ne\n");
  EXPECT_EQ(prompt("a\nb\nc\nd\ne\n", 3), "[<file_sep>]\n[<file_sep>]");
}

TEST(Fim, SnippetsOfOtherFilesStandBeforeEverythingElse) {
  const Model model(
      {"<|endoftext|>", "<|file_sep|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"});
  const std::vector<FimSnippet> snippets = {{"b.py", "x\n"}, {"<|file_sep|>", "y\n"}};
  const auto prompt = [&](size_t budget) {
    return model.Text(
        model.Detect()->BuildPrompt(*model.tokenizer, "a.py", "L", "R", budget, {}, {}, snippets));
  };
  const std::string own = "[<|fim_prefix|>]L[<|fim_suffix|>]R[<|fim_middle|>]";
  EXPECT_EQ(prompt(100), "[<|file_sep|>]b.py\nx\n[<|file_sep|>]<|file_sep|>\ny\n" + own);
  // The first ones are worth least.
  EXPECT_EQ(prompt(23), "[<|file_sep|>]<|file_sep|>\ny\n" + own);
  EXPECT_EQ(prompt(8), own);
}

TEST(Fim, SnippetsAreNotShownToAModelThatWasShownNoFiles) {
  const std::vector<FimSnippet> snippets = {{"b.py", "x\n"}};
  for (const auto& [control, fim_template] :
       {std::pair(std::vector<std::string>{"<a>", "<b>"}, "<a>{suffix}<b>{prefix}"),
        // the separator is a marker of something else
        std::pair(std::vector<std::string>{"<a>", "<file_sep>"},
                  "<a>{suffix}<file_sep>{prefix}")}) {
    const Model model(control, fim_template);
    EXPECT_EQ(model.Text(model.Detect()->BuildPrompt(*model.tokenizer, "a.py", "L", "R", 100, {},
                                                     {}, snippets)),
              "[<a>]R[" + control[1] + "]L");
  }
}

}  // namespace
}  // namespace tenon::model
