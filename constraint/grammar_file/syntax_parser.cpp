#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/grammar_file/common_terminals.h"
#include "constraint/grammar_file/directives.h"
#include "constraint/grammar_file/syntax.h"

namespace tenon::constraint {
namespace {

constexpr int kMaxDepth = 200;  // of groups: bounds this recursion and every walk over the tree
constexpr uint32_t kMaxRepetition = 1000;

class SyntaxParser {
 public:
  SyntaxParser(const std::vector<GrammarSource>& sources, ErrorSink& errors)
      : sources_(sources), errors_(errors), read_(sources.size()) {}

  GrammarSyntax Run() {
    File(0);
    return std::move(result_);
  }

 private:
  // The lines of a source, unless they were read before.
  void File(uint32_t number) {
    if (read_[number]) return;
    read_[number] = true;
    const auto [file, at, imports] = std::tuple(file_, at_, imports_);
    file_ = number;
    at_ = imports_ = 0;
    std::vector<DirectiveLine> outer = std::exchange(directives_, {});
    while (!errors_.failed() && Now().kind != ScannedKind::kEnd) Line();
    std::move(directives_.begin(), directives_.end(), std::back_inserter(result_.directives));
    directives_ = std::move(outer);
    std::tie(file_, at_, imports_) = std::tuple(file, at, imports);
  }

  const std::vector<ScannedLexeme>& Lexemes() const { return sources_[file_].lexemes; }
  const ScannedLexeme& Now() const { return Lexemes()[at_]; }
  ScannedLexeme Take() {
    const ScannedLexeme lexeme = Now();
    if (at_ + 1 < Lexemes().size()) ++at_;
    return lexeme;
  }

  void Fail(GrammarErrorCode code, FilePlace place, std::string message) {
    errors_.Fail(code, place, std::move(message));
  }
  void Expected(std::string_view what) {
    Fail(GrammarErrorCode::kSyntax, Now().place,
         fmt::format("expected {}, found {}", what, Now().Describe()));
  }

  void Line() {
    if (Now().kind == ScannedKind::kLineEnd) {
      Take();
    } else if (Now().kind == ScannedKind::kDirective) {
      Directive();
    } else {
      DefinitionLine();
    }
  }

  void Directive() {
    const ScannedLexeme name = Take();
    if (name.text == "import") return Import();
    if (name.text == "extend" || name.text == "override") return Change(name.text);
    DirectiveLine line{name.text, name.place, {}, {}};
    while (Now().kind != ScannedKind::kLineEnd && Now().kind != ScannedKind::kEnd)
      line.arguments.push_back(Take());
    line.end = Now().place;
    directives_.push_back(std::move(line));
  }

  // After '%import': "other.lark".
  void ImportFile() {
    Take();
    if (Now().kind != ScannedKind::kLineEnd && Now().kind != ScannedKind::kEnd)
      return Expected("the end of the line");
    File(sources_[file_].imports[imports_++]);
  }

  // After '%extend' and '%override': a definition, of a name that has one.
  void Change(const std::string& how) {
    const auto definition = DefinitionOf(how);
    if (!definition) return;
    const bool is_rule = definition->second;
    for (Definition& known : is_rule ? result_.rules : result_.terminals) {
      if (known.name != definition->first.name) continue;
      if (!SameParameters(known, definition->first)) {
        Fail(GrammarErrorCode::kMechanism, definition->first.place,
             fmt::format("'{}' has other parameters where it is defined: name the same ones here",
                         known.name));
      } else if (how == "override") {
        known = definition->first;
        known.overrides = true;
      } else {
        Expr both;
        both.kind = ExprKind::kAlternatives;
        both.place = known.body.place;
        both.children = {std::move(known.body), definition->first.body};
        known.body = std::move(both);
      }
      return;
    }
    Fail(GrammarErrorCode::kUndefined, definition->first.place,
         fmt::format("there is no {} '{}' to {}: define it without '%{}', or import the file that "
                     "defines it further up",
                     is_rule ? "rule" : "terminal", definition->first.name, how, how));
  }

