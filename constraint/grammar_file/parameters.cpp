#include "constraint/grammar_file/parameters.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

// Of rules written out: ten parameters of two words could ask for 1,024 of each.
constexpr size_t kMaxRules = 5'000;

struct Parameter {
  std::string name;
  FilePlace place;
  std::vector<std::string> words;
};
// A word of a parameter.
struct Word {
  uint32_t parameter = 0;
  uint32_t word = 0;
};
// [parameter]; nothing for one that a rule does not have.
using Words = std::vector<std::optional<uint32_t>>;

class ParameterWriter {
 public:
  ParameterWriter(GrammarSyntax& syntax, ErrorSink& errors) : syntax_(syntax), errors_(errors) {}

  void Run() {
    for (const DirectiveLine& line : syntax_.directives) {
      if (line.name == "parameter") ReadLine(line);
    }
    std::erase_if(syntax_.directives,
                  [](const DirectiveLine& line) { return line.name == "parameter"; });
    for (uint32_t i = 0; i < syntax_.rules.size(); ++i) by_name_.emplace(syntax_.rules[i].name, i);
    for (const Definition& rule : syntax_.rules) own_.push_back(OwnParameters(rule));
    for (uint32_t i = 0; i < syntax_.rules.size() && !errors_.failed(); ++i) CheckUsed(i);
    CheckHad();
    if (!errors_.failed()) syntax_.rules = WriteOut();
  }

 private:
  void Fail(FilePlace place, std::string message) {
    errors_.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
  }

  // `%parameter NAME WORD WORD …`
  void ReadLine(const DirectiveLine& line) {
    if (line.arguments.size() < 3)
      return Fail(line.end, "expected a name and two words at least behind '%parameter'");
    for (const ScannedLexeme& argument : line.arguments) {
      if (argument.kind != ScannedKind::kRuleName)
        return Fail(argument.place,
                    fmt::format("expected a lower case name, found {}", argument.Describe()));
      if (FindParameter(argument.text) || FindWord(argument.text))
        return Fail(argument.place,
                    fmt::format("'{}' is a parameter already, or one of its words: each has a "
                                "name of its own",
                                argument.text));
      if (&argument == line.arguments.data())
        parameters_.push_back({argument.text, argument.place, {}});
      else
        parameters_.back().words.push_back(argument.text);
    }
  }

