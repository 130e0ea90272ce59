// Events as the servers send them: of llama.cpp's they are recorded, of the others as their
// documents say.
#include "server/remote/server_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/settings/settings.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TextQuestion Question() {
  TextQuestion question;
  question.prompt = "def f(a):\n    return";
  question.max_tokens = 5;
  question.model = "small";
  question.ends = {"<|endoftext|>", "<|file_sep|>"};
  return question;
}

StreamEvent Read(const ServerProtocol& protocol, std::string_view event) {
  auto read = protocol.Read(event, Question());
  EXPECT_TRUE(read) << (read ? "" : read.error());
  return read.value_or(StreamEvent());
}

std::string WhyNot(const ServerProtocol& protocol, std::string_view event) {
  const auto read = protocol.Read(event, Question());
  EXPECT_FALSE(read) << event;
  return read ? "" : read.error();
}

// "a .5 | b | end": the piece, its probability, its alternatives.
std::string Show(const StreamEvent& event) {
  std::string shown;
  const auto add = [&shown](const ShownText& text) {
    shown += text.ends ? "END" : "'" + text.bytes + "'";
    if (text.nats) shown += " " + std::to_string(*text.nats).substr(0, 3);
  };
  for (const TextPiece& piece : event.pieces) {
    if (!shown.empty()) shown += "; ";
    add(piece.text);
    for (const ShownText& other : piece.others) {
      shown += " | ";
      add(other);
    }
  }
  return shown + (event.over ? " over" : "");
}

TEST(ServerProtocol, ExistsForEachKindOfTheSettings) {
  for (const std::string_view kind : kRemoteKinds) EXPECT_NE(ProtocolOf(kind), nullptr) << kind;
  EXPECT_EQ(ProtocolOf("llamacpp"), nullptr);
}

TEST(ServerProtocol, ALongTextIsSeveralPieces) {
  std::string text = "x";
  for (int i = 0; i < 1500; ++i) text += "\u00e9";  // no multiple of its bytes ends at 1,024
  const json event = {{"content", text}, {"stop", false}};
  const StreamEvent read = Read(*LlamaCppProtocol(), event.dump());
  ASSERT_EQ(read.pieces.size(), 3U);
  std::string together;
  for (const TextPiece& piece : read.pieces) {
    EXPECT_LE(piece.text.bytes.size(), kMaxPieceBytes);
    EXPECT_NE(static_cast<unsigned char>(piece.text.bytes.front()), 0xa9) << "half a character";
    together += piece.text.bytes;
  }
  EXPECT_EQ(together, text);
}

TEST(ServerProtocol, AsksForAStreamWithTheLikeliestTokens) {
  const TextQuestion question = Question();
  const json llama = LlamaCppProtocol()->Body(question);
  EXPECT_EQ(llama["prompt"], question.prompt);
  EXPECT_EQ(llama["n_predict"], 5);
  EXPECT_EQ(llama["n_probs"], kShownTokens);
  EXPECT_EQ(llama["stream"], true);
  EXPECT_EQ(llama["temperature"], 0);
  EXPECT_FALSE(llama.contains("grammar"));
  const json openai = OpenAiProtocol()->Body(question);
  EXPECT_EQ(openai["model"], "small");
  EXPECT_EQ(openai["max_tokens"], 5);
  EXPECT_EQ(openai["logprobs"], 5);
  EXPECT_EQ(openai["stop"], json({"<|endoftext|>", "<|file_sep|>"}));
  const json ollama = OllamaProtocol()->Body(question);
  EXPECT_EQ(ollama["raw"], true);
  EXPECT_EQ(ollama["options"]["num_predict"], 5);
}

TEST(ServerProtocol, GivesLlamaCppsGrammarOn) {
  TextQuestion question = Question();
  question.grammar = "root ::= \"a\"";
  EXPECT_EQ(LlamaCppProtocol()->Body(question)["grammar"], "root ::= \"a\"");
}