  static bool SameParameters(const Definition& a, const Definition& b) {
    return std::equal(
        a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
        [](const PlacedName& one, const PlacedName& other) { return one.name == other.name; });
  }

  // After '%import': common.NAME, common.NAME -> OTHER, or common (NAME, NAME).
  void Import() {
    if (Now().kind == ScannedKind::kString) return ImportFile();
    const ScannedLexeme library = Take();
    if (library.kind != ScannedKind::kRuleName || library.text != "common") {
      return Fail(
          GrammarErrorCode::kUnsupported, library.place,
          "only Lark's library 'common' and whole files can be imported: '%import common.NAME' or "
          "'%import \"other.lark\"'");
    }
    if (Now().Is("(")) {
      do {
        Take();
        ImportOne();
      } while (!errors_.failed() && Now().Is(","));
      if (!errors_.failed() && !Now().Is(")")) return Expected("',' or ')' in the list of imports");
      if (!errors_.failed()) Take();
    } else if (Now().Is(".")) {
      Take();
      ImportOne();
    } else {
      return Expected("'.' or '(' behind 'common'");
    }
    if (!errors_.failed() && Now().kind != ScannedKind::kLineEnd && Now().kind != ScannedKind::kEnd)
      Expected("the end of the line");
  }

  void ImportOne() {
    if (Now().kind != ScannedKind::kTerminalName)
      return Expected("the name of a terminal of 'common'");
    const ScannedLexeme name = Take();
    const auto pattern = CommonTerminal(name.text);
    if (!pattern) {
      return Fail(GrammarErrorCode::kUndefined, name.place,
                  fmt::format("'common' has no terminal '{}'; it has {}", name.text,
                              CommonTerminalNames()));
    }
    Definition definition;
    definition.name = name.text;
    definition.place = name.place;
    if (Now().Is("->")) {
      Take();
      if (Now().kind != ScannedKind::kTerminalName)
        return Expected("the terminal's name in this file, in upper case");
      definition.name = Take().text;
    }
    definition.body.kind = ExprKind::kRegex;
    definition.body.place = name.place;
    definition.body.text = *pattern;
    AddDefinition(std::move(definition), false);
  }

  void DefinitionLine() {
    if (auto definition = DefinitionOf(""))
      AddDefinition(std::move(definition->first), definition->second);
  }

  // A definition and whether it is a rule. Nothing: there is a mistake, reported.
  std::optional<std::pair<Definition, bool>> DefinitionOf(std::string_view directive) {
    std::optional<std::pair<Definition, bool>> made;
    ReadDefinition(directive, made);
    return errors_.failed() ? std::nullopt : std::move(made);
  }

  void ReadDefinition(std::string_view directive,
                      std::optional<std::pair<Definition, bool>>& made) {
    while (Now().Is("?") || Now().Is("!")) Take();
    if (Now().kind != ScannedKind::kRuleName && Now().kind != ScannedKind::kTerminalName) {
      Expected(directive.empty() ? "a rule, a terminal or a directive"
                                 : fmt::format("a rule or a terminal behind '%{}'", directive));
      return;
    }
    const ScannedLexeme name = Take();
    const bool is_rule = name.kind == ScannedKind::kRuleName;
    Definition definition;
    definition.name = name.text;
    definition.place = name.place;
    definition.imported = file_ != 0;
    if (Now().Is("{")) definition.parameters = Braces(name);
    if (!errors_.failed() && Now().Is(".")) {
      Take();
      if (Now().kind != ScannedKind::kNumber) return Expected("the priority, a number");
      const int priority = Take().number;
      // A rule's priority chooses among parses. Here texts are accepted or not, and all parses
      // count.
      if (!is_rule) definition.priority = priority;
    }
    if (errors_.failed()) return;
    if (!Now().Is(":")) return Expected(fmt::format("':' behind the name '{}'", name.text));
    Take();
    ruled_ = name;
    definition.body = Alternatives(0);
    if (errors_.failed()) return;
    if (Now().kind != ScannedKind::kLineEnd && Now().kind != ScannedKind::kEnd)
      return Expected("a symbol, '|' or the end of the line");
    made = {std::move(definition), is_rule};
  }

