#include "constraint/mask/entry_count.h"
#include "constraint/mask/mask_store.h"
#include "server/cli/bench_subject.h"
#include "server/cli/measurement.h"

namespace tenon::server {
namespace {

constexpr int kRepeats = 5;

}  // namespace

int BenchStore(const Session& session, const BenchSubject& subject) {
  const auto vocabulary = std::make_shared<const constraint::TokenVocabulary>(subject.vocabulary);
  const double before = ResidentMb();
  // The first time is the cold one; memory and branch predictors know the way afterwards.
  Samples cold("compile_cold", TimeUnit::kMilliseconds);
  Samples grammar("compile_grammar", TimeUnit::kMilliseconds), build("compile_store", TimeUnit::kMilliseconds);
  std::shared_ptr<const constraint::MaskStore> store;
  for (int i = 0; i < kRepeats; ++i) {
    store.reset();
    const auto language = grammar.Time([&subject] { return subject.Compile(); });
    if (!language) return session.Fail(language.error());
    const auto took = grammar.last_taken();
    store = build.Time([&] { return constraint::MaskStore::Build(*language, vocabulary); });
    if (i == 0) {
      cold.Add(took + build.last_taken());
      PrintRow(session, cold.Row());
      PrintRow(session, ValueRow("resident", "MB", ResidentMb() - before));
    }
  }
  PrintRow(session, grammar.Row());
  PrintRow(session, build.Row());
  for (const auto& step : constraint::CountEntries(*store)) PrintRow(session, CountRow(step.name, step.count));
  PrintRow(session, CountRow("vocabulary", subject.vocabulary.size()));
  PrintRow(session, CountRow("token_sets", store->sets().size()));
  return kDone;
}

}  // namespace tenon::server