TEST(LlamaCppProtocol, ReadsATokenWithItsAlternatives) {
  const auto event = Read(*LlamaCppProtocol(), R"({"index":0,"content":" a","tokens":[253],
      "stop":false,"completion_probabilities":[{"id":253,"token":" a","bytes":[32,97],
      "logprob":-1.2,"top_logprobs":[{"id":253,"token":" a","bytes":[32,97],"logprob":-1.2},
      {"id":0,"token":"","bytes":[],"logprob":-2.6},
      {"id":275,"token":" f","bytes":[32,102],"logprob":-2.8}]}]})");
  EXPECT_EQ(Show(event), "' a' 1.2 | END 2.6 | ' f' 2.8");
}

TEST(LlamaCppProtocol, ReadsTheEnd) {
  const auto protocol = LlamaCppProtocol();
  const auto control = Read(*protocol, R"({"content":"","stop":false,"completion_probabilities":
      [{"id":0,"token":"","bytes":[],"logprob":-1.7,"top_logprobs":
      [{"id":1672,"token":" *","bytes":[32,42],"logprob":-1.9}]}]})");
  EXPECT_EQ(Show(control), "END 1.7 | ' *' 1.9");
  EXPECT_EQ(Show(Read(*protocol, R"({"content":"","stop":true,"stop_type":"eos"})")), "END over");
  EXPECT_EQ(Show(Read(*protocol, R"({"content":"","stop":true,"stop_type":"limit"})")), " over");
}

TEST(LlamaCppProtocol, TakesTheTextWhereTheTokensDoNotSpellIt) {
  const auto protocol = LlamaCppProtocol();
  EXPECT_EQ(Show(Read(*protocol, R"({"content":"xy","completion_probabilities":
      [{"token":"a","bytes":[97],"logprob":-1,"top_logprobs":[]}]})")),
            "'xy'");
  EXPECT_EQ(Show(Read(*protocol, R"({"content":"a"})")), "'a'");
  // Two bytes of a character each, whole together.
  EXPECT_EQ(Show(Read(*protocol, R"({"content":"é","completion_probabilities":
      [{"bytes":[195],"logprob":-1},{"bytes":[169],"logprob":-0.5}]})")),
            "'\xc3' 1.0; '\xa9' 0.5");
}

TEST(LlamaCppProtocol, SaysWhatIsWrong) {
  const auto protocol = LlamaCppProtocol();
  EXPECT_NE(WhyNot(*protocol, "{\"content\"").find("no JSON"), std::string::npos);
  EXPECT_NE(WhyNot(*protocol, "{}").find("without 'content'"), std::string::npos);
  EXPECT_NE(WhyNot(*protocol, "[1]").find("without 'content'"), std::string::npos);
  EXPECT_NE(WhyNot(*protocol, R"({"content": 1})").find("without 'content'"), std::string::npos);
  EXPECT_EQ(WhyNot(*protocol, R"({"error":{"code":400,"message":"too long\nby 3"}})"),
            "says 'too long by 3'");
}

TEST(OpenAiProtocol, ReadsTheListsOfVllm) {
  const auto event = Read(*OpenAiProtocol(), R"({"choices":[{"index":0,"text":" a","logprobs":
      {"text_offset":[0],"tokens":[" a"],"token_logprobs":[-0.5],
      "top_logprobs":[{" a":-0.5," f":-2.5," b":-1.5,"�":-0.1,"<|file_sep|>":-3.5}]},
      "finish_reason":null}]})");
  EXPECT_EQ(Show(event), "' a' 0.5 | ' b' 1.5 | ' f' 2.5 | END 3.5");
}

