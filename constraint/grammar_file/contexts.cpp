#include "constraint/grammar_file/contexts.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

struct NamedContext {
  FilePlace place;
  std::vector<ContextMark> marks;
  bool used = false;
};
using Contexts = std::map<std::string, NamedContext>;

// Adds a mark; one of the same predicate is replaced.
void Put(const ContextMark& mark, std::vector<ContextMark>& marks) {
  const auto known = std::find_if(marks.begin(), marks.end(), [&](const ContextMark& other) {
    return other.predicate == mark.predicate;
  });
  if (known == marks.end())
    marks.push_back(mark);
  else
    *known = mark;
}

// Adds the marks of a context.
void Add(const PlacedName& name, Contexts& contexts, std::vector<ContextMark>& marks,
         ErrorSink& errors) {
  const auto found = contexts.find(name.name);
  if (found == contexts.end()) {
    errors.Fail(
        GrammarErrorCode::kSyntax, name.place,
        fmt::format("there is no context '{}': name it by '%context', before others build on it; "
                    "behind a rule stand contexts, '#no_newline' and '#newline_before', and other "
                    "predicates behind a terminal's name or a literal only",
                    name.name));
    return;
  }
  found->second.used = true;
  const std::vector<ContextMark> added = found->second.marks;
  for (const ContextMark& mark : added) Put(mark, marks);
}

// The arguments of a line: a name, then marks and names of other contexts.
void ReadLine(const DirectiveLine& line, Contexts& contexts, ErrorSink& errors) {
  const std::vector<ScannedLexeme>& parts = line.arguments;
  const auto expected = [&](size_t at, std::string_view what) {
    const FilePlace place = at < parts.size() ? parts[at].place : line.end;
    errors.Fail(GrammarErrorCode::kMechanism, place,
                fmt::format("expected {} in '%context NAME#+predicate#-predicate'", what));
  };
  const auto is_name = [&](size_t at) {
    return at < parts.size() && parts[at].kind == ScannedKind::kRuleName;
  };
  if (!is_name(0)) return expected(0, "the context's lower case name");
  NamedContext& context = contexts[parts[0].text];
  if (context.marks.empty()) context.place = line.place;
  for (size_t at = 1; at < parts.size() || at == 1; at += 2) {
    const bool is_mark = at < parts.size() && (parts[at].Is("#+") || parts[at].Is("#-"));
    if (!is_mark && (at >= parts.size() || !parts[at].Is("#")))
      return expected(at, "'#+', '#-' or '#'");
    if (!is_name(at + 1)) return expected(at + 1, "a lower case name");
    const std::string& name = parts[at + 1].text;
    if (is_mark)
      Put({name, parts[at].Is("#+"), parts[at].place}, context.marks);
    else
      Add({name, parts[at + 1].place}, contexts, context.marks, errors);
  }
}

void Apply(Expr& expr, Contexts& contexts, ErrorSink& errors) {
  for (Expr& child : expr.children) Apply(child, contexts, errors);
  if (expr.contexts.empty()) return;
  std::vector<ContextMark> marks;
  for (const PlacedName& name : expr.contexts) Add(name, contexts, marks, errors);
  for (const ContextMark& mark : expr.marks) Put(mark, marks);
  expr.marks = std::move(marks);
  expr.contexts.clear();
}

}  // namespace

void ApplyContexts(GrammarSyntax& syntax, ErrorSink& errors) {
  Contexts contexts;
  for (const DirectiveLine& line : syntax.directives) {
    if (line.name == "context") ReadLine(line, contexts, errors);
  }
  std::erase_if(syntax.directives,
                [](const DirectiveLine& line) { return line.name == "context"; });
  for (Definition& rule : syntax.rules) Apply(rule.body, contexts, errors);
  for (const auto& [name, context] : contexts) {
    if (!context.used && context.place.file == 0)
      errors.Fail(GrammarErrorCode::kMechanism, context.place,
                  fmt::format("no rule has the context '#{}': use it or remove it", name));
  }
}

}  // namespace tenon::constraint
