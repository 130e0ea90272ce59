#include <optional>

#include "constraint/cache/cache.h"
#include "constraint/library/internals.h"
#include "constraint/mask/mask.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

constexpr int kRepeats = 5, kDiskRepeats = 15;

// Reading the language and its store; nothing where none are kept.
std::optional<Timings> FromDisk(
    const Invocation& invocation, const BenchSubject& subject,
    const std::shared_ptr<const constraint::TokenVocabulary>& vocabulary) {
  const constraint::LanguageCache& cache = Internals::Of(invocation.cache());
  Timings disk("compile_disk", TimeUnit::kMilliseconds);
  size_t bytes = 0;
  for (int i = 0; i <= kDiskRepeats; ++i) {
    Timings once("once", TimeUnit::kMilliseconds);
    const auto store = once.Time([&] {
      const auto language = cache.Compile(subject.grammar, subject.grammar_path);
      auto read = language ? cache.Store(language->value, vocabulary)
                           : constraint::Cached<constraint::MaskStore>();
      read.from_disk = read.from_disk && language->from_disk;
      bytes = language ? language->file_bytes + read.file_bytes : 0;
      return read;
    });
    // The first time may have written the files that the others read.
    if (i > 0 && !store.from_disk) return std::nullopt;
    if (i > 0) disk.Add(once.last_taken());
  }
  disk.Note("bytes", bytes);
  return disk;
}

}  // namespace

int BenchStore(const Invocation& invocation, const BenchSubject& subject) {
  const auto& vocabulary = Internals::Of(subject.vocabulary);
  const double before = ResidentMb();
  // The first time is the cold one; memory and branch predictors know the way afterwards.
  Timings cold("compile_cold", TimeUnit::kMilliseconds);
  Timings grammar("compile_grammar", TimeUnit::kMilliseconds),
      build("compile_store", TimeUnit::kMilliseconds);
  std::shared_ptr<const constraint::MaskStore> store;
  for (int i = 0; i < kRepeats; ++i) {
    store.reset();
    const auto language = grammar.Time([&subject] { return subject.Compile(); });
    if (!language) return invocation.Fail(language.error());
    const auto took = grammar.last_taken();
    store = build.Time(
        [&] { return constraint::MaskStore::Build(Internals::Of(*language), vocabulary); });
    if (i == 0) {
      cold.Add(took + build.last_taken());
      PrintRow(invocation, cold.Row());
      PrintRow(invocation, ValueRow("resident", "MB", ResidentMb() - before));
    }
  }
  if (const auto disk = FromDisk(invocation, subject, vocabulary))
    PrintRow(invocation, disk->Row());
  PrintRow(invocation, grammar.Row());
  PrintRow(invocation, build.Row());
  for (const auto& step : constraint::CountEntries(*store))
    PrintRow(invocation, CountRow(step.name, step.count));
  PrintRow(invocation, CountRow("vocabulary", subject.vocabulary.size()));
  PrintRow(invocation, CountRow("token_sets", store->sets().size()));
  return kExitDone;
}

}  // namespace tenon::server
