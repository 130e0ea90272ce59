#include "server/eval/corpus.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "server/files/read_file.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMinFileBytes = 500;
constexpr uintmax_t kMaxFileBytes = 60'000;

// Every file below the folder, sorted by its path from there.
std::vector<std::string> FilesBelow(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(folder, options, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code unknown;
    if (!it->is_regular_file(unknown)) continue;
    const uintmax_t bytes = it->file_size(unknown);
    if (!unknown && bytes >= kMinFileBytes && bytes <= kMaxFileBytes)
      found.push_back(it->path().lexically_relative(folder).generic_string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

tl::expected<Corpus, std::string> Corpus::In(const fs::path& folder,
                                             std::shared_ptr<const LanguageRegistry> registry,
                                             const std::vector<std::string>& languages,
                                             uint64_t seed) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return tl::unexpected(fmt::format(
        "{}: not a folder that can be read; name a folder of source files", folder.string()));
  }
  for (const std::string& id : languages) {
    if (registry->HasGrammar(id)) continue;
    return tl::unexpected(fmt::format("no language with a grammar is called '{}'; known are {}", id,
                                      fmt::join(registry->GrammarIds(), ", ")));
  }
  Corpus corpus(folder, std::move(registry));
  for (std::string& path : FilesBelow(folder)) {
    auto id = corpus.registry_->IdForPath(path);
    if (!id || !corpus.registry_->HasGrammar(*id)) continue;
    if (languages.empty() || std::find(languages.begin(), languages.end(), *id) != languages.end())
      corpus.files_[*id].unread.push_back(std::move(path));
  }
  for (auto& [id, files] : corpus.files_) {
    files.paths = files.unread;
    Random random(seed);
    for (size_t left = files.unread.size(); left > 1; --left)
      std::swap(files.unread[left - 1], files.unread[random.Below(left)]);
  }
  return corpus;
}

std::vector<std::string> Corpus::languages() const {
  std::vector<std::string> ids;
  for (const auto& [id, files] : files_) ids.push_back(id);
  return ids;
}

tl::expected<std::shared_ptr<const CorpusFile>, std::string> Corpus::Next(
    const std::string& language) {
  const auto found = files_.find(language);
  if (found == files_.end()) return nullptr;
  Files& files = found->second;
  const auto grammar = registry_->Get(language);
  if (!grammar) return tl::unexpected(grammar.error());
  while (!files.unread.empty()) {
    std::string path = std::move(files.unread.back());
    files.unread.pop_back();
    auto bytes = ReadFile(folder_ / path);
    if (!bytes) continue;  // it may not be read, or went away
    const FileCheck read = grammar->CheckFile(*bytes);
    if (!read.check.valid || read.text != *bytes) continue;
    files.valid.push_back(std::make_shared<const CorpusFile>(
        CorpusFile{std::move(path), language, *std::move(bytes)}));
    return files.valid.back();
  }
  if (files.valid.empty()) return nullptr;
  return files.valid[files.next++ % files.valid.size()];
}

std::vector<OtherText> Corpus::Beside(const CorpusFile& file, size_t count) const {
  const auto found = files_.find(file.language);
  if (found == files_.end()) return {};
  const std::vector<std::string>& paths = found->second.paths;
  const auto own = std::lower_bound(paths.begin(), paths.end(), file.path);
  auto before = own;                                // of those before, the next one is before this
  auto after = own == paths.end() ? own : own + 1;  // of those after, the next one
  std::vector<OtherText> texts;
  for (bool forward = true; texts.size() < count; forward = !forward) {
    if (before == paths.begin() && after == paths.end()) break;
    const bool take_after = after != paths.end() && (forward || before == paths.begin());
    const fs::path path = take_after ? *after++ : *--before;
    if (auto bytes = ReadFile(folder_ / path))
      texts.push_back(
          {*std::move(bytes), path.filename().string(), fs::absolute(folder_ / path).string()});
  }
  return texts;
}

}  // namespace tenon::server
