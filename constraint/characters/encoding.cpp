#include "constraint/characters/encoding.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The bytes of a text in parts, one after the other.
class Bytes {
 public:
  explicit Bytes(std::initializer_list<std::string_view> parts) : parts_(parts) {}
  // Nothing: after the end.
  std::optional<uint8_t> At(size_t offset) const {
    for (std::string_view part : parts_) {
      if (offset < part.size()) return static_cast<uint8_t>(part[offset]);
      offset -= part.size();
    }
    return std::nullopt;
  }
  bool BeginWith(std::string_view beginning) const {
    for (size_t i = 0; i < beginning.size(); ++i) {
      if (At(i) != static_cast<uint8_t>(beginning[i])) return false;
    }
    return true;
  }

 private:
  std::initializer_list<std::string_view> parts_;
};

// After the character of the byte's number.
DfaStateId Step(const Dfa& dfa, DfaStateId q, uint8_t byte) {
  if (byte < 0x80) return dfa.Next(q, byte);
  q = dfa.Next(q, 0xc0 | byte >> 6);
  return q == kDeadState ? q : dfa.Next(q, 0x80 | (byte & 0x3f));
}

// Where the longest text that `dfa` matches from `begin` on ends; `begin` where there is none.
// `decided` becomes false where more bytes might lengthen it.
size_t LongestEnd(const Dfa& dfa, const Bytes& bytes, size_t begin, bool& decided) {
  size_t end = begin;
  DfaStateId q = kStartState;
  for (size_t at = begin;; ++at) {
    if (!dfa.Accepts(q).empty()) end = at;
    const auto byte = bytes.At(at);
    if (!byte) {
      decided = false;
      return end;
    }
    q = Step(dfa, q, *byte);
    if (q == kDeadState) return end;
  }
}

tl::expected<Dfa, std::string> Compile(const std::string& pattern, const std::string& flags) {
  const auto regex = ParseRegex(pattern, flags);
  if (!regex) return tl::unexpected(regex.error().message);
  return Dfa::Build(std::array{*regex}, EncodingRules::kMaxStates);
}

std::string_view ConverterOf(const std::optional<EncodingRules::Declared>& declared) {
  return declared && declared->sound() ? std::string_view(declared->charset->converter)
                                       : EncodingRules::kUtf8;
}

}  // namespace

std::string EncodingRules::Declared::WhyNot() const {
  if (charset == nullptr) return fmt::format("the encoding '{}' is not known", name);
  return fmt::format(
      "the file begins with the byte order mark of UTF-8 and cannot be declared as '{}'", name);
}

tl::expected<EncodingRules, std::string> EncodingRules::Build(
    const EncodingDeclaration& declaration) {
  auto before = Compile(declaration.before, declaration.before_flags);
  if (!before) return tl::unexpected(before.error());
  auto name = Compile(declaration.name, declaration.name_flags);
  if (!name) return tl::unexpected(name.error());
  return EncodingRules(declaration, *std::move(before), *std::move(name));
}

EncodingRules::Reading EncodingRules::Read(std::initializer_list<std::string_view> parts) const {
  const Bytes bytes(parts);
  Reading reading;
  Declared found;
  found.after_mark = bytes.BeginWith(kByteOrderMark);
  DfaStateId q = kStartState;
  for (size_t at = found.after_mark ? kByteOrderMark.size() : 0; q != kDeadState; ++at) {
    if (!before_.Accepts(q).empty()) {
      if (const size_t end = LongestEnd(name_, bytes, at, reading.decided); end > at) {
        found.offset_bytes = at;
        for (; at < end; ++at) AppendUtf8(*bytes.At(at), found.name);
        found.charset = Named(found.name);
        reading.declared = std::move(found);
        return reading;
      }
    }
    const auto byte = bytes.At(at);
    if (!byte) {
      reading.decided = false;
      break;
    }
    q = Step(before_, q, *byte);
  }
  return reading;
}

bool EncodingRules::Keeps(const std::optional<Declared>& before,
                          const std::optional<Declared>& after) {
  if (after && !after->sound()) return before && before->name == after->name;
  return ConverterOf(before) == ConverterOf(after);
}

const Charset* EncodingRules::Named(std::string_view name) const {
  const std::string plain = PlainCharsetName(name);
  const auto is = [&](std::string_view listed) {
    if (!listed.ends_with('*')) return plain == listed;
    listed.remove_suffix(1);
    return plain.size() > listed.size() && plain.starts_with(listed);
  };
  for (const Charset& charset : declaration_->charsets) {
    for (const std::string& listed : charset.names) {
      if (is(listed)) return &charset;
    }
  }
  return nullptr;
}

}  // namespace tenon::constraint
