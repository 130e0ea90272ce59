#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/regex_build.h"
#include "constraint/automata/regex_first_match.h"
#include "constraint/automata/regex_node.h"
#include "constraint/automata/regex_syntax.h"
#include "constraint/automata/utf8_ranges.h"

namespace tenon::constraint {
namespace {

using Kind = RegexSyntax::Kind;

constexpr size_t kMaxSteps = 20000;             // over all choices of texts: about a second
constexpr size_t kStepsOfAnEnd = 50;            // that a lazy repetition's end costs
constexpr size_t kMaxParts = 2000;              // bounds how deep the parts of a pattern nest
constexpr size_t kMaxGroupTextBytes = 1 << 16;  // of all texts of a group

// The texts of a language; nothing: more than kMaxGroupTexts, or too long ones.
std::optional<std::set<std::string>> Texts(const Regex& regex);

std::optional<std::set<std::string>> Joined(const std::set<std::string>& heads,
                                            const std::set<std::string>& tails) {
  std::set<std::string> all;
  size_t bytes = 0;
  for (const std::string& head : heads) {
    for (const std::string& tail : tails) {
      const auto [at, fresh] = all.insert(head + tail);
      if (fresh) bytes += at->size();
      if (all.size() > kMaxGroupTexts || bytes > kMaxGroupTextBytes) return std::nullopt;
    }
  }
  return all;
}

std::optional<std::set<std::string>> RepeatedTexts(const RegexNode& repeat) {
  const auto one = Texts(repeat.children[0]);
  if (!one) return std::nullopt;
  std::set<std::string> now = {""}, all;
  for (uint32_t round = 0;; ++round) {
    const size_t before = all.size();
    if (round >= repeat.min) all.insert(now.begin(), now.end());
    if (all.size() > kMaxGroupTexts) return std::nullopt;
    // After the lower end each round must bring a new text; once a round brings none, no later
    // round does.
    if (round == repeat.max || (round > repeat.min && all.size() == before)) return all;
    auto next = Joined(now, *one);
    if (!next) return std::nullopt;
    now = std::move(*next);
  }
}

std::optional<std::set<std::string>> Texts(const Regex& regex) {
  std::set<std::string> all;
  if (MatchesNothing(regex)) return all;
  switch (regex->kind) {
    case RegexKind::kSet:
      for (const CodepointRange& range : regex->set.ranges()) {
        if (range.last - range.first >= kMaxGroupTexts) return std::nullopt;
        for (uint32_t c = range.first; c <= range.last; ++c) {
          std::string text;
          AppendUtf8(c, text);
          all.insert(std::move(text));
        }
      }
      if (all.size() > kMaxGroupTexts) return std::nullopt;
      return all;
    case RegexKind::kConcat:
      all = {""};
      for (const Regex& child : regex->children) {
        const auto texts = Texts(child);
        auto longer = texts ? Joined(all, *texts) : std::nullopt;
        if (!longer) return std::nullopt;
        all = std::move(*longer);
      }
      return all;
    case RegexKind::kAlternate:
      for (const Regex& child : regex->children) {
        const auto texts = Texts(child);
        if (!texts) return std::nullopt;
        all.insert(texts->begin(), texts->end());
        if (all.size() > kMaxGroupTexts) return std::nullopt;
      }
      return all;
    case RegexKind::kRepeat:
      return RepeatedTexts(*regex);
  }
  return all;
}

// Joins plain parts that stand side by side in a sequence.
std::vector<RegexSyntax> RunsJoined(std::vector<RegexSyntax> parts) {
  std::vector<RegexSyntax> joined;
  std::vector<Regex> run;
  const auto end_run = [&] {
    if (run.empty()) return;
    RegexSyntax plain;
    plain.plain = RegexConcat(std::exchange(run, {}));
    joined.push_back(std::move(plain));
  };
  for (RegexSyntax& part : parts) {
    if (part.kind == Kind::kPlain) {
      run.push_back(std::move(part.plain));
      continue;
    }
    end_run();
    joined.push_back(std::move(part));
  }
  end_run();
  return joined;
}

// Makes parts plain that have nothing else in them, groups that nobody names included. What is left
// of a sequence has plain parts only between others, so that its length is that of what must be
// resolved.
RegexSyntax Flattened(RegexSyntax syntax, const std::set<uint32_t>& referenced) {
  bool plain = true;
  for (RegexSyntax& child : syntax.children) {
    child = Flattened(std::move(child), referenced);
    plain = plain && child.kind == Kind::kPlain;
  }
  if (syntax.kind == Kind::kGroup && referenced.count(syntax.group) == 0)
    return RegexSyntax(std::move(syntax.children[0]));
  if (!plain && syntax.kind == Kind::kConcat)
    syntax.children = RunsJoined(std::move(syntax.children));
  if (!plain || syntax.lazy) return syntax;
  auto node = std::make_shared<RegexNode>();
  switch (syntax.kind) {
    case Kind::kConcat:
      node->kind = RegexKind::kConcat;
      break;
    case Kind::kAlternate:
      node->kind = RegexKind::kAlternate;
      break;
    case Kind::kRepeat:
      node->kind = RegexKind::kRepeat;
      node->min = syntax.min;
      node->max = syntax.max;
      break;
    default:
      return syntax;
  }
  for (RegexSyntax& child : syntax.children) node->children.push_back(std::move(child.plain));
  RegexSyntax result;
  result.plain = std::move(node);
  return result;
}

class Resolver {
 public:
  tl::expected<Regex, RegexError> Run(const RegexSyntax& syntax) {
    CheckPlaces(syntax);
    if (parts_ > kMaxParts) {
      Refuse(first_choice_,
             fmt::format("more than {} parts have a back-reference, a lazy repetition or an atomic "
                         "group in them or beside them: take the pattern apart into several "
                         "terminals",
                         kMaxParts));
    }
    if (error_) return tl::unexpected(*error_);
    Regex regex = With(syntax, {}, [](const Captures&) { return RegexEmpty(); });
    if (error_) return tl::unexpected(*error_);
    return regex;
  }

