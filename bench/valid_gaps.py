#!/usr/bin/env python3
"""Gaps in valid files, where people write: how many does the server answer, and does the real parser take the file with the answer?

    bench/valid_gaps.py LANGUAGE FOLDER... [--files N] [--model NAME] [--budget-ms N] [--seed N]

LANGUAGE is that of tests/exactness, whose real parsers judge (NODE_PATH as there). In each file one gap of each kind of the leg
`pieces` is cut: the head of a construct, the rest of a line, a piece inside it, whole lines, a line that closes brackets.
`tenon --stdio` is asked as by a person, and the first item is accepted. Prints one JSON object, with examples of refused, of
missing and of slow answers.
"""

import argparse
import json
import pathlib
import random
import statistics
import sys
import time

from lsp_client import Server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/exactness"))
import corpora  # noqa: E402
import legs  # noqa: E402
from oracles import Jury  # noqa: E402


SLOW_MS = 5000  # of an answer


class Gaps:
    def __init__(self, args):
        self.args, self.rng = args, random.Random(args.seed)
        self.jury = Jury(args.language, argparse.Namespace(python=[], sqlite=[]), lambda words: print(words, file=sys.stderr))

    def accepts(self, text):
        return self.jury.accepts(self.jury.ask([text])[0])

    def __iter__(self):
        for path in corpora.files(self.args.language, self.args.folder, self.args.files, self.rng):
            text = corpora.text_of(self.args.language, path, self.rng)
            if len(text) <= self.args.max_bytes and self.accepts(text):
                for cut in legs.cuts_of_pieces(self.args.language, text, 1, self.rng):
                    yield path, text, *cut


def shown(path, text, begin, end, kind, middle=None):
    around = {"left": text[max(0, begin - 160):begin], "cut_out": text[begin:end], "right": text[end:end + 160]}
    example = {"file": str(path), "kind": kind, **{name: part.decode(errors="replace") for name, part in around.items()}}
    return example if middle is None else {**example, "middle": middle.decode()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(corpora.SUFFIXES))
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--max-bytes", type=int, default=40000, help="of a file")
    parser.add_argument("--model")
    parser.add_argument("--budget-ms", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--tenon", default=str(pathlib.Path(__file__).resolve().parent.parent / "build/release/tenon"))
    args = parser.parse_args()
    gaps = Gaps(args)
    server = Server(args.tenon, args.model, args.budget_ms)
    times, refused, silent, slow = [], [], [], []
    for path, text, begin, end, kind in gaps:
        begun = time.monotonic()
        offered = server.offer(args.language, f"file://{path}#{len(times)}", text[:begin] + text[end:], begin)
        times.append((time.monotonic() - begun) * 1000)
        if times[-1] > SLOW_MS:
            slow.append({"ms": round(times[-1]), **shown(path, text, begin, end, kind)})
        if offered is None:
            silent.append(shown(path, text, begin, end, kind))
            continue
        middle, replaced = offered
        if not gaps.accepts(text[:begin] + middle + text[end + replaced:]):
            refused.append(shown(path, text, begin, end, kind, middle))
    print(json.dumps({"language": args.language, "model": args.model, "gaps": len(times), "answered": len(times) - len(silent),
                      "refused": len(refused), "median_ms": round(statistics.median(times)), "refused_examples": refused[:20],
                      "silent": silent[:20], "slow": sorted(slow, key=lambda example: -example["ms"])[:20]}))


if __name__ == "__main__":
    main()
