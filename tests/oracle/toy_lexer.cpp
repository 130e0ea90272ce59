#include "tests/oracle/toy_lexer.h"

#include <algorithm>
#include <stdexcept>

namespace tenon::oracle {

namespace {

char Unescape(char c) { return c == 'n' ? '\n' : c; }

}  // namespace

std::string ClassText(const std::string& characters) {
  std::string out = "[";
  for (char c : characters) {
    if (c == '\n' || c == '\r') {
      out += c == '\n' ? "\\n" : "\\r";
    } else {
      if (std::string("\\]^-/[").find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out + "]";
}

ToyLexer::ToyLexer(std::string alphabet, std::vector<ToyTerminal> terminals, ToyLines lines,
                   ToyModes modes, ToySplits splits)
    : alphabet_(std::move(alphabet)),
      terminals_(std::move(terminals)),
      lines_(std::move(lines)),
      modes_(std::move(modes)),
      splits_(std::move(splits)) {
  Make(Node{Node::kNothing, "", 0, 0});
  Make(Node{Node::kEmpty, "", 0, 0});
  std::vector<int> start;
  for (const ToyTerminal& terminal : terminals_) {
    size_t at = 0;
    start.push_back(ParseOr(terminal.pattern, at));
    if (at != terminal.pattern.size())
      throw std::invalid_argument("toy lexer: " + terminal.pattern);
  }
  for (size_t mode = 0; mode <= modes_.modes.size(); ++mode) {
    std::vector<bool> in = TerminalsOf(mode);
    std::vector<int> here;
    for (size_t t = 0; t < start.size(); ++t) here.push_back(in[t] ? start[t] : 0);
    starts_.push_back(StateOf(std::move(here)));
  }
}

std::vector<bool> ToyLexer::TerminalsOf(size_t mode) const {
  auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<bool> in;
  for (const ToyTerminal& terminal : terminals_) {
    bool by_default = std::none_of(modes_.modes.begin(), modes_.modes.end(),
                                   [&](const ToyMode& m) { return has(m.with, terminal.name); });
    if (mode > 0) {
      const ToyMode& m = modes_.modes[mode - 1];
      by_default = (by_default && m.like_default && !has(m.without, terminal.name)) ||
                   has(m.with, terminal.name);
    }
    in.push_back(by_default);
  }
  return in;
}

bool ToyLexer::Act(const std::string& terminal, std::vector<size_t>& stack) const {
  auto action = modes_.actions.find(terminal);
  if (action == modes_.actions.end()) return true;
  const auto& [what, name] = action->second;
  if (what != "push") stack.pop_back();
  for (size_t m = 0; m < modes_.modes.size(); ++m) {
    if (modes_.modes[m].name == name) stack.push_back(m + 1);
  }
  return !stack.empty();
}

int ToyLexer::Make(Node node) const {
  auto [at, fresh] = node_ids_.try_emplace(node, static_cast<int>(nodes_.size()));
  if (fresh) nodes_.push_back(std::move(node));
  return at->second;
}

int ToyLexer::Then(int a, int b) const {
  if (a == 0 || b == 0) return 0;
  if (a == 1) return b;
  if (b == 1) return a;
  return Make(Node{Node::kThen, "", a, b});
}

int ToyLexer::Or(int a, int b) const {
  // A right-leaning chain in ascending order without doubles: equal sets are equal nodes, so
  // derivatives are finitely many.
  std::vector<int> parts;
  for (int side : {a, b}) {
    while (nodes_[side].kind == Node::kOr) {
      parts.push_back(nodes_[side].a);
      side = nodes_[side].b;
    }
    if (side != 0) parts.push_back(side);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  if (parts.empty()) return 0;
  int all = parts.back();
  for (size_t i = parts.size() - 1; i-- > 0;) all = Make(Node{Node::kOr, "", parts[i], all});
  return all;
}

int ToyLexer::Star(int a) const { return a <= 1 ? 1 : Make(Node{Node::kStar, "", a, 0}); }

bool ToyLexer::Nullable(int id) const {
  const Node& node = nodes_[id];
  switch (node.kind) {
    case Node::kNothing:
    case Node::kClass:
      return false;
    case Node::kEmpty:
    case Node::kStar:
      return true;
    case Node::kThen:
      return Nullable(node.a) && Nullable(node.b);
    case Node::kOr:
      return Nullable(node.a) || Nullable(node.b);
  }
  return false;
}

int ToyLexer::Derive(int id, char c) const {
  auto known = derivatives_.find({id, c});
  if (known != derivatives_.end()) return known->second;
  const Node node = nodes_[id];
  int result = 0;
  switch (node.kind) {
    case Node::kNothing:
    case Node::kEmpty:
      break;
    case Node::kClass:
      result = node.characters.find(c) != std::string::npos;
      break;
    case Node::kThen:
      result = Then(Derive(node.a, c), node.b);
      if (Nullable(node.a)) result = Or(result, Derive(node.b, c));
      break;
    case Node::kOr:
      result = Or(Derive(node.a, c), Derive(node.b, c));
      break;
    case Node::kStar:
      result = Then(Derive(node.a, c), id);
      break;
  }
  derivatives_[{id, c}] = result;
  return result;
}

int ToyLexer::ParseOr(const std::string& pattern, size_t& at) const {
  int all = ParseThen(pattern, at);
  while (at < pattern.size() && pattern[at] == '|') all = Or(all, ParseThen(pattern, ++at));
  return all;
}

int ToyLexer::ParseThen(const std::string& pattern, size_t& at) const {
  int all = 1;
  while (at < pattern.size() && pattern[at] != '|' && pattern[at] != ')') {
    int one = ParseOne(pattern, at);
    for (; at < pattern.size() && std::string("*+?").find(pattern[at]) != std::string::npos; ++at) {
      one = pattern[at] == '?' ? Or(one, 1) : pattern[at] == '*' ? Star(one) : Then(one, Star(one));
    }
    all = Then(all, one);
  }
  return all;
}

std::string ToyLexer::ParseClass(const std::string& pattern, size_t& at) const {
  bool negated = pattern[at] == '^';
  at += negated;
  std::string listed;
  for (; pattern.at(at) != ']'; ++at) {
    if (pattern[at] == '\\') {
      listed += Unescape(pattern.at(++at));
    } else {
      listed += pattern[at];
    }
  }
  ++at;
  std::string characters;
  for (char c : alphabet_) {
    if ((listed.find(c) == std::string::npos) == negated) characters += c;
  }
  return characters;
}

int ToyLexer::ParseOne(const std::string& pattern, size_t& at) const {
  char c = pattern.at(at++);
  if (c == '(') {
    int inner = ParseOr(pattern, at);
    if (pattern.at(at++) != ')') throw std::invalid_argument("toy lexer: " + pattern);
    return inner;
  }
  std::string characters(1, c);
  if (c == '[') characters = ParseClass(pattern, at);
  if (c == '\\') characters = Unescape(pattern.at(at++));
  std::sort(characters.begin(), characters.end());
  return characters.empty() ? 0 : Make(Node{Node::kClass, characters, 0, 0});
}

size_t ToyLexer::StateOf(std::vector<int> left) const {
  auto [at, fresh] = state_ids_.try_emplace(left, states_.size());
  if (!fresh) return at->second;
  State state;
  for (size_t i = 0; i < left.size(); ++i) {
    state.dead = state.dead && left[i] == 0;
    bool wanted = state.winners.empty() || terminals_[state.winners.back()].kind == ToyKind::kSoft;
    if (wanted && Nullable(left[i])) state.winners.push_back(i);
  }
  state.left = std::move(left);
  states_.push_back(std::move(state));
  return states_.size() - 1;
}

size_t ToyLexer::Step(size_t state, char c) const {
  auto known = states_[state].next.find(c);
  if (known != states_[state].next.end()) return known->second;
  std::vector<int> left;
  for (int node : states_[state].left) left.push_back(Derive(node, c));
  size_t next = StateOf(std::move(left));
  states_[state].next[c] = next;
  return next;
}

bool ToyLexer::EndsPhrase(const Lexemes& lexemes) const {
  return !lexemes.empty() && std::find(lines_.after.begin(), lines_.after.end(),
                                       lexemes.back()[0]) != lines_.after.end();
}

Alternatives ToyLexer::WithLine(Alternatives names, bool line_seen) const {
  for (size_t i = names.size(); lines_.remember && i-- > 0;)
    names.push_back(names[i] + (line_seen ? "#newline_before" : "#no_newline"));
  return names;
}

std::optional<Lexemes> ToyLexer::Tokenize(std::string_view text) const {
  std::vector<Lexemes> readings = Readings(text);
  return readings.empty() ? std::nullopt : std::optional(std::move(readings[0]));
}

ToyLexer::Match ToyLexer::Longest(std::string_view text, size_t begin, size_t mode) const {
  Match match{begin, {}};
  size_t state = starts_[mode];
  for (size_t i = begin; i < text.size() && !states_[state].dead; ++i) {
    state = Step(state, text[i]);
    if (!states_[state].winners.empty()) match = {i + 1, states_[state].winners};
  }
  return match;
}

std::optional<std::vector<ToyPiece>> ToyLexer::Pieces(std::string_view text) const {
  std::vector<ToyPiece> pieces;
  std::vector<size_t> modes{0};
  for (size_t begin = 0; begin < text.size(); begin = pieces.back().end) {
    const Match match = Longest(text, begin, modes.back());
    if (match.winners.empty()) return std::nullopt;
    const ToyTerminal& terminal = terminals_[match.winners[0]];
    if (terminal.kind == ToyKind::kPoison || !Act(terminal.name, modes)) return std::nullopt;
    pieces.push_back({begin, match.end, &terminal});
  }
  if (modes.size() > 1) return std::nullopt;
  return pieces;
}

std::vector<Lexemes> ToyLexer::Readings(std::string_view text) const {
  std::vector<Lexemes> readings(1);
  std::vector<size_t> modes{0};
  bool line_seen = false;
  for (size_t begin = 0; begin < text.size();) {
    const auto [end, winners] = Longest(text, begin, modes.back());
    if (winners.empty()) return {};
    ToyKind kind = terminals_[winners[0]].kind;
    if (kind == ToyKind::kPoison || !Act(terminals_[winners[0]].name, modes)) return {};
    if (kind == ToyKind::kLineEnd) {
      for (Lexemes& lexemes : readings) {
        if (EndsPhrase(lexemes)) lexemes.push_back({lines_.terminator});
      }
      line_seen = true;
    } else if (kind != ToyKind::kSkip) {
      Alternatives names;
      std::vector<Lexemes> ways;
      for (size_t winner : winners) {
        names.push_back(terminals_[winner].name);
        auto split = splits_.find(names.back());
        if (split == splits_.end()) continue;
        for (const std::vector<std::string>& parts : split->second) {
          Lexemes& way = ways.emplace_back();
          for (const std::string& part : parts)
            way.push_back(WithLine({part}, line_seen && way.empty()));
        }
      }
      ways.insert(ways.begin(), {WithLine(std::move(names), line_seen)});
      line_seen = false;
      std::vector<Lexemes> longer;
      for (const Lexemes& way : ways) {
        for (const Lexemes& reading : readings) {
          longer.push_back(reading);
          longer.back().insert(longer.back().end(), way.begin(), way.end());
        }
      }
      readings = std::move(longer);
    }
    begin = end;
  }
  if (modes.size() > 1) return {};
  for (Lexemes& lexemes : readings) {
    if (EndsPhrase(lexemes)) lexemes.push_back({lines_.terminator});
  }
  return readings;
}

bool ToyLexer::HasSeparator() const {
  return std::any_of(terminals_.begin(), terminals_.end(), [](const ToyTerminal& t) {
    return t.kind == ToyKind::kSkip &&
           (t.pattern == " +" || t.pattern == "\n+" || t.pattern == "\n");
  });
}

std::string ToyLexer::ToLark(const ToyGrammar& grammar) const {
  std::string out, ignore, poison, soft, delimited, line_ends;
  for (const ToyTerminal& terminal : terminals_) {
    if (!terminal.unfinished.empty()) {
      ignore += "%unfinished " + terminal.unfinished + "\n";
      continue;
    }
    if (terminal.kind == ToyKind::kSkip) {
      ignore += "%ignore " + terminal.name + "\n";
    } else if (terminal.kind == ToyKind::kLineEnd) {
      line_ends += " " + terminal.name;
    } else if (terminal.kind == ToyKind::kPoison) {
      poison += " " + terminal.name;
    } else if (!grammar.terminals().contains(terminal.name) &&
               !grammar.terminals().contains(terminal.name + "#no_newline") &&
               !grammar.terminals().contains(terminal.name + "#newline_before")) {
      continue;
    } else if (terminal.kind == ToyKind::kSoft) {
      soft += " " + terminal.name;
    }
    if (terminal.delimited) delimited += " " + terminal.name;
    out += terminal.name + ": /" + terminal.lark;
    const std::string pattern = terminal.lark.empty() ? terminal.pattern : "";
    for (size_t i = 0; i < pattern.size();) {
      if (pattern[i] == '[') {
        out += ClassText(ParseClass(pattern, ++i));
        continue;
      }
      if (pattern[i] == '\\') {
        out += pattern.substr(i, 2);
        i += 2;
        continue;
      }
      if (pattern[i] == '/') out += '\\';
      out += pattern[i] == '\n' ? "\\n" : pattern[i] == '\r' ? "\\r" : std::string(1, pattern[i]);
      ++i;
    }
    out += "/\n";
  }
  if (!poison.empty()) out += "%poison" + poison + "\n";
  if (!delimited.empty()) out += "%delimited" + delimited + "\n";
  if (!soft.empty()) out += "%soft" + soft + "\n";
  if (lines_.remember) out += "%line_ends" + line_ends + "\n";
  if (!lines_.inserted.empty()) {
    out = "%declare " + lines_.inserted + "\n" + out + "%insert " + lines_.inserted;
    for (size_t i = 0; i < lines_.insert_before.size(); ++i)
      out += (i == 0 ? " before " : " ") + lines_.insert_before[i];
    out += "\n";
  }
  if (!lines_.terminator.empty()) {
    bool typed = std::any_of(terminals_.begin(), terminals_.end(),
                             [&](const ToyTerminal& t) { return t.name == lines_.terminator; });
    if (!typed) out = "%declare " + lines_.terminator + "\n" + out;
    out += "%terminator " + lines_.terminator + " at" + line_ends + " after";
    for (const std::string& name : lines_.after) out += " " + name;
    out += "\n";
  }
  for (const ToyMode& mode : modes_.modes) {
    ignore += "%mode " + mode.name + (mode.like_default ? " default" : "");
    for (size_t i = 0; i < mode.without.size(); ++i)
      ignore += (i == 0 ? " without " : " ") + mode.without[i];
    for (size_t i = 0; i < mode.with.size(); ++i)
      ignore += (i == 0 && mode.like_default ? " with " : " ") + mode.with[i];
    ignore += "\n";
  }
  for (const auto& [terminal, ways] : splits_) {
    for (const std::vector<std::string>& parts : ways) {
      ignore += "%split " + terminal;
      for (const std::string& part : parts) ignore += " " + part;
      ignore += "\n";
    }
  }
  for (const auto& [terminal, action] : modes_.actions)
    ignore += "%" + action.first + " " + terminal + " " + action.second + "\n";
  return out + ignore;
}

std::vector<std::string> ToyLexer::AllTexts(size_t longest) const {
  std::vector<std::string> all{""};
  for (size_t length = 0, begin = 0; length < longest; ++length) {
    size_t end = all.size();
    for (; begin < end; ++begin) {
      for (char c : alphabet_) all.push_back(all[begin] + c);
    }
  }
  return all;
}

}  // namespace tenon::oracle
