#!/usr/bin/env python3
"""Each function that docs/architecture.md names in "The same in the code" is in the file that is named with it.

Usage: walk_test.py ROOT
"""

import pathlib
import re
import sys

SECTION = "## The same in the code"
FUNCTION = re.compile(r"`([A-Z]\w*(?:::[A-Z]\w*)?)`")
FILE = re.compile(r"`([\w/]+\.cpp)`")


def named(text):
    """Pairs (function, file) of the rows of the section's table."""
    section = text.split(SECTION, 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if FILE.search(line)]
    return [(function, FILE.search(row)[1]) for row in rows for function in FUNCTION.findall(row)]


def is_in(function, text):
    """Does the source text define the function, as `Class::Name(`, or as `Name(` within the class?"""
    scope, _, name = function.rpartition("::")
    if re.search(rf"\b{re.escape(function)}\(", text):
        return True
    return bool(scope) and bool(re.search(rf"\bclass {scope}\b.*\b{name}\(", text, re.DOTALL))


def main():
    root = pathlib.Path(sys.argv[1])
    pairs = named((root / "docs/architecture.md").read_text(encoding="utf-8"))
    wrong = [f"{function} is not in {file}" for function, file in pairs
             if not (root / file).is_file() or not is_in(function, (root / file).read_text(encoding="utf-8"))]
    for line in wrong:
        print(f"docs/architecture.md: {line}")
    if len(pairs) < 20:
        print(f"docs/architecture.md: the section '{SECTION}' names {len(pairs)} functions; has its form changed?")
    return 1 if wrong or len(pairs) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