 private:
  using Captures = std::map<uint32_t, std::string>;  // [group] its text
  using Rest = std::function<Regex(const Captures&)>;

  Regex Refuse(size_t offset_bytes, std::string message) {
    if (!error_) error_ = RegexError{offset_bytes, std::move(message), true};
    return RegexEmpty();
  }

  bool Spend(size_t steps) {
    steps_ += steps;
    if (steps_ > kMaxSteps) {
      Refuse(first_choice_,
             "the groups that back-references name have too many texts together, or too many "
             "alternatives end in lazy repetitions: take them apart into several terminals");
    }
    return !error_;
  }

  // Parts that are resolved for themselves: repeated ones, groups that are named, atomic ones. No
  // reference leads into one from outside, and what follows a lazy repetition must be known, so
  // none stands at the end of one that is not atomic.
  void CheckPlaces(const RegexSyntax& syntax) {
    ++parts_;
    if (syntax.kind == Kind::kGroup || syntax.kind == Kind::kAtomic || syntax.lazy)
      first_choice_ = std::min(first_choice_, syntax.offset_bytes);
    if (syntax.kind == Kind::kRepeat && syntax.lazy && !closed_.empty() &&
        closed_.back()->kind != Kind::kAtomic) {
      Refuse(syntax.offset_bytes,
             "a lazy repetition stands inside of a repetition or of a group that a back-reference "
             "names: close it and its end with (?>...), as in (?>.*?END)");
    }
    if (syntax.kind == Kind::kReference) {
      const auto group = groups_.find(syntax.group);
      const bool inside = group != groups_.end() && group->second.size() <= closed_.size() &&
                          std::equal(group->second.begin(), group->second.end(), closed_.begin());
      if (!inside) {
        Refuse(syntax.offset_bytes,
               fmt::format("the group that \\{0} names stands inside of a repetition, an atomic "
                           "group or another group that is named, and the back-reference outside: "
                           "put \\{0} inside, too",
                           syntax.group));
      }
    }
    if (syntax.kind == Kind::kGroup) groups_[syntax.group] = closed_;
    const bool closes =
        syntax.kind == Kind::kRepeat || syntax.kind == Kind::kGroup || syntax.kind == Kind::kAtomic;
    if (closes) closed_.push_back(&syntax);
    for (const RegexSyntax& child : syntax.children) CheckPlaces(child);
    if (closes) closed_.pop_back();
  }

