#include "server/cli/gap_question.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/files/read_file.h"
#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// A, [A], [A, B] or the command line's text.
std::optional<Cut> CutFromJson(const json& at) {
  if (at.is_string()) return CutFrom(at.get_ref<const std::string&>());
  if (at.is_number_unsigned()) return Cut{at.get<size_t>(), at.get<size_t>()};
  if (!at.is_array() || at.empty() || at.size() > 2) return std::nullopt;
  for (const json& offset : at) {
    if (!offset.is_number_unsigned()) return std::nullopt;
  }
  return Cut{at.front().get<size_t>(), at.back().get<size_t>()};
}

constexpr std::array<std::string_view, 12> kMembers = {"path",   "text",   "language",   "at",
                                                       "insert", "emit",   "close",      "region",
                                                       "scope",  "sample", "max_tokens", "seed"};

// A member that is misspelt would be a question that nobody has asked.
std::optional<std::string> UnknownMember(const json& line) {
  for (const auto& [name, value] : line.items()) {
    if (std::find(kMembers.begin(), kMembers.end(), name) != kMembers.end()) continue;
    return fmt::format("\"{}\" is no member of a request{}", name,
                       NearestHint(name, {kMembers.begin(), kMembers.end()}));
  }
  return std::nullopt;
}

// Members of a line, into what is there already: absent ones change nothing.
using Read = tl::expected<void, std::string>;

template <typename Into>
Read ReadText(const json& line, const char* name, Into& into) {
  const auto found = line.find(name);
  if (found == line.end() || found->is_null()) return {};
  if (!found->is_string()) return tl::unexpected(fmt::format("\"{}\" must be a text", name));
  into = found->get<std::string>();
  return {};
}

Read ReadFlag(const json& line, const char* name, bool& into) {
  const auto found = line.find(name);
  if (found == line.end()) return {};
  if (!found->is_boolean())
    return tl::unexpected(fmt::format("\"{}\" must be true or false", name));
  into = found->get<bool>();
  return {};
}

template <typename Number>
Read ReadNumber(const json& line, const char* name, uint64_t max, Number& into) {
  const auto found = line.find(name);
  if (found == line.end()) return {};
  if (!found->is_number_unsigned() || found->get<uint64_t>() > max)
    return tl::unexpected(fmt::format("\"{}\" must be a whole number from 0 to {}", name, max));
  into = static_cast<Number>(found->get<uint64_t>());
  return {};
}

}  // namespace

tl::expected<GapQuestion, std::string> GapQuestionFrom(const json& line) {
  if (auto unknown = UnknownMember(line)) return tl::unexpected(*std::move(unknown));
  GapQuestion question;
  std::optional<std::string> text;
  std::string scope = ToString(question.scope);
  for (const Read& read :
       {ReadText(line, "path", question.path), ReadText(line, "text", text),
        ReadText(line, "insert", question.insert), ReadText(line, "language", question.language),
        ReadText(line, "scope", scope)}) {
    if (!read) return tl::unexpected(read.error());
  }
  const auto known = ScopeNamed(scope);
  if (!known)
    return tl::unexpected(
        std::string("\"scope\" must be argument, line, statement, block or free"));
  question.scope = *known;
  if (!text && question.path.empty())
    return tl::unexpected(std::string("a request needs \"path\" or \"text\""));
  if (text) {
    question.text = *std::move(text);
  } else {
    auto read = ReadFile(question.path);
    if (!read) return tl::unexpected(std::move(read.error()));
    question.text = *std::move(read);
  }
  const std::optional<Cut> cut = line.contains("at") ? CutFromJson(line["at"]) : std::nullopt;
  if (!cut) return tl::unexpected(std::string("\"at\" must be [A, B], byte offsets"));
  question.cut = *cut;
  SampleOptions& sample = question.sample;
  for (const Read& read :
       {ReadFlag(line, "close", question.close), ReadFlag(line, "emit", question.emit),
        ReadFlag(line, "region", question.region),
        ReadNumber(line, "sample", kMaxSamples, sample.count),
        ReadNumber(line, "max_tokens", kMaxSampleTokens, sample.max_tokens),
        ReadNumber(line, "seed", std::numeric_limits<uint64_t>::max(), sample.seed)}) {
    if (!read) return tl::unexpected(read.error());
  }
  return question;
}

}  // namespace tenon::server