TEST(OpenAiProtocol, ReadsTheObjectsOfLlamaCpp) {
  const auto event = Read(*OpenAiProtocol(), R"({"choices":[{"text":" a","index":0,"logprobs":
      {"content":[{"id":253,"token":" a","bytes":[32,97],"logprob":-1.25,"top_logprobs":
      [{"id":216,"token":" ","bytes":[32],"logprob":-2.5}]}]},"finish_reason":null}]})");
  EXPECT_EQ(Show(event), "' a' 1.2 | ' ' 2.5");
}

TEST(OpenAiProtocol, ReadsTheEnd) {
  const auto protocol = OpenAiProtocol();
  EXPECT_EQ(Show(Read(*protocol, R"({"choices":[{"text":"x","finish_reason":"stop"}]})")),
            "'x'; END over");
  EXPECT_EQ(Show(Read(*protocol, R"({"choices":[{"text":"x","finish_reason":"length"}]})")),
            "'x' over");
  EXPECT_EQ(Show(Read(*protocol, R"({"choices":[],"usage":{"total_tokens":9}})")), "");
  EXPECT_EQ(Show(Read(*protocol, "[DONE]")), " over");
}

TEST(OpenAiProtocol, SaysWhatIsWrong) {
  const auto protocol = OpenAiProtocol();
  EXPECT_NE(WhyNot(*protocol, "null").find("without 'choices'"), std::string::npos);
  EXPECT_NE(WhyNot(*protocol, R"({"choices":[{}]})").find("without 'text'"), std::string::npos);
  EXPECT_NE(WhyNot(*protocol, R"({"choices":[7]})").find("without 'text'"), std::string::npos);
  EXPECT_EQ(WhyNot(*protocol, R"({"object":"error","message":"no such model","code":404})"),
            "says 'no such model'");
}

TEST(OpenAiProtocol, ListsTheModels) {
  const json health = {{"data", {{{"id", "a"}}, {{"id", "b"}}, 7, {{"id", 1}}}}};
  EXPECT_THAT(OpenAiProtocol()->ModelsIn(health), testing::ElementsAre("a", "b"));
  EXPECT_TRUE(OpenAiProtocol()->ModelsIn(json("x")).empty());
}

TEST(OllamaProtocol, ReadsTokensAndTheEnd) {
  const auto protocol = OllamaProtocol();
  EXPECT_EQ(Show(Read(*protocol, R"({"model":"m","response":" a","done":false})")), "' a'");
  EXPECT_EQ(Show(Read(*protocol, R"({"response":" a","done":false,"logprobs":[{"token":" a",
      "logprob":-0.5,"top_logprobs":[{"token":" b","logprob":-1.5}]}]})")),
            "' a' 0.5 | ' b' 1.5");
  EXPECT_EQ(Show(Read(*protocol, R"({"response":"","done":true,"done_reason":"stop"})")),
            "END over");
  EXPECT_EQ(Show(Read(*protocol, R"({"response":"","done":true,"done_reason":"length"})")),
            " over");
  EXPECT_EQ(WhyNot(*protocol, R"({"error":"model 'm' not found"})"), "says 'model 'm' not found'");
  EXPECT_NE(WhyNot(*protocol, R"({"response":"a"})").find("without 'done'"), std::string::npos);
}

TEST(ServerProtocol, RefusesNumbersThatAreNoBytes) {
  for (const char* bytes : {"[256]", "[-1]", "[1.5]", "[\"a\"]", "{}", "7"}) {
    const std::string event = std::string(R"({"content":"a","completion_probabilities":[{"token":
        "a","bytes":)") + bytes +
                              R"(,"logprob":"x"}]})";
    EXPECT_EQ(Show(Read(*LlamaCppProtocol(), event)), "'a'") << bytes;
  }
}

TEST(ServerProtocol, QuotesWordsOnOneShortPrintableLine) {
  EXPECT_EQ(Quoted("a\x1b[31m\n\n b"), "a[31m b");
  EXPECT_LE(Quoted(std::string(5000, 'x')).size(), 210u);
}

}  // namespace
}  // namespace tenon::server