  // The texts of `syntax` followed by those of the rest.
  Regex With(const RegexSyntax& syntax, const Captures& captures, const Rest& rest) {
    if (!Spend(1)) return RegexEmpty();
    switch (syntax.kind) {
      case Kind::kPlain:
        return RegexConcat({syntax.plain, rest(captures)});
      case Kind::kConcat:
        return Parts(syntax, 0, captures, rest);
      case Kind::kAlternate: {
        std::vector<Regex> ways;
        for (const RegexSyntax& child : syntax.children)
          ways.push_back(With(child, captures, rest));
        return RegexAlternate(ways);
      }
      case Kind::kRepeat:
        if (syntax.lazy) return Lazy(syntax, captures, rest);
        return RegexConcat(
            {RegexRepeat(Alone(syntax, captures), syntax.min, syntax.max), rest(captures)});
      case Kind::kGroup:
        return Group(syntax, captures, rest);
      case Kind::kReference: {
        const auto text = captures.find(syntax.group);
        if (text == captures.end()) {
          return Refuse(syntax.offset_bytes,
                        fmt::format("\\{0} can be reached past the group that it names: put the "
                                    "group where every way to \\{0} passes",
                                    syntax.group));
        }
        return RegexConcat({RegexOfText(text->second, syntax.ignore_case), rest(captures)});
      }
      case Kind::kAtomic: {
        const Regex body = Alone(syntax, captures);
        if (!error_ && !IsPrefixFree(body)) {
          return Refuse(syntax.offset_bytes,
                        "one text of this atomic group begins another, so that its match depends "
                        "on the order of trying: let it end at one place, as (?>.*?END) does");
        }
        return RegexConcat({body, rest(captures)});
      }
    }
    return RegexEmpty();
  }

  // The child of a part that is resolved for itself.
  Regex Alone(const RegexSyntax& syntax, const Captures& captures) {
    return With(syntax.children[0], captures, [](const Captures&) { return RegexEmpty(); });
  }

  Regex Parts(const RegexSyntax& syntax, size_t begin, const Captures& captures, const Rest& rest) {
    if (begin == syntax.children.size()) return rest(captures);
    return With(syntax.children[begin], captures,
                [&](const Captures& longer) { return Parts(syntax, begin + 1, longer, rest); });
  }

  Regex Lazy(const RegexSyntax& syntax, const Captures& captures, const Rest& rest) {
    const Regex repeated = Alone(syntax, captures);
    const Regex end = rest(captures);
    if (!Spend(kStepsOfAnEnd)) return end;
    auto first = FirstMatch(repeated, syntax.min, syntax.max, end);
    if (!first) return Refuse(syntax.offset_bytes, first.error());
    return *first;
  }

  Regex Group(const RegexSyntax& syntax, const Captures& captures, const Rest& rest) {
    const auto texts = Texts(Alone(syntax, captures));
    if (!texts) {
      return Refuse(syntax.offset_bytes,
                    fmt::format("the group that \\{} names has more than {} texts: bound it, as in "
                                "(#{{0,16}}), or list its texts, as in (body|func|)",
                                syntax.group, kMaxGroupTexts));
    }
    std::vector<Regex> ways;
    for (const std::string& text : *texts) {
      Captures longer = captures;
      longer[syntax.group] = text;
      ways.push_back(RegexConcat({RegexOfText(text, false), rest(longer)}));
    }
    return RegexAlternate(ways);
  }

  std::optional<RegexError> error_;
  size_t steps_ = 0;
  size_t parts_ = 0;
  // Offset of the first named group, atomic group or lazy repetition.
  size_t first_choice_ = std::string::npos;
  // The closed parts around the one that CheckPlaces looks at, outermost first.
  std::vector<const RegexSyntax*> closed_;
  std::map<uint32_t, std::vector<const RegexSyntax*>> groups_;  // [group] those around it
};

}  // namespace

tl::expected<Regex, RegexError> Resolve(RegexSyntax syntax, const std::set<uint32_t>& referenced) {
  syntax = Flattened(std::move(syntax), referenced);
  if (syntax.kind == Kind::kPlain) return std::move(syntax.plain);
  return Resolver().Run(syntax);
}

}  // namespace tenon::constraint
