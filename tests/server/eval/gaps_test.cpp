#include "server/eval/gaps.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "server/eval/text_lines.h"
#include "tests/server/fake_completer.h"
#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

const std::string kText =
    "def größe(a, b):\r\n    return a + b  \r\n\r\n\n    \nx\nyz = 'é€𝄞'\n  last line without end";

const std::vector<GapKind> kLineKinds = {GapKind::kTail, GapKind::kInside, GapKind::kLine};

std::string_view PieceIn(const CutPiece& piece) {
  return std::string_view(kText).substr(piece.begin_bytes, piece.end_bytes - piece.begin_bytes);
}

// The line of the text that holds the piece, line end apart; nothing where no single line does.
std::optional<TextLine> LineAround(const CutPiece& piece) {
  for (const TextLine& line : LinesOf(kText)) {
    if (piece.begin_bytes >= line.begin_bytes && piece.end_bytes <= line.end_bytes) return line;
  }
  return std::nullopt;
}

bool BeginsCharacter(size_t offset) {
  return offset == kText.size() || (static_cast<unsigned char>(kText[offset]) & 0xC0U) != 0x80;
}

TEST(Gaps, PiecesLieInsideLinesAsTheirKindSays) {
  Random random(1);
  for (const GapKind kind : kLineKinds) {
    std::set<size_t> lines;
    for (int i = 0; i < 500; ++i) {
      const auto piece = ChoosePiece(kText, kind, random);
      ASSERT_TRUE(piece);
      EXPECT_EQ(piece->kind, kind);
      const auto line = LineAround(*piece);
      ASSERT_TRUE(line) << ToString(kind) << ": " << PieceIn(*piece);
      lines.insert(line->begin_bytes);
      EXPECT_NE(PieceIn(*piece).find_first_not_of(" \t\r\n"), std::string_view::npos);
      EXPECT_TRUE(BeginsCharacter(piece->begin_bytes) && BeginsCharacter(piece->end_bytes));
      EXPECT_EQ(piece->end_bytes < line->content_end_bytes, kind == GapKind::kInside);
      EXPECT_EQ(piece->end_bytes == line->end_bytes, kind != GapKind::kInside);
      EXPECT_GE(piece->begin_bytes, line->content_begin_bytes);
      EXPECT_EQ(piece->begin_bytes == line->content_begin_bytes, kind == GapKind::kLine);
    }
    EXPECT_EQ(lines.size(), kind == GapKind::kLine ? 5U : 4U) << "every line that has such pieces";
  }
}

TEST(Gaps, ATextWithoutSuchALineHasNone) {
  Random random(1);
  EXPECT_FALSE(ChoosePiece("", GapKind::kLine, random));
  EXPECT_FALSE(ChoosePiece(" \n\t\n", GapKind::kLine, random));
  EXPECT_FALSE(ChoosePiece("a\nb\n", GapKind::kTail, random));
  EXPECT_FALSE(ChoosePiece("ab\ncd\n", GapKind::kInside, random));
  EXPECT_FALSE(ChoosePiece("a b\n", GapKind::kInside, random)) << "a blank alone is no piece";
  EXPECT_FALSE(ChoosePiece(std::string(500, 'a'), GapKind::kTail, random)) << "nobody types it";
}

// All pieces of a text that are drawn.
std::set<std::string> PiecesOf(const std::string& text, GapKind kind) {
  Random random(1);
  std::set<std::string> pieces;
  for (int i = 0; i < 50; ++i) {
    if (const auto piece = ChoosePiece(text, kind, random))
      pieces.insert(text.substr(piece->begin_bytes, piece->end_bytes - piece->begin_bytes));
  }
  return pieces;
}

TEST(Gaps, ABlockIsTheLastArgumentOfACall) {
  Random random(1);
  const std::string text =
      "f(1, \"a, b\", () => {\n  g(2);\n});\nh({\n  a: 1,\n}, 2);\nif (a) {\n  b();\n}\n";
  EXPECT_EQ(PiecesOf(text, GapKind::kBlock),
            (std::set<std::string>{"() => {\n  g(2);\n}", "{\n  a: 1,\n}"}));
  for (const char* without : {"", "f(a);\n", "if (a) {\n}\n", "f({\n", "f({\n});\n]"})
    EXPECT_EQ(ChoosePiece(without, GapKind::kBlock, random).has_value(),
              std::string_view(without).ends_with(']'))
        << without;
  EXPECT_TRUE(Compare(GapKind::kBlock, "{\n a\n}", "{\n a\n} ").exact);
  EXPECT_FALSE(Compare(GapKind::kBlock, "{\n a\n}", "{\n b\n}").exact);
}

