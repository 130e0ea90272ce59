#include "constraint/reading/error_message.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "constraint/reading/expected.h"
#include "constraint/reading/malformed_lexeme.h"
#include "constraint/reading/text_place.h"

namespace tenon::constraint {

namespace {

constexpr size_t kMaxForNames = 6;  // where more terminals fit, a keyword is not called a name

std::string_view CloserOf(std::string_view bracket) {
  if (bracket == "(") return ")";
  if (bracket == "[") return "]";
  return bracket == "{" ? "}" : "";
}

class Explainer {
 public:
  Explainer(const Language& language, std::string_view text, Strength strength, TextReader& stopped)
      : language_(language),
        text_(text),
        strength_(strength),
        reading_(stopped),
        offset_(stopped.offset()) {
    TextReader again(language, text, strength, stopped.levels());
    (void)again.Run(offset_, [&](size_t begin, const Lexer::Match& match) { Note(begin, match); });
  }

  CheckResult Explain(TextReader::Stop why) {
    const size_t end = reading_.match().end;
    switch (why) {
      case TextReader::Stop::kNoLexeme:
        return UnknownCharacter();
      case TextReader::Stop::kPoison:
        return ExplainLexeme(language_, Start(), text_, offset_, end);
      case TextReader::Stop::kBroken: {
        const auto broken =
            language_.lexeme_rules->FindBroken(reading_.match().lexeme, Slice(offset_, end));
        return {false, offset_ + broken->offset_bytes, broken->message};
      }
      case TextReader::Stop::kUnwritten:
        return {false, offset_,
                fmt::format("{} is never written by tenon", Quote(text_, offset_, end))};
      case TextReader::Stop::kAmbiguous:
        return {false, offset_, "the text is too ambiguous to be checked"};
      case TextReader::Stop::kEarlyEnd:
        return EarlyEnd();
      default:
        return Refused();
    }
  }

 private:
  struct Seen {
    size_t begin;
    LexemeId id;
  };

  const Lexeme& lexeme() const { return language_.lexer.lexeme(reading_.match().lexeme); }
  // The lexer's start state at the position.
  DfaStateId Start() const {
    return reading_.mover().StartAfter(kStartState, reading_.Branches()[0].context);
  }
  std::string_view Slice(size_t begin, size_t end) const {
    return text_.substr(begin, end - begin);
  }

  // Collects the parts of the text before the position that a message may name: open brackets, the
  // last lexeme that the parser sees, and the first line end after it.
  void Note(size_t begin, const Lexer::Match& match) {
    const Lexeme& seen = language_.lexer.lexeme(match.lexeme);
    if (seen.kind == TerminalKind::kLineEnd && !line_end_) line_end_ = begin;
    if (seen.kind != TerminalKind::kParsed || seen.is_newline) return;
    const std::string_view token = Slice(begin, match.end);
    if (!CloserOf(token).empty()) open_.push_back(begin);
    if (!open_.empty() && token == CloserOf(text_.substr(open_.back(), 1))) open_.pop_back();
    last_token_ = begin;
    line_end_.reset();
  }

  std::string_view Closer() const {
    return open_.empty() ? "" : CloserOf(text_.substr(open_.back(), 1));
  }
  // "'(' of line 3, column 5"
  std::string OpenBracket() const {
    const TextPlace place = PlaceOf(text_, open_.back());
    return fmt::format("'{}' of line {}, column {}", text_[open_.back()], place.line, place.column);
  }

  CheckResult Say(std::string what, const Expected& expected) const {
    const std::vector<std::string> words = expected.Words(Closer());
    if (!words.empty()) what += "; expected " + JoinAlternatives(words);
    return {false, offset_, std::move(what)};
  }

  CheckResult UnknownCharacter() {
    CheckResult wrong = ExplainLexeme(language_, Start(), text_, offset_, offset_ + 1);
    if (wrong.offset_bytes != offset_ || !wrong.message.ends_with("cannot stand here"))
      return wrong;
    return Say(std::move(wrong.message),
               Expected(language_, reading_.mover(), reading_.Branches(), emit()));
  }

  CheckResult EarlyEnd() {
    const Expected expected(language_, reading_.mover(), reading_.Branches(), emit());
    if (open_.empty()) return Say("the file ends too early", expected);
    return Say(fmt::format("the file ends before {} is closed", OpenBracket()), expected);
  }