  std::optional<uint32_t> FindParameter(std::string_view name) const {
    for (uint32_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].name == name) return i;
    }
    return std::nullopt;
  }

  std::optional<Word> FindWord(std::string_view text) const {
    for (uint32_t i = 0; i < parameters_.size(); ++i) {
      const std::vector<std::string>& words = parameters_[i].words;
      const auto found = std::find(words.begin(), words.end(), text);
      if (found != words.end()) return Word{i, static_cast<uint32_t>(found - words.begin())};
    }
    return std::nullopt;
  }

  std::vector<uint32_t> OwnParameters(const Definition& rule) {
    std::vector<uint32_t> own;
    for (const PlacedName& name : rule.parameters) {
      const auto parameter = FindParameter(name.name);
      if (!parameter) {
        Fail(name.place, fmt::format("there is no parameter '{}': name its words, '%parameter {} "
                                     "WORD WORD'. A template with symbols for parameters is "
                                     "written out for each of its uses",
                                     name.name, name.name));
        return own;
      }
      own.push_back(*parameter);
    }
    std::sort(own.begin(), own.end());
    if (std::adjacent_find(own.begin(), own.end()) != own.end())
      Fail(rule.parameters[0].place, "a parameter is named twice");
    return own;
  }

  bool Has(uint32_t rule, uint32_t parameter) const {
    return std::binary_search(own_[rule].begin(), own_[rule].end(), parameter);
  }

  // Has some rule each parameter of the file itself?
  void CheckHad() {
    for (uint32_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      const bool had = std::any_of(own_.begin(), own_.end(), [i](const auto& own) {
        return std::binary_search(own.begin(), own.end(), i);
      });
      if (!had && parameter.place.file == 0)
        Fail(parameter.place,
             fmt::format("no rule has the parameter '{}': use it or remove it", parameter.name));
    }
  }

  // Does each parameter of a rule make a difference to it?
  void CheckUsed(uint32_t rule) {
    const Definition& definition = syntax_.rules[rule];
    if (definition.overrides) return;
    for (const PlacedName& name : definition.parameters) {
      if (!Mentions(definition.body, *FindParameter(name.name)))
        Fail(name.place, fmt::format("the parameter '{}' makes no difference to the rule '{}': "
                                     "pass it on, ask for its words, or leave it out",
                                     name.name, definition.name));
    }
  }

  // Does the expression pass a parameter on, or ask for one of its words?
  bool Mentions(const Expr& expr, uint32_t parameter) const {
    const auto passes = [&](const PlacedName& name) {
      return FindParameter(name.name) == parameter;
    };
    const auto asks = [&](const PlacedName& name) {
      const auto word = FindWord(name.name);
      return word && word->parameter == parameter;
    };
    return std::any_of(expr.arguments.begin(), expr.arguments.end(), passes) ||
           std::any_of(expr.guard.begin(), expr.guard.end(), asks) ||
           std::any_of(expr.children.begin(), expr.children.end(),
                       [&](const Expr& child) { return Mentions(child, parameter); });
  }

  // The rules written out, those of one definition beside each other, in the order of their words.
  std::vector<Definition> WriteOut() {
    for (uint32_t i = 0; i < syntax_.rules.size(); ++i) {
      // A rule of the file itself stands there even if nothing uses it, for the checks to follow.
      if (own_[i].empty() || !syntax_.rules[i].imported) Ask(i, FirstWords(i));
    }
    while (!open_.empty() && !errors_.failed()) {
      const auto [rule, words] = open_.back();
      open_.pop_back();
      Expr body = syntax_.rules[rule].body;
      if (!Write(body, rule, words)) {
        Fail(syntax_.rules[rule].place,
             fmt::format("no alternative is left of '{}': give it one without a guard, or use it "
                         "with other words",
                         NameOf(rule, words)));
      }
      written_.at({rule, words}) = std::move(body);
    }
    std::vector<Definition> rules;
    for (auto& [key, body] : written_) {
      Definition& made = rules.emplace_back(syntax_.rules[key.first]);
      made.name = NameOf(key.first, key.second);
      made.parameters.clear();
      made.body = std::move(body);
    }
    return rules;
  }

  Words FirstWords(uint32_t rule) const {
    Words words(parameters_.size());
    for (const uint32_t parameter : own_[rule]) words[parameter] = 0;
    return words;
  }

  void Ask(uint32_t rule, const Words& words) {
    // Rules without parameters stand for one rule each, however many there are.
    if (written_.size() > std::max(kMaxRules, syntax_.rules.size())) {
      errors_.Fail(GrammarErrorCode::kTooLarge, syntax_.rules[rule].place,
                   fmt::format("the rules with parameters stand for more than {} rules: use fewer "
                               "parameters, or fewer words",
                               kMaxRules));
      return;
    }
    if (written_.emplace(std::pair(rule, words), Expr{}).second) open_.emplace_back(rule, words);
  }

  // `sum{statement}`; words that are the first of their parameter are not mentioned.
  std::string NameOf(uint32_t rule, const Words& words) const {
    std::string mentioned;
    for (uint32_t i = 0; i < words.size(); ++i) {
      if (words[i].value_or(0) > 0)
        mentioned += (mentioned.empty() ? "" : ",") + parameters_[i].words[*words[i]];
    }
    const std::string& name = syntax_.rules[rule].name;
    return mentioned.empty() ? name : fmt::format("{}{{{}}}", name, mentioned);
  }

  // Writes an expression of a rule out for its words. False: its guard leaves it out, or the guards
  // of all its alternatives leave these out.
  bool Write(Expr& expr, uint32_t rule, const Words& words) {
    if (!Holds(expr, rule, words)) return false;
    if (expr.kind == ExprKind::kRule) Use(expr, rule, words);
    if (expr.kind == ExprKind::kAlternatives) {
      std::vector<Expr> left;
      for (Expr& child : expr.children) {
        if (Write(child, rule, words)) left.push_back(std::move(child));
      }
      expr.children = std::move(left);
      return !expr.children.empty();
    }
    return std::all_of(expr.children.begin(), expr.children.end(),
                       [&](Expr& child) { return Write(child, rule, words); });
  }

  // Has each parameter that the words of the guard belong to one of them?
  bool Holds(const Expr& expr, uint32_t rule, const Words& words) {
    std::map<uint32_t, bool> holds;  // by parameter
    for (const PlacedName& name : expr.guard) {
      const auto word = FindWord(name.name);
      if (!word || !Has(rule, word->parameter)) {
        Fail(name.place, fmt::format("no parameter of the rule '{}' has the word '{}'",
                                     syntax_.rules[rule].name, name.name));
        return true;
      }
      holds[word->parameter] |= words[word->parameter] == word->word;
    }
    return std::all_of(holds.begin(), holds.end(), [](const auto& held) { return held.second; });
  }

  // Names the rule that an expression of `rule` uses, for the words that it is used with.
  void Use(Expr& expr, uint32_t rule, const Words& words) {
    const auto found = by_name_.find(expr.text);
    if (found == by_name_.end()) return;  // reported further on
    const uint32_t used = found->second;
    Words with = FirstWords(used);
    std::vector<bool> mentioned(parameters_.size());
    for (const PlacedName& name : expr.arguments) {
      const auto passed = FindParameter(name.name);
      const auto word = FindWord(name.name);
      if (!passed && !word)
        return Fail(name.place,
                    fmt::format("'{}' is no parameter and none of a parameter's words", name.name));
      if (passed && !Has(rule, *passed))
        return Fail(name.place, fmt::format("the rule '{}' has no parameter '{}' to pass on: write "
                                            "it behind the rule's name",
                                            syntax_.rules[rule].name, name.name));
      const uint32_t parameter = passed ? *passed : word->parameter;
      if (!Has(used, parameter))
        return Fail(name.place, fmt::format("the rule '{}' has no parameter '{}'", expr.text,
                                            parameters_[parameter].name));
      if (mentioned[parameter])
        return Fail(name.place,
                    fmt::format("the parameter '{}' is given twice", parameters_[parameter].name));
      mentioned[parameter] = true;
      with[parameter] = passed ? words[parameter] : word->word;
    }
    expr.arguments.clear();
    expr.text = NameOf(used, with);
    Ask(used, with);
  }

  GrammarSyntax& syntax_;
  ErrorSink& errors_;
  std::vector<Parameter> parameters_;
  std::map<std::string, uint32_t, std::less<>> by_name_;  // rules
  std::vector<std::vector<uint32_t>> own_;                // [rule], ascending
  std::map<std::pair<uint32_t, Words>, Expr> written_;    // bodies
  std::vector<std::pair<uint32_t, Words>> open_;          // asked for, and not written yet
};

}  // namespace

void WriteOutParameters(GrammarSyntax& syntax, ErrorSink& errors) {
  ParameterWriter(syntax, errors).Run();
}

}  // namespace tenon::constraint
