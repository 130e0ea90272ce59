#include "constraint/grammar_file/encoding_directives.h"

#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

namespace {
constexpr std::string_view kWithMark = "with_mark";
}

void EncodingDirectives::Fail(FilePlace place, std::string message) {
  errors_.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
}

void EncodingDirectives::ReadEncoding(const DirectiveLine& line) {
  if (encoding_) return Fail(line.place, "there is already a '%encoding'");
  encoding_ = line.place;
  if (line.arguments.size() != 2 || line.arguments[0].kind != ScannedKind::kRegex ||
      line.arguments[1].kind != ScannedKind::kRegex)
    return Fail(line.end,
                "expected what stands before the name of an encoding, and the name, as in "
                "'%encoding /#[^\\n]*coding[:=]/ /[-\\w]+/'");
  const ScannedLexeme& before = line.arguments[0];
  const ScannedLexeme& name = line.arguments[1];
  for (const ScannedLexeme* argument : {&before, &name}) {
    if (!terminals_.CheckRegex(argument->text, argument->flags, argument->place)) return;
  }
  if (MatchesEmpty(*ParseRegex(name.text, name.flags)))
    return Fail(name.place, "the name of an encoding matches the empty text: replace '*' by '+'");
  made_.before = before.text;
  made_.before_flags = before.flags;
  made_.name = name.text;
  made_.name_flags = name.flags;
}

void EncodingDirectives::ReadCharset(const DirectiveLine& line) {
  charset_ = line.place;
  const std::vector<ScannedLexeme>& arguments = line.arguments;
  const bool with_mark = arguments.size() == 3 && arguments[2].IsWord(kWithMark);
  if (arguments.size() != (with_mark ? 3 : 2) || arguments[0].kind != ScannedKind::kString ||
      arguments[0].text.empty() || arguments[1].kind != ScannedKind::kString)
    return Fail(
        line.end,
        fmt::format("expected what iconv calls the encoding, its names, and perhaps '{}', as in "
                    "'%charset \"UTF-8\" \"utf_8 utf8\" {}'",
                    kWithMark, kWithMark));
  Charset charset{arguments[0].text, {}, with_mark};
  std::istringstream names(arguments[1].text);
  for (std::string name; names >> name;) {
    const std::string_view stem =
        std::string_view(name).substr(0, name.size() - (name.ends_with("_*") ? 2 : 0));
    if (stem.empty() || PlainCharsetName(stem) != stem)
      return Fail(arguments[1].place, fmt::format("the name '{}' is not of small letters and "
                                                  "digits, parted by single '_', with '_*' behind "
                                                  "for any that goes on",
                                                  name));
    if (!names_.insert(name).second)
      return Fail(arguments[1].place,
                  fmt::format("the name '{}' stands for an encoding already", name));
    charset.names.push_back(std::move(name));
  }
  if (charset.names.empty())
    return Fail(arguments[1].place, "expected at least one name of the encoding");
  made_.charsets.push_back(std::move(charset));
}

std::optional<EncodingDeclaration> EncodingDirectives::Finish() {
  if (encoding_ && !charset_)
    Fail(*encoding_,
         "no encoding has a name: write '%charset \"UTF-8\" \"utf_8 utf8\"' for each that may be "
         "declared");
  if (charset_ && !encoding_)
    Fail(*charset_, "'%charset' needs an '%encoding' that says where a file names its encoding");
  if (!encoding_ || errors_.failed()) return std::nullopt;
  return std::move(made_);
}

}  // namespace tenon::constraint
