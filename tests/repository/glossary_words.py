#!/usr/bin/env python3
"""The words that docs/glossary.md forbids, searched in the C++ files of a source tree.

The section "Words not used" has a table: not this | but this | pattern | in | folders. Prints each
word found as `file:line: "word" -> but this` and exits 1 if there is one. Usage: glossary_words.py ROOT
"""

import pathlib
import re
import sys

SECTION = "## Words not used"
WHERE = {"comments", "code", "both"}

# What a C++ line is made of, where it matters here. A raw string may go over several lines.
PIECE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)" | "(?:\\.|[^"\\\n])*"
          | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')""",
    re.VERBOSE | re.DOTALL)
QUOTED = re.compile(r"`[^`\n]*`")


class Rule:
    def __init__(self, wrong, right, pattern, where, folders):
        self.wrong, self.right = wrong, right
        self.pattern = re.compile(pattern)
        self.where = where
        self.folders = folders


def rules_of(text):
    """The rules of a glossary. Raises ValueError with a sentence where the table is malformed."""
    if SECTION not in text:
        raise ValueError(f"the glossary has no section '{SECTION}'")
    rules = []
    for line in text.split(SECTION, 1)[1].splitlines():
        if line.startswith("## "):
            break
        if not line.startswith("|"):
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 5:
            raise ValueError(f"a row has {len(cells)} cells, not 5: {line}")
        if cells[0] == "not this" or set(cells[0]) == {"-"}:
            continue
        if not (len(cells[2]) > 2 and cells[2][0] == cells[2][-1] == "`"):
            raise ValueError(f"a pattern is written in backticks: {line}")
        if cells[3] not in WHERE:
            raise ValueError(f"'in' is one of {', '.join(sorted(WHERE))}: {line}")
        rules.append(Rule(cells[0], cells[1], cells[2][1:-1], cells[3], cells[4].split()))
    if not rules:
        raise ValueError(f"the section '{SECTION}' has no rules")
    return rules


def split(text):
    """(comments, code) of a C++ text, as two texts of the same lines. Strings are in neither."""
    blank = lambda piece: re.sub(r"[^\n]", " ", piece)
    comments, code, at = [], [], 0
    for match in PIECE.finditer(text):
        between = text[at:match.start()]
        comments.append(blank(between))
        code.append(between)
        piece = match.group()
        is_comment = match.group("comment") is not None
        comments.append(QUOTED.sub(lambda q: blank(q.group()), piece) if is_comment else blank(piece))
        code.append(blank(piece))
        at = match.end()
    comments.append(blank(text[at:]))
    code.append(text[at:])
    return "".join(comments), "".join(code)


def words_found(root):
    """Every forbidden word below `root` as a printable line, sorted by file and line."""
    rules = rules_of((root / "docs" / "glossary.md").read_text(encoding="utf-8"))
    for rule in rules:
        for folder in rule.folders:
            if not (root / folder).is_dir():
                raise ValueError(f"the rule for '{rule.wrong}' names no folder: {folder}")
    found = []
    for path in sorted(p for folder in {f for rule in rules for f in rule.folders}
                       for p in (root / folder).rglob("*") if p.suffix in {".h", ".cpp"}):
        name = path.relative_to(root).as_posix()
        comments, code = split(path.read_text(encoding="utf-8"))
        for rule in rules:
            if not any(name.startswith(folder + "/") for folder in rule.folders):
                continue
            for where, text in (("comments", comments), ("code", code)):
                if rule.where not in {where, "both"}:
                    continue
                for match in rule.pattern.finditer(text):
                    number = text.count("\n", 0, match.start()) + 1
                    found.append((name, number, f'{name}:{number}: "{match.group()}" -> {rule.right}'))
    return [line for _, _, line in sorted(set(found))]


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = words_found(pathlib.Path(sys.argv[1]))
    except (OSError, ValueError, re.error) as error:
        print(f"glossary_words.py: {error}", file=sys.stderr)
        return 2
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