  void AddDefinition(Definition definition, bool is_rule) {
    const auto [first, fresh] = places_.emplace(definition.name, definition.place);
    if (!fresh && first->second.file != definition.place.file) {
      Fail(GrammarErrorCode::kRedefined, definition.place,
           fmt::format("'{}' is already defined in {}:{}: add to it by '%extend', replace it by "
                       "'%override', or rename this one",
                       definition.name, errors_.PathOf(first->second), first->second.line));
    } else if (!fresh) {
      Fail(GrammarErrorCode::kRedefined, definition.place,
           fmt::format("'{}' is already defined in line {}: join the two with '|' or rename one",
                       definition.name, first->second.line));
    }
    (is_rule ? result_.rules : result_.terminals).push_back(std::move(definition));
  }

  // The names in braces after `name`, or before a sequence: `{first, in}`.
  std::vector<PlacedName> Braces(const ScannedLexeme& before) {
    const FilePlace open = Take().place;
    std::vector<PlacedName> names;
    if (before.kind != ScannedKind::kRuleName) {
      Fail(GrammarErrorCode::kSyntax, open,
           fmt::format("a rule alone has parameters, and {} has none", before.Describe()));
      return names;
    }
    do {
      if (!names.empty()) Take();
      if (Now().kind != ScannedKind::kRuleName) {
        Expected("a parameter, or one of its words");
        return names;
      }
      const ScannedLexeme name = Take();
      names.push_back({name.text, name.place});
    } while (Now().Is(","));
    if (Now().Is("}"))
      Take();
    else
      Expected("',' or '}' in the braces");
    return names;
  }

  Expr Alternatives(int depth) {
    Expr expr;
    expr.kind = ExprKind::kAlternatives;
    expr.place = Now().place;
    expr.children.push_back(Sequence(depth));
    while (!errors_.failed() && Now().Is("|")) {
      Take();
      expr.children.push_back(Sequence(depth));
    }
    if (expr.children.size() > 1) return expr;
    Expr only = std::move(expr.children[0]);
    return only;
  }

  Expr Sequence(int depth) {
    Expr expr;
    expr.place = Now().place;
    if (Now().Is("{")) expr.guard = Braces(ruled_);
    while (!errors_.failed() && BeginsItem()) expr.children.push_back(Item(depth));
    if (Now().Is("->")) {
      Take();
      if (Now().kind != ScannedKind::kRuleName)
        Expected("the alias, a lower case name");
      else
        Take();
    }
    if (expr.children.size() == 1 && expr.guard.empty()) {
      Expr only = std::move(expr.children[0]);
      return only;
    }
    return expr;
  }

  bool BeginsItem() const {
    const ScannedKind kind = Now().kind;
    return kind == ScannedKind::kRuleName || kind == ScannedKind::kTerminalName ||
           kind == ScannedKind::kString || kind == ScannedKind::kRegex || Now().Is("(") ||
           Now().Is("[");
  }

  Expr Item(int depth) {
    Expr atom = Now().Is("(") || Now().Is("[") ? Group(depth) : Symbol();
    if (errors_.failed()) return atom;
    if (Now().Is("?") || Now().Is("*") || Now().Is("+")) {
      const std::string op = Take().text;
      atom = Repeat(std::move(atom), op == "+" ? 1 : 0, op == "?" ? 1 : Expr::kUnbounded);
    } else if (Now().Is("~")) {
      atom = Counted(std::move(atom));
    }
    if (!errors_.failed() && (Now().Is("?") || Now().Is("*") || Now().Is("+") || Now().Is("~"))) {
      Fail(GrammarErrorCode::kSyntax, Now().place,
           fmt::format("two repetition operators in a row: put the part before '{}' in parentheses",
                       Now().text));
    }
    return atom;
  }

