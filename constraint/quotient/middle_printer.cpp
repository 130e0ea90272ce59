#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/quotient/middle_grammar.h"

namespace tenon::constraint {

namespace {

using Role = MiddleGrammar::Role;
using Body = MiddleGrammar::Body;

constexpr const char* kLegend =
    "The middle at {}: every text that closes the gap, as a grammar over terminals.\n"
    "LEFT_T ends the lexeme that the left context leaves unfinished, so that it is T. RIGHT_T "
    "begins a lexeme T that ends in the right\n"
    "context. THROUGH_T joins both sides in one lexeme.\n";
constexpr const char* kLarkLegend =
    "Left to the lexer: separators where two terminals would run together, longest match, which "
    "terminal wins where several match, and\n"
    "columns: line ends and blocks stand as terminals.\n";
constexpr const char* kGbnfLegend =
    "GBNF has no lexer. Not said here, so check the text with the language itself: separators "
    "where two terminals would run together,\n"
    "longest match, which terminal wins where several match, and columns (blocks begin and end "
    "with the empty text).\n";

std::string Commented(const std::string& text, const char* lead) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    out += lead + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

// In double quotes, for either format.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else
      out += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out + "\"";
}

std::string LarkTerminal(const Regex& regex) {
  if (auto text = OnlyText(regex)) return Quoted(*text);
  return "/" + RegexText(regex, RegexStyle::kLark) + "/";
}

Regex RegexOf(const Terminal& terminal) {
  auto regex = ParseRegex(terminal.pattern, terminal.pattern_flags);
  return regex ? *regex : nullptr;
}

class LarkPrinter {
 public:
  explicit LarkPrinter(const MiddleGrammar& grammar) : grammar_(grammar) {}

  std::string Run() {
    for (const MiddleGrammar::Nonterminal& nonterminal : grammar_.nonterminals) {
      out_ += nonterminal.name + ":";
      for (size_t i = 0; i < nonterminal.bodies.size(); ++i) {
        if (i > 0) out_ += "\n    |";
        for (MiddleGrammar::Symbol s : nonterminal.bodies[i])
          out_ += " " + (s.is_terminal ? grammar_.terminals[s.index].name
                                       : grammar_.nonterminals[s.index].name);
      }
      out_ += "\n";
    }
    out_ += "\n";
    // The seams' terminals come first: where they match as much as another, they win.
    for (bool seam : {true, false}) {
      for (const MiddleGrammar::Terminal& terminal : grammar_.terminals) {
        if ((terminal.role != Role::kPlain) == seam) Define(terminal);
      }
    }
    for (const Terminal& terminal : grammar_.language->grammar.terminals) {
      if (terminal.kind != TerminalKind::kIgnored) continue;
      if (Regex regex = RegexOf(terminal))
        out_ += terminal.name + ": " + LarkTerminal(regex) + "\n";
      out_ += "%ignore " + terminal.name + "\n";
    }
    return out_;
  }

 private:
  void Define(const MiddleGrammar::Terminal& terminal) {
    if (!terminal.regex) {
      out_ += "%declare " + terminal.name + "\n";
      return;
    }
    int priority = grammar_.language->grammar.terminals[terminal.of.value].priority;
    out_ += terminal.name + (priority != 0 ? "." + std::to_string(priority) : "") + ": " +
            LarkTerminal(terminal.regex);
    out_ += "\n";
  }

  const MiddleGrammar& grammar_;
  std::string out_;
};

// Ignorable text may stand after every terminal but the ones with which R goes on, and before the
// first one unless L goes on with it.
class GbnfPrinter {
 public:
  explicit GbnfPrinter(const MiddleGrammar& grammar) : grammar_(grammar) {}

  std::string Run() {
    for (uint32_t n = 0; n < grammar_.nonterminals.size(); ++n) Define(n);
    out_ += "\n";
    for (const MiddleGrammar::Terminal& terminal : grammar_.terminals) {
      bool into_right = terminal.role == Role::kRight || terminal.role == Role::kThrough;
      out_ += NameOf(terminal.name, "") +
              " ::= " + (terminal.regex ? Expression(terminal.regex) : "\"\"") +
              (into_right ? "" : " ignored") + "\n";
    }
    std::string ignored;
    for (const Terminal& terminal : grammar_.language->grammar.terminals) {
      Regex regex = terminal.kind == TerminalKind::kIgnored ? RegexOf(terminal) : nullptr;
      if (regex) ignored += (ignored.empty() ? "" : " | ") + Expression(regex);
    }
    out_ += ignored.empty() ? "ignored ::= \"\"\n" : "ignored ::= (" + ignored + ")*\n";
    return out_;
  }