TEST(Gaps, ABodyIsAllThatABlockHolds) {
  const auto bodies = [](const std::string& text) { return PiecesOf(text, GapKind::kBody); };
  using Pieces = std::set<std::string>;
  EXPECT_EQ(bodies("if a:\n    b\n\n    if c:\n        d\n\ne\n"),
            Pieces{"b\n\n    if c:\n        d"});
  EXPECT_EQ(bodies("f() {\n  a;\n  b;\n}\ng({\n  c,\n  d\n})"), (Pieces{"a;\n  b;", "c,\n  d"}));
  EXPECT_EQ(bodies("f() {\n  a;\n}\nif b:\n  c\n"), Pieces()) << "a line alone";
  EXPECT_EQ(bodies("if a:\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n"), Pieces()) << "too many";
  EXPECT_EQ(bodies("def f(a)\n  b\n  c\nend\n"), Pieces{"b\n  c"});
  EXPECT_EQ(bodies("a\nb\nc\n"), Pieces());
}

TEST(Gaps, ExactIsEqualUpToBlanksAtTheEnd) {
  EXPECT_TRUE(Compare(GapKind::kTail, "a + b", "a + b").exact);
  EXPECT_TRUE(Compare(GapKind::kTail, "a + b  ", "a + b").exact);
  EXPECT_TRUE(Compare(GapKind::kTail, "a + b", "a + b\n    return").exact);
  EXPECT_TRUE(Compare(GapKind::kLine, "a + b", "a + b\r\n    return").exact);
  EXPECT_FALSE(Compare(GapKind::kInside, "a + b", "a + b\n    return").exact);
  EXPECT_FALSE(Compare(GapKind::kTail, "a + b", "\na + b").exact);
  EXPECT_FALSE(Compare(GapKind::kTail, "a + b", " a + b").exact);
}

TEST(Gaps, NothingButBlanksIsNoAnswer) {
  const GapQuality blank = Compare(GapKind::kTail, "a", " \n");
  EXPECT_FALSE(blank.answered);
  EXPECT_EQ(blank.similarity, 0);
  const GapQuality half = Compare(GapKind::kTail, "name", "game\nover");
  EXPECT_TRUE(half.answered);
  EXPECT_FALSE(half.exact);
  EXPECT_DOUBLE_EQ(half.similarity, 0.75);
}

class GapsOfAFolder : public testing::Test {
 protected:
  void SetUp() override {
    languages_ = *LanguageRegistry::Load(SourcePath("grammars"));
    std::string text = "[\n";
    for (int i = 0; i < 100; ++i) text += "  \"number " + std::to_string(i) + "\",\n";
    text += "  null\n]\n";
    for (const char* name : {"a.json", "b.json", "c.json"}) folder_.Write(name, text);
  }
  std::vector<PlannedGap> Plan(size_t count, uint64_t seed) const {
    auto corpus = *Corpus::In(folder_.path(), languages_, {}, seed);
    return *PlanGaps(corpus, count, kLineKinds, seed);
  }
  static std::vector<std::string> Names(const std::vector<PlannedGap>& plan) {
    std::vector<std::string> names;
    for (const PlannedGap& gap : plan) names.push_back(NameOf(gap).dump());
    return names;
  }

  TemporaryFolder folder_;
  std::shared_ptr<const LanguageRegistry> languages_;
};