  static Expr Repeat(Expr body, uint32_t min, uint32_t max) {
    Expr expr;
    expr.kind = ExprKind::kRepeat;
    expr.place = body.place;
    expr.min = min;
    expr.max = max;
    expr.children.push_back(std::move(body));
    return expr;
  }

  Expr Counted(Expr body) {
    const FilePlace place = Take().place;
    if (Now().kind != ScannedKind::kNumber) {
      Expected("a number behind '~'");
      return body;
    }
    const int min = Take().number;
    int max = min;
    if (Now().Is("..")) {
      Take();
      if (Now().kind != ScannedKind::kNumber) {
        Expected("a number behind '..'");
        return body;
      }
      max = Take().number;
    }
    if (min < 0 || max < min || max > static_cast<int>(kMaxRepetition)) {
      Fail(GrammarErrorCode::kSyntax, place,
           fmt::format("expected 0 <= n <= m <= {} in '~n..m'", kMaxRepetition));
    }
    return Repeat(std::move(body), static_cast<uint32_t>(min), static_cast<uint32_t>(max));
  }

  Expr Group(int depth) {
    const ScannedLexeme open = Take();
    if (depth >= kMaxDepth) {
      Fail(GrammarErrorCode::kTooLarge, open.place,
           fmt::format("groups are nested deeper than {}", kMaxDepth));
      return {};
    }
    Expr body = Alternatives(depth + 1);
    if (errors_.failed()) return body;
    const std::string_view close = open.Is("(") ? ")" : "]";
    if (!Now().Is(close)) {
      Expected(fmt::format("'{}' for the '{}' in line {}, column {}", close, open.text,
                           open.place.line, open.place.column));
      return body;
    }
    Take();
    return open.Is("(") ? std::move(body) : Repeat(std::move(body), 0, 1);
  }

  Expr Symbol() {
    const ScannedLexeme lexeme = Take();
    Expr expr;
    expr.place = lexeme.place;
    expr.text = lexeme.text;
    expr.flags = lexeme.flags;
    switch (lexeme.kind) {
      case ScannedKind::kRuleName:
        expr.kind = ExprKind::kRule;
        break;
      case ScannedKind::kTerminalName:
        expr.kind = ExprKind::kTerminal;
        break;
      case ScannedKind::kRegex:
        expr.kind = ExprKind::kRegex;
        break;
      default:
        expr.kind = ExprKind::kLiteral;
        break;
    }
    if (Now().Is("{")) expr.arguments = Braces(lexeme);
    if (lexeme.kind == ScannedKind::kString && Now().Is("..")) Range(expr);
    while (!errors_.failed() && (Now().Is("#") || Now().Is("#+") || Now().Is("#-")))
      Now().Is("#") ? Predicate(expr) : Mark(expr);
    return expr;
  }

  void Range(Expr& expr) {
    Take();
    if (Now().kind != ScannedKind::kString) return Expected("a literal behind '..'");
    const ScannedLexeme last = Take();
    if (!expr.flags.empty() || !last.flags.empty()) {
      return Fail(GrammarErrorCode::kUnsupported, expr.place,
                  "a range of characters takes no 'i': name both cases");
    }
    expr.kind = ExprKind::kRange;
    expr.range_last = last.text;
  }

  void Predicate(Expr& expr) {
    const ScannedLexeme hash = Take();
    if (expr.kind != ExprKind::kTerminal && expr.kind != ExprKind::kLiteral &&
        expr.kind != ExprKind::kRule) {
      return Fail(GrammarErrorCode::kSyntax, hash.place,
                  "a predicate stands behind a name or a literal only");
    }
    if (Now().kind != ScannedKind::kRuleName || Now().blank_before)
      return Expected("the predicate's lower case name directly behind '#'");
    const ScannedLexeme name = Take();
    if (expr.kind == ExprKind::kRule && LineConditionOf(name.text) == LineCondition::kNone) {
      expr.contexts.push_back({name.text, name.place});
    } else if (expr.predicate.empty()) {
      expr.predicate = name.text;
    } else {
      Fail(GrammarErrorCode::kSyntax, hash.place,
           fmt::format("a second predicate: '{}' has '#{}' already", expr.text, expr.predicate));
    }
  }