  CheckResult Refused() {
    const std::vector<Between>& at = reading_.Branches();
    const LexicalContext& context = at[0].context;
    const Expected expected(language_, reading_.mover(), at, emit());
    if (language_.layout.has_columns() && context.layout.AtLineBegin()) {
      if (auto wrong = WrongColumns(context, expected)) return *wrong;
    }
    const std::string_view token = Slice(offset_, reading_.match().end);
    if (auto wrong = WrongName(at)) return *wrong;
    if (const NestingLimit* passed = PassedLimit(context.modes))
      return {false, offset_,
              fmt::format("{} opens one too many: no more than {} {} may be open",
                          Quote(text_, offset_, reading_.match().end), passed->most, passed->what)};
    const bool closes = token == ")" || token == "]" || token == "}";
    if (closes && open_.empty())
      return {false, offset_, fmt::format("'{}' closes nothing: no bracket is open", token)};
    if (closes && token != Closer())
      return Say(fmt::format("'{}' does not close {}", token, OpenBracket()), expected);
    if (line_end_ && FitsWithoutLineEnd())
      return {false, offset_,
              fmt::format("{} cannot begin a line here: the line end before it ends the phrase",
                          Found())};
    if (const auto name = NameItMightBe(expected))
      return Say(fmt::format("{} cannot be used as {}", Found(), *name), expected);
    std::string what = fmt::format("{} cannot stand here", Found());
    // An open bracket of an earlier line is worth saying; an open block is not.
    const bool block = Closer() == "}" && !language_.layout.active();
    if (!open_.empty() && !block && token != Closer() &&
        PlaceOf(text_, open_.back()).line < PlaceOf(text_, offset_).line) {
      CheckResult said = Say(std::move(what), expected);
      said.message += fmt::format("; {} is still open", OpenBracket());
      return said;
    }
    return Say(std::move(what), expected);
  }

  // `%most`: the limit that the lexeme goes beyond.
  const NestingLimit* PassedLimit(ModeStackId open) const {
    ModeArena& modes = reading_.mover().modes();
    return modes.Apply(lexeme().action, open) ? nullptr : modes.Passed(open);
  }

  // Names the columns of a line that fits no open block, or that should begin a block and does not.
  std::optional<CheckResult> WrongColumns(const LexicalContext& context, const Expected& expected) {
    const LayoutState& layout = context.layout;
    if (lexeme().kind != TerminalKind::kParsed || lexeme().is_newline) return std::nullopt;
    std::vector<std::string> columns;
    const IndentArena& indents = reading_.mover().indents();
    bool known = false, deeper = layout.column > indents.top(layout.indents).column;
    for (IndentId id = layout.indents;; id = indents.top(id).below) {
      columns.insert(columns.begin(), fmt::format("{}", indents.top(id).column));
      known = known || indents.top(id).column == layout.column;
      if (id == IndentId{}) break;
    }
    const size_t line = PlaceOf(text_, offset_).line;
    if (expected.HasIndent() && !deeper) {
      return CheckResult{
          false, offset_,
          fmt::format("expected an indented block behind line {}; line {} is indented to column {}",
                      last_token_ ? PlaceOf(text_, *last_token_).line : 1, line, layout.column)};
    }
    if (!known && (!deeper || !expected.HasIndent())) {
      const std::string last = columns.back();
      columns.pop_back();
      return CheckResult{
          false, offset_,
          columns.empty()
              ? fmt::format("line {} is indented to column {}; the open block is at column {}",
                            line, layout.column, last)
              : fmt::format(
                    "line {} is indented to column {}; open blocks are at columns {} and {}", line,
                    layout.column, fmt::join(columns, ", "), last)};
    }
    if (deeper && language_.layout.IsLast(indents.top(layout.indents))) {
      const std::vector<NestingLimit>& limits = language_.grammar.limits;
      const auto blocks = std::find_if(limits.begin(), limits.end(),
                                       [](const NestingLimit& limit) { return limit.blocks; });
      return CheckResult{false, offset_,
                         fmt::format("line {} opens one too many: no more than {} {} may be open",
                                     line, blocks->most, blocks->what)};
    }
    LexicalContext tried = context;
    std::vector<LayoutEvent> events;
    if (language_.layout.End(Lexeme{}, reading_.mover().indents(), tried, events))
      return std::nullopt;
    return CheckResult{
        false, offset_,
        fmt::format(
            "the tabs and blanks that indent line {} reach another column than those of the block "
            "around it where a tab is of another width; indent both alike",
            line)};
  }