TEST_F(GapsOfAFolder, ArePlannedByTheSeedAlone) {
  EXPECT_EQ(Names(Plan(20, 1)), Names(Plan(20, 1)));
  EXPECT_NE(Names(Plan(20, 1)), Names(Plan(20, 2)));
  const auto shorter = Names(Plan(7, 1)), longer = Names(Plan(20, 1));
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST_F(GapsOfAFolder, AreAThirdOfEachKindAndAllDifferent) {
  const std::vector<PlannedGap> plan = Plan(30, 1);
  ASSERT_EQ(plan.size(), 30U);
  for (const GapKind kind : kLineKinds) {
    EXPECT_EQ(std::count_if(plan.begin(), plan.end(),
                            [kind](const PlannedGap& gap) { return gap.place.kind == kind; }),
              10);
  }
  const auto names = Names(plan);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 30U);
  std::set<std::string> first_files;
  for (size_t i = 0; i < 3; ++i) first_files.insert(plan[i].file->path);
  EXPECT_EQ(first_files.size(), 3U) << "a new file each";
}

TEST_F(GapsOfAFolder, AreFewerWhereTheFolderHasNotSoMany) {
  TemporaryFolder folder;
  folder.Write("a.json", "[" + std::string(600, ' ') + "]\n");
  auto corpus = *Corpus::In(folder.path(), languages_, {}, 1);
  EXPECT_LE(PlanGaps(corpus, 100'000, kLineKinds, 1)->size(), 2000U);
}

TEST_F(GapsOfAFolder, AreRecordedWithEveryAnswer) {
  FakeCompleter completer;
  const Asker asker(completer, {.max_tokens = 16},
                    [] { return std::chrono::steady_clock::time_point(); });
  const std::string text = "[\n  \"answer\",\n  1\n]\n";
  const PlannedGap gap{std::make_shared<const CorpusFile>(CorpusFile{"below/a.json", "json", text}),
                       {GapKind::kInside, 5, 11}};
  const nlohmann::json record = AskAboutGap(asker, gap, *languages_->Get("json"),
                                            {ConstraintMode::kOff, ConstraintMode::kBoth});
  EXPECT_EQ(completer.calls(), 2);
  const CompletionRequest request = completer.last_request();
  EXPECT_EQ(*request.text, "[\n  \"\",\n  1\n]\n");
  EXPECT_EQ(request.offset_bytes, 5U);
  EXPECT_EQ(request.name, "a.json");
  EXPECT_EQ(request.language_id, "json");
  EXPECT_EQ(request.max_tokens, 16);
  EXPECT_EQ(request.constraint, ConstraintMode::kBoth);
  EXPECT_EQ(record["path"], "below/a.json");
  EXPECT_EQ(record["at"], nlohmann::json::parse("[5, 11]"));
  EXPECT_EQ(record["kind"], "inside");
  EXPECT_EQ(record["piece"], "answer");
  EXPECT_EQ(record["bytes"], 6);
  EXPECT_TRUE(record["nats"].is_null());
  EXPECT_FALSE(record["no_nats"].get<std::string>().empty());
  EXPECT_EQ(record["answers"].size(), 2U);
  const nlohmann::json& answer = record["answers"]["both"];
  EXPECT_EQ(answer["text"], "answer");
  EXPECT_TRUE(answer["exact"].get<bool>() && answer["valid"].get<bool>());
  EXPECT_EQ(answer["similarity"], 1.0);
  EXPECT_EQ(answer["tokens"], 3);
  EXPECT_EQ(answer["ended"], "stop");

  const PlannedGap outside{gap.file, {GapKind::kLine, 16, 17}};
  const nlohmann::json wrong =
      AskAboutGap(asker, outside, *languages_->Get("json"), {ConstraintMode::kOff});
  EXPECT_FALSE(wrong["answers"]["off"]["valid"].get<bool>()) << "answer is no JSON value";
}

TEST_F(GapsOfAFolder, AreExactWhereOneOfSeveralCandidatesIs) {
  FakeCompleter completer;
  const Asker asker(completer, {.candidates = 2},
                    [] { return std::chrono::steady_clock::time_point(); });
  const PlannedGap gap{
      std::make_shared<const CorpusFile>(CorpusFile{"a.json", "json", "[\n  \"second\"\n]\n"}),
      {GapKind::kInside, 5, 11}};
  const nlohmann::json record =
      AskAboutGap(asker, gap, *languages_->Get("json"), {ConstraintMode::kBoth});
  EXPECT_EQ(completer.last_request().candidates, 2);
  EXPECT_FALSE(record["answers"]["both"]["exact"].get<bool>());
  EXPECT_TRUE(record["answers"]["both"]["exact_any"].get<bool>());
}

}  // namespace
}  // namespace tenon::server