  void Mark(Expr& expr) {
    const ScannedLexeme hash = Take();
    if (expr.kind != ExprKind::kRule) {
      return Fail(
          GrammarErrorCode::kSyntax, hash.place,
          fmt::format("'{}' changes the context of a rule: it stands behind a rule's name only",
                      hash.text));
    }
    if (Now().kind != ScannedKind::kRuleName || Now().blank_before)
      return Expected(
          fmt::format("the predicate's lower case name directly behind '{}'", hash.text));
    expr.marks.push_back({Take().text, hash.Is("#+"), hash.place});
  }

  const std::vector<GrammarSource>& sources_;
  ErrorSink& errors_;
  std::vector<bool> read_;                   // [source]
  uint32_t file_ = 0;                        // the source that is being read
  size_t at_ = 0;                            // in its lexemes
  size_t imports_ = 0;                       // its imports of files so far
  ScannedLexeme ruled_;                      // the name whose definition is being read
  std::vector<DirectiveLine> directives_;    // of the file so far
  std::map<std::string, FilePlace> places_;  // of every definition
  GrammarSyntax result_;
};

}  // namespace

GrammarSyntax ParseSyntax(const std::vector<GrammarSource>& sources, ErrorSink& errors) {
  if (errors.failed() || sources.empty()) return {};
  return SyntaxParser(sources, errors).Run();
}

void DropUnused(GrammarSyntax& syntax, const std::string& start) {
  std::map<std::string_view, const Definition*> definitions;
  for (const Definition& rule : syntax.rules) definitions.emplace(rule.name, &rule);
  for (const Definition& terminal : syntax.terminals) definitions.emplace(terminal.name, &terminal);
  // A literal in a rule is the terminal that is defined as exactly this literal.
  using Literal = std::tuple<ExprKind, std::string_view, std::string_view>;
  std::map<Literal, std::string_view> written;
  for (const Definition& terminal : syntax.terminals) {
    const Expr& body = terminal.body;
    written.emplace(Literal(body.kind, body.text, body.flags), terminal.name);
  }
  // Names of its own: those of the definitions move when the unused ones are erased.
  std::set<std::string, std::less<>> used;
  std::vector<const Expr*> open;
  const auto use = [&](std::string_view name) {
    const auto found = definitions.find(name);
    if (found != definitions.end() && used.emplace(name).second)
      open.push_back(&found->second->body);
  };
  use(start);
  for (const auto& [name, definition] : definitions) {
    if (!definition->imported) use(name);
  }
  for (const DirectiveLine& line : syntax.directives) {
    for (const ScannedLexeme& argument : line.arguments) {
      if (argument.kind == ScannedKind::kTerminalName) use(argument.text);
    }
  }
  while (!open.empty()) {
    const Expr* expr = open.back();
    open.pop_back();
    if (expr->kind == ExprKind::kRule || expr->kind == ExprKind::kTerminal) use(expr->text);
    if (expr->kind == ExprKind::kLiteral || expr->kind == ExprKind::kRegex) {
      const auto named = written.find(Literal(expr->kind, expr->text, expr->flags));
      if (named != written.end()) use(named->second);
    }
    for (const Expr& child : expr->children) open.push_back(&child);
  }
  const auto unused = [&](const Definition& definition) {
    return definition.imported && used.count(definition.name) == 0;
  };
  std::erase_if(syntax.rules, unused);
  std::erase_if(syntax.terminals, unused);
}

}  // namespace tenon::constraint
