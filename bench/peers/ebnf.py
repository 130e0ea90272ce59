"""A Lark grammar as the EBNF that xgrammar reads, for the grammars of lark_text.py.

xgrammar has no lexer: terminals become rules, and what a grammar ignores may stand behind each of them. The longest match of a lexer is
lost on the way, so xgrammar's language is a little larger than the others'.
"""

import re

TOKEN = re.compile(r'"."\.\."."|"(?:\\.|[^"\\])*"i?|/(?:\\.|[^/\\\n])+/[a-z]*|[A-Za-z_]\w*|->\s*\w+|//.*|[()\[\]|*+?]|\S')


def quoted(text: str) -> str:
    out = ""
    for c in text:
        out += {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\x0c"}.get(c, c)
    return f'"{out}"'


ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


class RegexReader:
    """Regular expressions of the few forms that lark_text.py leaves: groups, classes, `.`, `|`, `* + ?`."""

    def __init__(self, pattern: str, ignore_case: bool):
        self.pattern, self.at, self.ignore_case = pattern, 0, ignore_case

    def now(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        c = self.now()
        self.at += 1
        return c

    def alternatives(self) -> str:
        parts = [self.sequence()]
        while self.now() == "|":
            self.take()
            parts.append(self.sequence())
        return " | ".join(parts)

    def sequence(self) -> str:
        parts = []
        while self.now() and self.now() not in "|)":
            atom = self.atom()
            if self.now() and self.now() in "*+?":
                atom += self.take()
            parts.append(atom)
        return " ".join(parts) or '""'

    def atom(self) -> str:
        c = self.take()
        if c == "(":
            inner = self.alternatives()
            self.take()
            return f"({inner})"
        if c == "[":
            return self.char_class()
        if c == ".":
            return "[^\\n]"
        if c == "\\":
            c = self.take()
            c = ESCAPES.get(c, c)
        if self.ignore_case and c.isalpha():
            return f"[{c.lower()}{c.upper()}]"
        return quoted(c)

    def char_class(self) -> str:
        inner = ""
        while self.now() != "]":
            c = self.take()
            if c == "\\":
                c += self.take()
            inner += {"\\f": "\\x0c"}.get(c, c)
        self.take()
        if self.ignore_case:
            inner = re.sub(r"([a-z])-([a-z])", lambda m: m.group(0) + m.group(0).upper(), inner)
            inner = re.sub(r"(?<![-\\])\b([a-z])(?!-)", lambda m: m.group(1) + m.group(1).upper(), inner)
        return f"[{inner}]"


def body_of(text: str, in_terminal: bool) -> str:
    out = []
    skip = "" if in_terminal else " skip"
    for token in TOKEN.findall(text):
        if token.startswith(("->", "//")) and not token.endswith("/"):
            continue
        if '"..' in token:
            out.append(f"[{token[1]}-{token[-2]}]")
        elif token.startswith('"'):
            value = token[1 : token.rindex('"')].replace("\\\\", "\\").replace('\\"', '"')
            literal = quoted(value)
            out.append(f"({literal}{skip})" if skip else literal)
        elif token.startswith("/"):
            end = token.rindex("/")
            pattern = RegexReader(token[1:end], "i" in token[end:]).alternatives()
            out.append(f"(({pattern}){skip})")
        elif token == "[":
            out.append("(")
        elif token == "]":
            out.append(")?")
        elif token in "()|*+?":
            # A repetition belongs to what stands before it, without a blank.
            if token in "*+?" and out:
                out[-1] += token
            else:
                out.append(token)
        elif token[0].isupper() or (token[0] == "_" and token[1:2].isupper()):
            out.append(f"t{token}" if in_terminal else f"(t{token} skip)")
        else:
            out.append(f"r_{token}")
    return " ".join(out)


def from_lark(found: list) -> str:
    """`found`: the definitions of lark_text.definitions."""
    rules, ignored = [], []
    for name, lines in found:
        text = "\n".join(lines)
        if name is None:
            ignored.append("(" + body_of(text.split("%ignore", 1)[1], True) + ")")
            continue
        is_terminal = name.isupper()
        rule = f"t{name}" if is_terminal else f"r_{name}"
        rules.append(f"{rule} ::= {body_of(text.split(':', 1)[1], is_terminal)}")
    skip = " | ".join(ignored)
    return "\n".join(["root ::= skip r_start", f"skip ::= ({skip})*" if skip else 'skip ::= ""', *rules]) + "\n"
