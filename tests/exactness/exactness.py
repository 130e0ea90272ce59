#!/usr/bin/env python3
"""Compares a grammar of tenon's with the real parsers of its language.

Ten legs: `recall` (every file of a corpus that the real parser takes, and gaps cut out of it), `emission` (how much of such files tenon could
have written), `precision` (mutants of small texts), `generation` (random sentences of what tenon may write), `walks` (random walks through
gaps until they close), `suites` (recorded probes and the parsers' own tests), `regions` (gaps in files that are broken elsewhere), `seams`
(gaps that end inside a string or comment), `pieces` (gaps where people write), `beginnings` (of what people wrote there). Differences are
printed with a smallest example each. A parser that this machine lacks is skipped aloud.

  tests/exactness/exactness.py build/release/tenon --language python --corpus /usr/lib/python3
  tests/exactness/exactness.py build/release/tenon --language go --corpus "$(go env GOROOT)/src" --mutants 100000 --json report.json
  tests/exactness/exactness.py build/release/tenon --language sql --legs precision,suites --sqlite ./libsqlite3.so

Exit status: 0 where nothing wrong was accepted or written and nothing right refused, 1 otherwise, 2 for wrong usage.
"""
import argparse
import json
import pathlib
import sys
import tempfile
import time

import legs
from oracles import Jury, python_interpreters
from resident import Tenon

LANGUAGES = ("python", "go", "json", "jsonc", "sql", "java", "javascript", "javascriptreact", "typescript", "typescriptreact")
SHOWN_CHARACTERS = 400  # of an example; --json has it whole
LEGS = ("recall", "emission", "precision", "generation", "walks", "suites", "regions", "seams", "pieces", "beginnings")
WRONG = ("false accept", "false reject", "false accept in emission", "emitted but not accepted", "cut not viable", "cut not a member", "earlier error", "beginning not viable")


class Context:
    """What every leg needs."""

    def __init__(self, args, scratch):
        self.language = args.language
        self.seed = args.seed
        self.corpus = args.corpus
        root = pathlib.Path(__file__).resolve().parents[2]
        grammars = pathlib.Path(args.grammars) if args.grammars else root / "grammars"
        self.grammar = grammars / json.loads((grammars / "languages.json").read_text())[args.language]["grammar"]
        self.sentences = pathlib.Path(args.sentences) if args.sentences else pathlib.Path(args.tenon).resolve().parent / "tests/exactness/exactness_sentences"
        self.known = json.loads((root / "tests/exactness/known_differences.json").read_text()).get(args.language, {})  # name: why
        self.pythons = python_interpreters(args.python) if args.language == "python" else {}
        self.tenon = Tenon(args.tenon, args.language, scratch, args.grammars, args.tokenizer)
        self.jury = Jury(args.language, args, lambda words: print(words, file=sys.stderr))


def run(args, context):
    report = {"language": args.language, "seed": args.seed, "parsers": context.jury.parsers}
    for leg in args.legs:
        begin = time.monotonic()
        if leg == "recall":
            found = legs.recall(context, args.files, args.cuts) if args.corpus else {"skipped": "no --corpus"}
        elif leg == "emission":
            found = legs.emission(context, args.files, args.cuts) if args.corpus else {"skipped": "no --corpus"}
        elif leg == "walks":
            found = legs.walks(context, args.walks, args.walk_tokens or legs.WALK_TOKENS.get(args.language, legs.MOST_WALK_TOKENS))
        elif leg == "precision":
            found = legs.precision(context, args.mutants, args.least_valid)
        elif leg == "regions":
            found = legs.regions(context, args.files, args.cuts) if args.corpus else {"skipped": "no --corpus"}
        elif leg in ("seams", "pieces", "beginnings"):
            found = getattr(legs, leg)(context, args.files, args.cuts) if args.corpus else {"skipped": "no --corpus"}
        elif leg == "generation":
            found = legs.generation(context, args.sentences_count)
        else:
            found = legs.suites(context, 200 if args.short else None)
        report[leg] = {**found, "seconds": round(time.monotonic() - begin, 1)}
        show(leg, report[leg])
    return report


def show(leg, found):
    plain = {key: value for key, value in found.items() if not isinstance(value, dict)}
    print(f"{leg}: " + ", ".join(f"{key} {value}" for key, value in plain.items()))
    for key in ("by_kind", "never emitted because"):
        for name, value in found.get(key, {}).items():
            print(f"    {name}: {value}")
    for what, number in found.get("counts", {}).items():
        print(f"  {what}: {number}")
        for example in found["examples"][what]:
            print(f"    {example['text'][:SHOWN_CHARACTERS]!r}   {example['where'][:SHOWN_CHARACTERS]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tenon")
    parser.add_argument("--language", choices=LANGUAGES, required=True)
    parser.add_argument("--legs", type=lambda text: text.split(","), default=list(LEGS), help="some of " + ", ".join(LEGS))
    parser.add_argument("--corpus", action="append", default=[], metavar="FOLDER", help="files of the language; may be repeated")
    parser.add_argument("--files", type=int, default=0, help="at most so many files, drawn at random; 0: all")
    parser.add_argument("--cuts", type=int, default=2, help="gaps a file")
    parser.add_argument("--mutants", type=int, default=20000)
    parser.add_argument("--least-valid", type=float, default=0.2, help="share of mutants that must be valid")
    parser.add_argument("--sentences-count", type=int, default=10000, help="sentences of the generation leg")
    parser.add_argument("--walks", type=int, default=10000, help="texts of the walks leg")
    parser.add_argument("--walk-tokens", type=int, help="most tokens of a walk; 200, with jsonc 400")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", action="append", default=[], help="an interpreter beside those on the PATH and under pyenv")
    parser.add_argument("--sqlite", action="append", default=[], help="an SQLite library beside the system's")
    parser.add_argument("--grammars", help="a folder with languages.json, instead of the repository's")
    parser.add_argument("--tokenizer", help="the vocabulary of walks: a model, or a tokenizer.json, instead of the small model's")
    parser.add_argument("--sentences", help="the program exactness_sentences, where it is not beside tenon")
    parser.add_argument("--short", action="store_true", help="of the parsers' own tests at most 200, drawn at random")
    parser.add_argument("--tolerate", type=lambda text: text.split(","), default=[], metavar="KINDS",
                        help="differences that do not make the run fail, as `false accept`")
    parser.add_argument("--json", metavar="FILE", help="write the whole report there")
    args = parser.parse_args()
    if any(leg not in LEGS for leg in args.legs):
        parser.error(f"--legs takes some of {', '.join(LEGS)}")

    with tempfile.TemporaryDirectory() as scratch:
        context = Context(args, pathlib.Path(scratch))
        if not context.jury:
            print(f"skipped: no real parser of {args.language} is on this machine", file=sys.stderr)
            return 0
        report = run(args, context)
        context.tenon.close()
        context.jury.close()
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    wrong = [f"{number} {what} ({leg})" for leg in args.legs for what, number in report[leg].get("counts", {}).items()
             if what in WRONG and what not in args.tolerate]
    if wrong:  # the last line, so that a log cut short holds it
        print(f"failed: {args.language}: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
