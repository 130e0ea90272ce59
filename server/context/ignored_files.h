// Is a file one that its repository ignores?
//
// A file in a `.gitignore` is not meant for others: local settings, keys, build outputs. So it is
// not shown to the model beside another file. Example: the repository's `.gitignore` has the line
// `local_*.py`; `local_settings.py` is open, and stays out of the prompts for `urls.py`.
//
// Read are `.git/info/exclude` and each `.gitignore` from the repository's root down to the file's
// folder; a user's global excludes are not. A repository is a
// folder with an entry `.git`; a file in none is not ignored.
//
// libgit2 would know this, too. It brings libraries for TLS and SSH, and tenon opens no connection.
//
// Source: gitignore(5), https://git-scm.com/docs/gitignore.
// Cost: reads these files, 64 KB of each at most. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "server/context/expression.h"

namespace tenon::server {

// REQUIRES: the path is absolute. The file need not exist.
[[nodiscard]] bool IsIgnored(const std::filesystem::path& file);

// The lines of one `.gitignore`.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);

  enum class Verdict : uint8_t { kNone, kIgnored, kKept };
  // `path`: from the folder of the rules on, with `/` between its parts.
  [[nodiscard]] Verdict Of(std::string_view path, bool is_folder) const;

 private:
  struct Rule {
    Expression expression;  // of the whole path
    bool keeps = false;     // written with `!`
    bool folders_alone = false;
  };
  std::vector<Rule> rules_;
};

}  // namespace tenon::server
