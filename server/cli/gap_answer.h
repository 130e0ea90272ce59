// Answers of `tenon gap`: is the gap viable, does the text close it, what may come next, and texts
// of tenon's own that close it.
//
// A gap is opened as a completion opens it. Where no text of tenon's own joins the whole file, a
// string that the right side ends may do, or a region, or whatever the right side ends
// (docs/design/seams.md). Example, in JSON: `{"a": |b"}` is closed by `"`, over the line seam.
//
// Cost: a question opens one gap where the file is good, and a few where it is not. Languages,
// syntax trees and mask stores are made once. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "model/text/text.h"
#include "server/cli/gap_question.h"
#include "server/decode/mask_stores.h"
#include "server/invocation/invocation.h"
#include "server/region/region.h"
#include "server/syntax/syntax_registry.h"

namespace tenon::server {

struct GapAnswer {
  bool viable = false;
  bool member = false;
  std::optional<Region> region;  // the gap is viable in it, and not in the whole file
  Seam seam = Seam::kClosed;     // at which a text of tenon's own closes the gap
  std::vector<std::string> expected;
  std::optional<std::string> closing;  // asked for, and found
  std::optional<std::vector<std::string>> samples;
  std::optional<uint32_t> needs;  // tokens, where those for the samples are too few
};
[[nodiscard]] nlohmann::json ToJson(const GapAnswer& answer);

class GapAnswerer {
 public:
  // `tokenizer`: the file of the vocabulary that samples are drawn from; nothing: the model's.
  // REQUIRES: `invocation` outlives this.
  GapAnswerer(const Invocation& invocation, std::shared_ptr<const LanguageRegistry> languages,
              std::optional<std::string> tokenizer);

  // The error: no such cut, language, or vocabulary.
  [[nodiscard]] tl::expected<GapAnswer, std::string> Answer(const GapQuestion& question);

 private:
  // What is asked of, looked up.
  struct Subject {
    Language language;
    std::string language_id;
    std::string text;  // without the cut
    size_t cursor = 0;
    tenon::GapOptions options;

    [[nodiscard]] Gap OpenGap() const;
    // The contexts of the cursor, in the whole text or in a region of it.
    [[nodiscard]] std::string Left(const std::optional<Region>& region) const;
    [[nodiscard]] std::string Right(const std::optional<Region>& region) const;
  };
  struct OpenedGap {
    Gap gap;
    Seam seam = Seam::kClosed;
    std::optional<Region> region = {};
  };
  // May the text be offered, as a completion?
  using Fits = std::function<bool(std::string_view)>;

  [[nodiscard]] tl::expected<Subject, std::string> SubjectOf(const GapQuestion& question);
  // The vocabulary that samples are drawn from, read when the first is asked for.
  [[nodiscard]] tl::expected<const model::Tokenizer*, std::string> Vocabulary();
  // REQUIRES: Vocabulary() gave one.
  [[nodiscard]] MaskStore StoreOf(const Language& language);

  // The gap of the whole text. Where that is not viable, or tenon is to write and no text of its
  // own closes it: over a wider seam or in a region, if one is closed there.
  [[nodiscard]] OpenedGap Open(const GapQuestion& question, const Subject& subject) const;
  // Nothing: no text of tenon's own closes it there.
  [[nodiscard]] static std::optional<OpenedGap> OpenOver(Seam seam, const Subject& subject);
  [[nodiscard]] std::optional<OpenedGap> OpenInRegion(const Subject& subject) const;
  // Opens the gap anew after the inserted text, for texts of tenon's own. They obey the emit
  // grammar and the seam rule, whatever the inserted text obeyed; the seam becomes wider where that
  // takes it.
  static void OpenForOwnTexts(const GapQuestion& question, const Subject& subject,
                              OpenedGap& opened);
  void AddSamples(const SampleOptions& wanted, const Subject& subject, const Gap& gap,
                  const Fits& fits, GapAnswer& answer);

  const Invocation& invocation_;
  std::shared_ptr<const LanguageRegistry> languages_;
  SyntaxRegistry syntaxes_;
  std::optional<std::string> wanted_vocabulary_;
  Cache cache_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<MaskStores> stores_;  // after the tokenizer, which it refers to
};

}  // namespace tenon::server
