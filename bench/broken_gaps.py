#!/usr/bin/env python3
"""Gaps in files that are broken elsewhere: what does the model offer there, and does it make the file worse?

    bench/broken_gaps.py LANGUAGE FOLDER... [--files N] [--cuts N] [--near N | --half-typed] [--model NAME] [--budget-ms N] [--seed N]

Files are cut and broken as by the leg `regions` of tests/exactness (broken_files.py), which puts random texts into the
gaps; with `--near N` a bracket or quote is missing in the N lines above the gap, and with `--half-typed` the line above the
gap's, which is as deep, ends within its bracket. `tenon --stdio` is asked as by a person.
The judges are the real parser of the language and PyPI's tree-sitter (pip install tree-sitter tree-sitter-python …; for
TypeScript NODE_PATH as for the leg). Counted are the gaps that the unbroken file answers; of these the answered ones; and
of the answers those with which

  exact              the text is the one that was cut out, but for blanks around it
  comment            it is a comment, and what was cut out is none
  earlier_error      the parser's first error comes earlier than before, and than with the text that was cut out
  more_error_nodes   tree-sitter's tree has more errors than before
  more_than_true     it has more errors than before, and than with the text that was cut out

Prints one JSON object, with examples of such answers and of gaps without one.
"""

import argparse
import json
import pathlib
import random
import statistics
import sys
import tempfile
import time

from lsp_client import Server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/exactness"))
import broken_files  # noqa: E402
import corpora  # noqa: E402
from oracles import Jury, python_interpreters  # noqa: E402
from resident import Tenon  # noqa: E402

COMMENTS = ("//", "/*", "#", "--")


class Context:
    """What broken_files asks for."""

    def __init__(self, args, scratch):
        self.language, self.seed = args.language, args.seed
        self.tenon = Tenon(args.tenon, args.language, scratch, None, None)
        self.pythons = python_interpreters([])
        self.jury = Jury(args.language, argparse.Namespace(python=[], sqlite=[]), lambda words: print(words, file=sys.stderr))


def ask_all(args, context, gaps):
    tally = {"gaps": 0, "answered": 0, "exact": 0, "comment": 0, "earlier_error": 0, "more_error_nodes": 0, "more_than_true": 0}
    times, examples, silent = [], [], []
    nodes = broken_files.ErrorNodes(args.language)
    server = Server(args.tenon, args.model, args.budget_ms)
    unbroken = context.tenon.gaps([(g.text.encode(), *broken_files.bytes_cut(g.text, g.cut), b"") for g in gaps], close=True)
    for number, (gap, whole) in enumerate(zip(gaps, unbroken)):
        if "closing" not in whole:
            continue
        tally["gaps"] += 1
        around = gap.with_middle("", True).encode()
        begun = time.monotonic()
        middle = server.complete(args.language, f"file://{gap.path}#{number}", around, broken_files.bytes_cut(gap.broken, gap.broken_cut)[0])
        times.append((time.monotonic() - begun) * 1000)
        if middle is None:
            silent.append({"file": str(gap.path), "broken": gap.kind, "cut_out": gap.text[gap.cut[0] : gap.cut[1]],
                           "text": gap.broken[max(0, gap.broken_cut[0] - 160) : gap.broken_cut[0]] + "|" +
                                   gap.broken[gap.broken_cut[1] : gap.broken_cut[1] + 80]})
            continue
        tally["answered"] += 1
        middle = middle.decode()
        true_middle = gap.text[gap.cut[0] : gap.cut[1]]
        before, of_true, after = context.jury.first_errors([gap.with_middle(text, True).encode() for text in ("", true_middle, middle)])
        earlier = gap.earlier(after, middle, of_true, true_middle) and gap.earlier(after, middle, before, "")
        errors_before, errors_of_true, errors = [nodes.count(gap.with_middle(text, True)) if nodes else 0 for text in ("", true_middle, middle)]
        more = errors > errors_before
        tally["exact"] += middle.strip() == true_middle.strip()
        tally["comment"] += middle.strip().startswith(COMMENTS) and not true_middle.strip().startswith(COMMENTS)
        tally["earlier_error"] += earlier
        tally["more_error_nodes"] += more
        tally["more_than_true"] += more and errors > errors_of_true
        if earlier or more:
            examples.append({"file": str(gap.path), "broken": gap.kind, "at": gap.broken_cut[0], "middle": middle, "earlier": earlier,
                             "text": gap.broken[max(0, gap.broken_cut[0] - 160) : gap.broken_cut[0]]})
    return {**tally, "median_ms": round(statistics.median(times)) if times else None,
            "examples": examples[:20], "silent": silent[:20]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(broken_files.HALF_TYPED))
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--cuts", type=int, default=2, help="of a file")
    places = parser.add_mutually_exclusive_group()
    places.add_argument("--near", type=int, default=0, help="take one bracket or quote out of so many lines above the gap")
    places.add_argument("--half-typed", action="store_true", help="end the line above the gap's within its bracket")
    parser.add_argument("--model")
    parser.add_argument("--budget-ms", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tenon", default=str(pathlib.Path(__file__).resolve().parent.parent / "build/release/tenon"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        context = Context(args, scratch)
        paths = corpora.files(args.language, args.folder, args.files, random.Random(args.seed))
        breaks = None
        if args.near:
            breaks = lambda text, lines, rng: broken_files.break_near(text, lines, args.near, rng)
        elif args.half_typed:
            breaks = broken_files.break_line_above
        gaps = broken_files.make_gaps(context, paths, args.cuts, random.Random(args.seed), breaks)
        wholes = context.jury.ask([gap.with_middle(gap.text[gap.cut[0] : gap.cut[1]], True).encode() for gap in gaps])
        gaps = [gap for gap, verdict in zip(gaps, wholes) if context.jury.accepts(verdict) is False]
        print(json.dumps({"language": args.language, "model": args.model, **ask_all(args, context, gaps)}))


if __name__ == "__main__":
    main()
