#!/usr/bin/env python3
"""Blank lines below a line that lacks its comma, semicolon or bracket: is the sign found, and does the file parse with it?

    bench/missing_signs.py LANGUAGE FOLDER... [--files N] [--places N] [--model NAME] [--seed N]

In each file lines are drawn that end with `,`, `;` or `)`. The sign is taken away, and a blank line with the line's
indentation comes below it. `tenon --stdio` is asked there for the items of the list. Counted are the places at which the
real parser refuses the file without the sign (`places`), and of these

  answered     an item is offered
  with_sign    it says that a sign is missing
  same_sign    it is the one that was taken away, at the same place
  parses       the real parser takes the file with item and sign

Prints one JSON object, with examples of answered places where the sign is another one or the file does not parse.
"""

import argparse
import json
import pathlib
import random
import sys

from lsp_client import Server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/exactness"))
import corpora  # noqa: E402
from oracles import Jury  # noqa: E402

SIGNS = (b",", b";", b")")
LARGEST_BYTES = 40_000


def places_of(text, count, rng):
    """(offset of the sign, sign, text without it and with the blank line, cursor)"""
    lines = text.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    ends = [i for i, line in enumerate(lines[:-1]) if line.endswith(SIGNS) and line.strip() not in SIGNS]
    for i in rng.sample(ends, min(count, len(ends))):
        line = lines[i]
        blanks = line[: len(line) - len(line.lstrip())]
        sign_at = starts[i] + len(line) - 1
        before = text[:sign_at] + b"\n" + blanks
        yield sign_at, line[-1:], before + b"\n" + text[starts[i + 1] :], len(before)


def edited(text, cursor, item):
    """The text with the item and its sign, and the sign's place."""
    line = text[:cursor].rfind(b"\n") + 1
    begin = line + item["textEdit"]["range"]["start"]["character"]
    end = line + item["textEdit"]["range"]["end"]["character"]
    whole = text[:begin] + item["textEdit"]["newText"].encode() + text[end:]
    if "additionalTextEdits" not in item:
        return whole, None
    (edit,) = item["additionalTextEdits"]
    start, sign = edit["range"]["start"], edit["newText"].encode()
    at = sum(len(part) + 1 for part in text.split(b"\n")[: start["line"]]) + start["character"]
    return whole[:at] + sign + whole[at:], (at, sign)


def measure(args):
    jury = Jury(args.language, argparse.Namespace(python=[], sqlite=[]), lambda words: print(words, file=sys.stderr))
    rng = random.Random(args.seed)
    found = []
    for path in corpora.files(args.language, args.folder, args.files, rng):
        text = path.read_bytes()
        if len(text) <= LARGEST_BYTES and b"\r" not in text and text.isascii():
            found += [(path, *place) for place in places_of(text, args.places, rng)]
    verdicts = jury.ask([text for _, _, _, text, _ in found])
    found = [place for place, verdict in zip(found, verdicts) if jury.accepts(verdict) is False]
    server = Server(args.tenon, args.model, 60_000)
    tally = {"places": len(found), "answered": 0, "with_sign": 0, "same_sign": 0, "parses": 0}
    examples, wholes = [], []
    for number, (path, at, sign, text, cursor) in enumerate(found):
        item = server.list_item(args.language, f"file://{path}#{number}", text, cursor)
        if item is None:
            continue
        tally["answered"] += 1
        whole, written = edited(text, cursor, item)
        tally["with_sign"] += written is not None
        tally["same_sign"] += written == (at, sign)
        around = text[max(0, cursor - 120) : cursor] + b"|" + text[cursor : cursor + 60]
        wholes.append(whole)
        examples.append({"file": str(path), "sign": sign.decode(), "same": written == (at, sign), "text": around.decode(),
                         "offered": item["textEdit"]["newText"]})
    for example, verdict in zip(examples, jury.ask(wholes)):
        example["parses"] = jury.accepts(verdict) is True
        tally["parses"] += example["parses"]
    examples = [example for example in examples if not (example["same"] and example["parses"])]
    return {"language": args.language, "model": args.model, **tally, "examples": examples[:20]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(corpora.SUFFIXES))
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--places", type=int, default=2, help="of a file")
    parser.add_argument("--model")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tenon", default=str(pathlib.Path(__file__).resolve().parent.parent / "build/release/tenon"))
    print(json.dumps(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