  // A name that would fit if the text before it had declared other names.
  std::optional<CheckResult> WrongName(const std::vector<Between>& at) {
    if (!language_.names || !language_.names->IsName(reading_.match().lexeme)) return std::nullopt;
    BranchMover& mover = reading_.mover();
    for (const Between& b : at) {
      for (const SymbolId terminal : emit() ? lexeme().emit_terminals : lexeme().given_terminals) {
        const LrTerminal& asked = language_.grammar.lr_terminals[terminal.value];
        if (!WantsDeclared(asked.name_use) && asked.name_use != NameUse::kIsNotIn) continue;
        if (mover.stacks().Shift(b.top, terminal).empty()) continue;
        std::string set = language_.grammar.NameSet(asked.name_set);
        std::replace(set.begin(), set.end(), '_', ' ');
        if (asked.name_use == NameUse::kIsEnclosing)
          return CheckResult{false, offset_,
                             fmt::format("{} is not the name of the {} around it",
                                         Quote(text_, offset_, reading_.match().end), set)};
        return CheckResult{
            false, offset_,
            fmt::format("{} is {}declared as {}", Quote(text_, offset_, reading_.match().end),
                        asked.name_use == NameUse::kIsIn ? "not " : "", Indefinite(set))};
      }
    }
    return std::nullopt;
  }

  // Would the lexeme fit if the line end before it had not ended a phrase?
  bool FitsWithoutLineEnd() {
    TextReader before(language_, text_, strength_, reading_.levels());
    if (before.Run(*line_end_, [](size_t, const Lexer::Match&) {}) != TextReader::Stop::kPaused)
      return false;
    for (const Between& b : before.Branches()) {
      if (!b.context.line_ends.ends_phrase) continue;
      if (!before.mover().End(b, reading_.match().lexeme, emit()).empty()) return true;
    }
    return false;
  }

  // A keyword where a name would fit: the words for a longer lexeme with the same beginning.
  std::optional<std::string> NameItMightBe(const Expected& expected) const {
    const Terminal& found = language_.grammar.terminals[lexeme().terminals[0].value];
    if (!found.literal || lexeme().kind != TerminalKind::kParsed) return std::nullopt;
    DfaStateId q = Start();
    for (size_t i = offset_; i < reading_.match().end && q != kDeadState; ++i)
      q = language_.lexer.Next(q, static_cast<uint8_t>(text_[i]));
    if (q != kDeadState) q = language_.lexer.Next(q, 'a');
    const LexemeId longer = q == kDeadState ? kNoLexeme : language_.lexer.LexemeAt(q);
    if (longer == kNoLexeme) return std::nullopt;
    const TerminalId name = language_.lexer.lexeme(longer).terminals[0];
    if (language_.grammar.terminals[name.value].literal || !expected.Has(name)) return std::nullopt;
    if (expected.Words("").size() > kMaxForNames) return std::nullopt;
    return DescribeTerminal(language_, name);
  }

  // The lexeme at the position, in words: "the name 'a'", "the keyword 'if'", "')'".
  std::string Found() const {
    const Lexer::Match& match = reading_.match();
    if (lexeme().is_newline || text_[offset_] == '\n' || text_[offset_] == '\r')
      return "the end of the line";
    const TerminalId id = lexeme().terminals[0];
    const Terminal& terminal = language_.grammar.terminals[id.value];
    const std::string quoted = Quote(text_, offset_, match.end);
    const bool word = (text_[offset_] | 0x20) >= 'a' && (text_[offset_] | 0x20) <= 'z';
    if (terminal.literal) return word ? "the keyword " + quoted : quoted;
    return fmt::format("{} {}", Definite(DescribeTerminal(language_, id)), quoted);
  }

  bool emit() const { return strength_ == Strength::kEmit; }

  const Language& language_;
  std::string_view text_;
  Strength strength_;
  TextReader& reading_;
  size_t offset_;
  std::vector<size_t> open_;          // offsets of brackets, outermost first
  std::optional<size_t> last_token_;  // its offset
  std::optional<size_t> line_end_;    // the first one after it, which may be a terminator
};

}  // namespace

CheckResult ExplainStop(const Language& language, std::string_view text, Strength strength,
                        TextReader& stopped, TextReader::Stop why) {
  return Explainer(language, text, strength, stopped).Explain(why);
}

}  // namespace tenon::constraint
