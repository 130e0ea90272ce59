"""SynCode's grammar files, changed so far that xgrammar, llguidance, glrmask and tenon all take the same text.

The changes, each for a reason:
- priorities of rules and terminals go: no peer has them;
- lazy quantifiers become what they mean in a lexer (`".*?"` ends at the first quote): none but Python's `re` has them;
- `\\d` and `\\w` become ASCII classes, which is what Go's specification says: the engines disagree on Unicode there;
- the literal `/*' .*? '*/` of Go's EOS goes: a slip in the file, which matches this very text;
- rules and terminals that the start rule does not reach go: tenon refuses them.
tenon's longest match needs a bounded look back, so its text has two lines more: a poison terminal for numbers like 0123, which no
file has.
"""

import re
import sys
from pathlib import Path

DEFINITION = re.compile(r"[?!]?([A-Za-z_]\w*)\s*(?:\.\d+)?\s*:")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"i?|/(?:\\.|[^/\\\n])+/[a-z]*')
TENON_LINES = {"go": "BAD_NUMBER: /0[0-9]+/\n%poison BAD_NUMBER\n"}


def package_grammar(site_packages: Path, language: str) -> str:
    path = site_packages / "syncode" / "parsers" / "grammars" / f"{language}.lark"
    if not path.is_file():
        sys.exit(f"{path} is not there; run bench/peers/setup")
    return path.read_text(encoding="utf-8")


def definitions(text: str) -> list:
    """[(name or None, its lines)] without comments."""
    found = []
    for line in text.split("\n"):
        start = DEFINITION.match(line)
        if start:
            found.append((start.group(1), [line]))
        elif line[:1] in (" ", "\t", "|") and line.strip() and found:
            found[-1][1].append(line)
        elif line.strip() and not line.startswith("//"):
            found.append((None, [line]))
    return found


def names_in(text: str) -> list:
    plain = QUOTED.sub(" ", text)
    plain = re.sub(r"->\s*\w+", " ", re.sub(r"//.*", " ", plain))
    return re.findall(r"[A-Za-z_]\w*", plain)


def reachable(found: list) -> set:
    bodies = {name: "\n".join(lines).split(":", 1)[1] for name, lines in found if name}
    used, todo = set(), ["start"]
    for name, lines in found:
        if name is None:
            todo += names_in("\n".join(lines))
    while todo:
        name = todo.pop()
        if name in bodies and name not in used:
            used.add(name)
            todo += names_in(bodies[name])
    return used


def common(text: str) -> str:
    """What all engines get."""
    lines = []
    for line in text.split("\n"):
        line = re.sub(r"^([?!]?[A-Za-z_]\w*)\s*\.\d+\s*:", r"\1:", line)
        if DEFINITION.match(line) and line[:1].isupper() or line.startswith("_"):
            line = line.replace("[\\da-f]", "[0-9a-f]").replace("\\d", "[0-9]").replace("\\w", "[a-zA-Z0-9_]")
            line = line.replace("/`.*?`/", "/`[^`\\n]*`/").replace('/".*?"/', '/"[^"\\n]*"/')
            line = line.replace(""" | "/*' .*? '*/\"""", "")
        lines.append(line.rstrip())
    found = definitions("\n".join(lines))
    used = reachable(found)
    return "\n".join("\n".join(body) for name, body in found if name is None or name in used) + "\n"


def for_tenon(text: str, language: str) -> str:
    return text + TENON_LINES.get(language, "")