  // The nonterminals that can begin with themselves by way of others.
  std::vector<std::string> LeftRecursive() const {
    std::vector<bool> nullable(grammar_.nonterminals.size());
    auto empty = [&](MiddleGrammar::Symbol s) { return !s.is_terminal && nullable[s.index]; };
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = 0; n < nullable.size(); ++n) {
        if (nullable[n]) continue;
        for (const Body& body : grammar_.nonterminals[n].bodies)
          nullable[n] = nullable[n] || std::all_of(body.begin(), body.end(), empty);
        changed |= nullable[n];
      }
    }
    std::vector<std::set<uint32_t>> begins(grammar_.nonterminals.size());
    for (uint32_t n = 0; n < begins.size(); ++n) {
      for (const Body& body : grammar_.nonterminals[n].bodies) {
        for (size_t i = 0; i < body.size() && !body[i].is_terminal; ++i) {
          bool direct = i == 0 && body[0].index == n;  // written as a repetition
          if (!direct) begins[n].insert(body[i].index);
          if (!nullable[body[i].index]) break;
        }
      }
    }
    std::vector<std::string> names;
    for (uint32_t n = 0; n < begins.size(); ++n) {
      std::set<uint32_t> reached = begins[n];
      std::vector<uint32_t> work(reached.begin(), reached.end());
      while (!work.empty()) {
        uint32_t at = work.back();
        work.pop_back();
        for (uint32_t next : begins[at]) {
          if (reached.insert(next).second) work.push_back(next);
        }
      }
      if (reached.count(n) > 0) names.push_back(RuleName(n));
    }
    return names;
  }

 private:
  static std::string Expression(const Regex& regex) {
    if (auto text = OnlyText(regex)) return Quoted(*text);
    return "(" + RegexText(regex, RegexStyle::kGbnf) + ")";
  }

  // Letters, digits and dashes; rules apart from terminals whatever their letters.
  static std::string NameOf(const std::string& name, const char* prefix) {
    std::string out = prefix;
    for (char c : name) out += c == '_' ? '-' : c;
    return out;
  }

  std::string RuleName(uint32_t n) const {
    return n == 0 ? std::string("root") : NameOf(grammar_.nonterminals[n].name, "r-");
  }

  std::string Sequence(const Body& body, size_t from) const {
    std::string out;
    for (size_t i = from; i < body.size(); ++i) {
      MiddleGrammar::Symbol s = body[i];
      out += (i > from ? " " : "") +
             (s.is_terminal ? NameOf(grammar_.terminals[s.index].name, "") : RuleName(s.index));
    }
    return out.empty() ? "\"\"" : out;
  }

  // "X: X a | b" is written "b a*": engines that read GBNF refuse left recursion.
  void Define(uint32_t n) {
    std::string heads, tails;
    for (const Body& body : grammar_.nonterminals[n].bodies) {
      bool again = !body.empty() && body[0] == MiddleGrammar::Symbol{false, n};
      std::string& into = again ? tails : heads;
      std::string lead = n == 0 && !GoesOnFromLeft(body) ? "ignored" : "";
      if (!again && !lead.empty() && !body.empty()) lead += " ";
      bool blank = !again && body.empty() && !lead.empty();
      into +=
          (into.empty() ? "" : " | ") + (again ? "" : lead) + (blank ? "" : Sequence(body, again));
    }
    out_ +=
        RuleName(n) + " ::= " + (tails.empty() ? heads : "(" + heads + ") (" + tails + ")*") + "\n";
  }

  bool GoesOnFromLeft(const Body& body) const {
    if (body.empty() || !body[0].is_terminal) return false;
    Role role = grammar_.terminals[body[0].index].role;
    return role == Role::kLeft || role == Role::kThrough;
  }

  const MiddleGrammar& grammar_;
  std::string out_;
};

}  // namespace

std::string Print(const MiddleGrammar& grammar, MiddleFormat format, const std::string& origin) {
  std::string legend = fmt::format(fmt::runtime(kLegend), origin);
  if (format == MiddleFormat::kLark)
    return Commented(legend + kLarkLegend, "// ") + LarkPrinter(grammar).Run();
  GbnfPrinter printer(grammar);
  std::string recursive;
  for (const std::string& name : printer.LeftRecursive()) recursive += " " + name;
  if (!recursive.empty())
    recursive = "Left-recursive by way of others, which some engines refuse:" + recursive + "\n";
  return Commented(legend + kGbnfLegend + recursive, "# ") + printer.Run();
}

}  // namespace tenon::constraint
