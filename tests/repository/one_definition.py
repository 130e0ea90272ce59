#!/usr/bin/env python3
"""No two classes of the whole program have one name, checked on every source of a tree.

C++'s one definition rule: two classes of one name in one namespace are one class to the linker, which keeps the members of one of them
and calls them on objects of the other. No compiler and no linker says so. Names in anonymous namespaces are a file's own.

Prints each name that is defined twice as `file:line: name: also in file:line` and exits 1 if there is one. Usage: one_definition.py ROOT
"""

import pathlib
import re
import sys

SOURCE_FOLDERS = ["protocol", "include", "constraint", "model", "server"]

NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) \{")
CLASS = re.compile(r"^(?:class|struct|union|enum class|enum struct|enum) (?:\[\[\w+\]\] |alignas\(\w+\) )?(\w+)(?= final\b| ?:[^:]| \{)(.*)")


def definitions(path):
    """(qualified name, line) of each class that the file defines outside anonymous namespaces and other classes."""
    namespaces = []
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        opened = NAMESPACE.match(line)
        # clang-format names the end of a namespace but of one that has a declaration alone.
        if opened and lines[number + 1:number + 2] != ["}"]:
            namespaces.append(opened.group(1) or None)
        elif line.startswith("}  // namespace"):
            namespaces.pop()
        found = CLASS.match(line)
        # A declaration ends with `;` in its line: `enum class Kind : uint8_t;`.
        if found and None not in namespaces and not (found.group(2).rstrip().endswith(";") and "{" not in found.group(2)):
            yield "::".join([*namespaces, found.group(1)]), number


def defined_twice(root):
    """Each second definition of a name below `root` as a printable line, sorted by file and line; and the number of names."""
    first, found = {}, []
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp"}:
                continue
            for name, line in definitions(path):
                place = f"{path.relative_to(root).as_posix()}:{line}"
                if name in first:
                    found.append(f"{place}: {name}: also in {first[name]}")
                first.setdefault(name, place)
    return found, len(first)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found, names = defined_twice(pathlib.Path(sys.argv[1]))
    if names == 0:
        print(f"one_definition.py: {sys.argv[1]} is no source tree of tenon (it defines no class)", file=sys.stderr)
        return 2
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
