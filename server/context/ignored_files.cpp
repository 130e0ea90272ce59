#include "server/context/ignored_files.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "server/files/read_file.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxRulesBytes = size_t{64} << 10;

// The set of characters that begins at `at`, as `[a-z]` or `[!a]`; nothing where it never ends.
std::optional<std::string> SetAt(std::string_view glob, size_t at, size_t& end) {
  size_t i = at + 1;
  const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  if (negated) ++i;
  const size_t first = i;
  std::string members;
  for (; i < glob.size() && (glob[i] != ']' || i == first); ++i) {
    if (glob[i] == '\\' && i + 1 < glob.size()) {
      members += '\\';
      members += glob[++i];
    } else {
      if (glob[i] == '[' || glob[i] == ']' || glob[i] == '\\' || glob[i] == '^') members += '\\';
      members += glob[i];
    }
  }
  if (i >= glob.size()) return std::nullopt;
  end = i + 1;
  return (negated ? "(?!/)[^" : "(?!/)[") + members + "]";
}

void AddLiteral(char c, std::string& expression) {
  const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '_' || static_cast<unsigned char>(c) >= 0x80;
  if (!plain) expression += '\\';
  expression += c;
}

// `**/a*.py` becomes `(?:.*/)?a[^/]*\.py`.
std::string ExpressionOf(std::string_view glob) {
  std::string expression;
  for (size_t i = 0; i < glob.size();) {
    const std::string_view rest = glob.substr(i);
    const bool part_begins = i == 0 || glob[i - 1] == '/';
    if (part_begins && rest.starts_with("**/")) {
      expression += "(?:.*/)?";
      i += 3;
    } else if (part_begins && rest == "**") {
      expression += ".+";
      i += 2;
    } else if (rest[0] == '*') {
      expression += "[^/]*";
      i = std::min(glob.find_first_not_of('*', i), glob.size());
    } else if (rest[0] == '?') {
      expression += "[^/]";
      ++i;
    } else if (rest[0] == '[') {
      size_t end = i + 1;
      const auto set = SetAt(glob, i, end);
      expression += set ? *set : "(*FAIL)";
      i = end;
    } else {
      if (rest[0] == '\\' && rest.size() > 1) ++i;
      AddLiteral(glob[i], expression);
      ++i;
    }
  }
  return expression;
}

// Without the blanks at its end that no backslash keeps.
std::string_view WithoutFreeBlanks(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

struct Rules {
  fs::path folder;  // from the repository's root on
  IgnoreRules rules;
};

void AddRules(const fs::path& file, const fs::path& folder, std::vector<Rules>& all) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  if (const auto text = ReadFile(file, kMaxRulesBytes)) all.push_back({folder, IgnoreRules(*text)});
}

// The rules of deeper folders are stronger. REQUIRES: the path lies below each of the folders.
bool Ignores(const std::vector<Rules>& all, const fs::path& path, bool is_folder) {
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    const std::string below = path.lexically_relative(at->folder).generic_string();
    const auto verdict = at->rules.Of(below, is_folder);
    if (verdict != IgnoreRules::Verdict::kNone) return verdict == IgnoreRules::Verdict::kIgnored;
  }
  return false;
}

std::optional<fs::path> RepositoryOf(const fs::path& file) {
  std::error_code error;
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
  }
  return std::nullopt;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, size);
    text.remove_prefix(size);
    if (line.ends_with('\n')) line.remove_suffix(1);
    line = WithoutFreeBlanks(line);
    if (line.empty() || line[0] == '#') continue;
    const bool keeps = line[0] == '!';
    if (keeps) line.remove_prefix(1);
    const bool folders_alone = line.ends_with('/');
    if (folders_alone) line.remove_suffix(1);
    if (line.empty()) continue;
    // Without a slash before its end a pattern holds in each folder below.
    const bool anywhere = line.find('/') == std::string_view::npos;
    if (line[0] == '/') line.remove_prefix(1);
    // A pattern that is no expression, as `[` is, matches nothing, as with git.
    auto expression = Expression::Of((anywhere ? "(?:.*/)?" : "") + ExpressionOf(line));
    if (expression) rules_.push_back({*std::move(expression), keeps, folders_alone});
  }
}

IgnoreRules::Verdict IgnoreRules::Of(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_alone && !is_folder) continue;
    if (rule->expression.Matches(path)) return rule->keeps ? Verdict::kKept : Verdict::kIgnored;
  }
  return Verdict::kNone;
}

bool IsIgnored(const fs::path& file) {
  const fs::path normal = file.lexically_normal();
  const auto root = RepositoryOf(normal);
  if (!root) return false;
  std::vector<Rules> all;
  AddRules(*root / ".git/info/exclude", "", all);
  AddRules(*root / ".gitignore", "", all);
  fs::path path;
  const fs::path below = normal.lexically_relative(*root);
  for (const fs::path& part : below) {
    path /= part;
    const bool is_folder = path != below;
    if (Ignores(all, path, is_folder)) return true;
    if (is_folder) AddRules(*root / path / ".gitignore", path, all);
  }
  return false;
}

}  // namespace tenon::server
