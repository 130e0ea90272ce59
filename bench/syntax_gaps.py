#!/usr/bin/env python3
"""Gaps in real files of a language that has a syntax and no grammar: how many are answered, and does an answer ever add an error?

    bench/syntax_gaps.py LANGUAGE FOLDER SUFFIX [--gaps 200] [--model NAME] [--budget-ms N] [--seed N]

LANGUAGE is an LSP language id, and the Python package tree_sitter_LANGUAGE is the judge (pip install tree-sitter
tree-sitter-c …): the error nodes of the file with the answer in its place against those without. Gaps are drawn from
files of at least 1 KB: every other one is the rest of a line, the others up to 20 bytes in the middle of a line.
`tenon --stdio` is asked as by a person. Prints one JSON object.
"""

import argparse
import importlib
import json
import pathlib
import random
import statistics
import time

import tree_sitter
from lsp_client import Server


def errors(parser, text):
    count, stack = 0, [parser.parse(text).root_node]
    while stack:
        node = stack.pop()
        count += node.is_error or node.is_missing
        stack += [child for child in node.children if child.has_error]
    return count


def gap_of(text, number, draw):
    """The bytes [begin, end) of a gap; None where the drawn line has no place for one."""
    lines = text.splitlines(keepends=True)
    line = draw.randrange(len(lines))
    start = sum(len(before) for before in lines[:line])
    body = lines[line].rstrip()
    indent = len(body) - len(body.lstrip())
    if len(body) - indent < 8 or not body.isascii():
        return None
    begin = draw.randrange(indent, len(body) - 2)
    end = len(body) if number % 2 == 0 else min(len(body) - 1, begin + draw.randint(3, 20))
    return start + begin, start + end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("suffix")
    parser.add_argument("--gaps", type=int, default=200)
    parser.add_argument("--model")
    parser.add_argument("--budget-ms", type=int, default=2000)
    parser.add_argument("--max-bytes", type=int, default=60000, help="of a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tenon", default=str(pathlib.Path(__file__).resolve().parent.parent / "build/release/tenon"))
    args = parser.parse_args()
    judge = tree_sitter.Parser(tree_sitter.Language(importlib.import_module("tree_sitter_" + args.language).language()))
    draw = random.Random(args.seed)
    files = [path for path in sorted(args.folder.rglob("*" + args.suffix)) if 1000 <= path.stat().st_size <= args.max_bytes]
    server = Server(args.tenon, args.model, args.budget_ms)
    answered, exact, added, times, number = 0, 0, [], [], 0
    while number < args.gaps:
        path = draw.choice(files)
        text = path.read_bytes()
        try:
            text.decode()
        except UnicodeDecodeError:
            continue
        gap = gap_of(text, number, draw)
        if gap is None:
            continue
        number += 1
        around = text[: gap[0]] + text[gap[1] :]
        begun = time.monotonic()
        middle = server.complete(args.language, f"file://{path}#{number}", around, gap[0])
        times.append((time.monotonic() - begun) * 1000)
        if middle is None:
            continue
        answered += 1
        exact += middle == text[gap[0] : gap[1]]
        if errors(judge, around[: gap[0]] + middle + around[gap[0] :]) > errors(judge, around):
            added.append({"file": str(path), "gap": gap, "middle": middle.decode()})
    print(json.dumps({"language": args.language, "files": len(files), "gaps": number, "answered": answered, "exact": exact,
                      "added_errors": len(added), "median_ms": round(statistics.median(times)), "examples": added[:5]}))


if __name__ == "__main__":
    main()
