#!/usr/bin/env python3
"""Compares `tenon check` with the real parser on every file of a corpus.

A verdict of tenon's is asked for each file with a suffix of the language; the real parser is `ast.parse` of a CPython of your
choice, or `json.loads` (without NaN and Infinity) for JSON. Printed: how many files the real parser takes, how many of them tenon
takes, each file on which they differ with tenon's message, and the time that `tenon check` took in all.

  tools/check_corpus.py build/release/tenon /usr/lib/python3 --python python3.13
  tools/check_corpus.py build/release/tenon FOLDER --language json
  tools/check_corpus.py build/release/tenon FOLDER --emit      files that tenon could have written itself

Exit status: 0 where nothing differs (with --emit: where tenon takes no file that the parser refuses), 1 otherwise, 2 for wrong usage.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

SUFFIXES = {"python": (".py", ".pyi"), "json": (".json",)}
BATCH = 200  # files a call: keeps the command line short

# Runs in the interpreter under test: a path a line on standard input, a verdict a line on standard output.
PYTHON_ORACLE = """
import ast, sys, warnings
warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
for path in sys.stdin.buffer.read().split(b"\\n")[:-1]:
    try:
        ast.parse(open(path, "rb").read())
        print("valid")
    except (SyntaxError, ValueError):
        print("invalid")
    except (RecursionError, MemoryError):
        print("unknown")
"""


def json_is_valid(path):
    def refuse(constant):
        raise ValueError(constant)

    try:
        json.loads(path.read_bytes().decode("utf-8"), parse_constant=refuse)
        return "valid"
    except RecursionError:
        return "unknown"
    except ValueError:
        return "invalid"


def real_verdicts(args, paths):
    if args.language == "json":
        return [json_is_valid(path) for path in paths]
    lines = "".join(f"{path}\n" for path in paths)
    done = subprocess.run([args.python, "-c", PYTHON_ORACLE], input=lines, capture_output=True, text=True, check=True)
    return done.stdout.split()


def tenon_verdicts(args, paths):
    command = [args.tenon, "check", "--json", "--language", args.language] + (["--emit"] if args.emit else [])
    verdicts = []
    for begin in range(0, len(paths), BATCH):
        batch = [str(path) for path in paths[begin:begin + BATCH]]
        done = subprocess.run(command + batch, capture_output=True)
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        if done.returncode not in (0, 1) or len(lines) != len(batch):
            sys.exit(f"tenon check failed ({done.returncode}): {done.stderr.decode('utf-8', 'replace')}")
        verdicts += [json.loads(line) for line in lines]
    return verdicts


def corpus(args):
    found = sorted(p for p in pathlib.Path(args.folder).rglob("*")
                   if p.suffix in SUFFIXES[args.language] and p.is_file() and "\n" not in str(p))
    if args.files and args.files < len(found):
        found = sorted(random.Random(args.seed).sample(found, args.files))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tenon")
    parser.add_argument("folder")
    parser.add_argument("--language", choices=sorted(SUFFIXES), default="python")
    parser.add_argument("--python", default=sys.executable, help="the interpreter whose ast.parse decides")
    parser.add_argument("--emit", action="store_true", help="check against the stricter grammar that completions obey")
    parser.add_argument("--files", type=int, default=0, help="at most so many, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    paths = corpus(args)
    if not paths:
        parser.error(f"no file ending in {' or '.join(SUFFIXES[args.language])} under {args.folder}")
    real = real_verdicts(args, paths)
    begin = time.monotonic()
    ours = tenon_verdicts(args, paths)
    seconds = time.monotonic() - begin

    known = [(path, theirs, verdict) for path, theirs, verdict in zip(paths, real, ours) if theirs != "unknown"]
    valid = sum(theirs == "valid" for _, theirs, _ in known)
    missed = [(path, verdict) for path, theirs, verdict in known if theirs == "valid" and not verdict["valid"]]
    wrong = [(path, verdict) for path, theirs, verdict in known if theirs == "invalid" and verdict["valid"]]
    for path, verdict in missed:
        print(f"missed   {path}:{verdict['line']}:{verdict['column']}: {verdict['message']}")
    for path, _ in wrong:
        print(f"accepted {path}, which the parser refuses")
    megabytes = sum(path.stat().st_size for path in paths) / 1e6
    share = 100 * (valid - len(missed)) / valid if valid else 100
    print(f"{len(paths)} files, {megabytes:.1f} MB, {seconds:.1f} s; the parser takes {valid}, tenon {valid - len(missed)} of them"
          f" ({share:.2f} %); wrongly accepted {len(wrong)}; not decided {len(paths) - len(known)}")
    return 1 if wrong or (missed and not args.emit) else 0


if __name__ == "__main__":
    sys.exit(main())
