// The files of a folder that an evaluation runs on, in an order that a seed decides.
//
// A file is taken where its suffix belongs to a known language, it has 500 to 60,000 bytes of
// UTF-8, and it is valid for the language's grammar. Example: of a folder with `a.py`, `b.py` and
// `c.go`, seed 1 gives `b.py` and then `a.py` as the files of "python"; after the last file the
// first one comes again. The same folder and seed give the same files on every machine.
//
// Cost: a walk over the folder; a file is read and checked when its turn first comes.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/languages/language_registry.h"
#include "server/request/completer.h"

namespace tenon::server {

// Random numbers that are the same everywhere for the same seed.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // From 0 to `bound` - 1. REQUIRES: bound > 0.
  [[nodiscard]] size_t Below(size_t bound) { return static_cast<size_t>(engine_() % bound); }

 private:
  std::mt19937_64 engine_;
};

struct CorpusFile {
  std::string path;  // from the folder on
  std::string language;
  std::string text;
};

class Corpus {
 public:
  // `languages`: ids; empty for all that the folder has files of. The error names the folder or the
  // language that is wrong.
  [[nodiscard]] static tl::expected<Corpus, std::string> In(
      const std::filesystem::path& folder, std::shared_ptr<const LanguageRegistry> registry,
      const std::vector<std::string>& languages, uint64_t seed);

  // The languages of which there are files, valid or not.
  [[nodiscard]] std::vector<std::string> languages() const;
  // The next valid file; null where the folder has none. The error: the grammar is wrong.
  [[nodiscard]] tl::expected<std::shared_ptr<const CorpusFile>, std::string> Next(
      const std::string& language);
  // The texts that somebody may have open beside a file: its neighbours in the order of all paths,
  // nearest first, of its language. Fewer than `count` where there are no more that can be read.
  [[nodiscard]] std::vector<OtherText> Beside(const CorpusFile& file, size_t count) const;

 private:
  struct Files {
    std::vector<std::string> paths;   // sorted
    std::vector<std::string> unread;  // last first
    std::vector<std::shared_ptr<const CorpusFile>> valid;
    size_t next = 0;  // of `valid`, once all are read
  };
  Corpus(std::filesystem::path folder, std::shared_ptr<const LanguageRegistry> registry)
      : folder_(std::move(folder)), registry_(std::move(registry)) {}

  std::filesystem::path folder_;
  std::shared_ptr<const LanguageRegistry> registry_;
  std::map<std::string, Files> files_;
};

}  // namespace tenon::server
