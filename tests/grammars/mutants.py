#!/usr/bin/env python3
"""Edits valid Python statements at random and compares tenon's two grammars with real parsers.

Statements of up to 12 lines are drawn from a folder's files, then a token is deleted, doubled, swapped, inserted or replaced, a blank
removed, the rest cut off, or a character deleted or inserted. For every mutant: `tenon check` against `ast.parse` of NEWEST, and what
`tenon check --emit` takes against `ast.parse` of NEWEST and OLDEST. Differences are printed shortest first.

  tests/grammars/mutants.py TENON FOLDER --newest python3.13 --oldest python3.9 [--count N] [--seed S]

Exit status: 1 where a mutant that could be written is refused by a real parser, 0 otherwise.
"""
import argparse
import ast
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings

warnings.simplefilter("ignore")

TOKEN = re.compile(
    r'''[rRbBuUfF]{0,2}(?:"""(?:[^\\]|\\.)*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|[A-Za-z_]\w*|\d[\w.]*'''
    r"""|\*\*=?|//=?|>>=?|<<=?|:=|->|[-+*/%@&|^=!<>]=|\.\.\.|\s+|#[^\n]*|.""", re.S)
INSERTED = ("( ) [ ] { } , : := = == * ** / // @ . ... -> ; ~ - + not in is if else elif for while async await lambda yield from import as del "
            "return raise global pass break try except finally with class def match case type _ None True and or 0 1j 1.5 0x1f b'a' 'a' "
            "f'{a}' += x y ! except* ' \" \"\"\" rb'x' 0o 1_ 0777 1e").split() + ["\n", "\n  ", "\t", "\n\t", "\\\n", " "]
CHARACTERS = "  \t\n\r\f\\\"'#(){}[]:;,.=*_01axeofrubN\u00e9$?!@%&|"
ORACLE = """
import ast, json, sys, warnings
warnings.simplefilter("ignore")
for text in json.load(sys.stdin):
    try:
        ast.parse(text)
        print(1)
    except (SyntaxError, ValueError):
        print(0)
"""


def statements(folder, count, rng):
    paths = sorted(pathlib.Path(folder).rglob("*.py"))
    rng.shuffle(paths)
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        lines = text.split("\n")
        nodes = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.end_lineno - n.lineno < 12]
        for node in rng.sample(nodes, min(8, len(nodes))):
            found.append(textwrap.dedent("\n".join(lines[node.lineno - 1:node.end_lineno])) + "\n")
        if len(found) >= count:
            break
    return found


def mutate(text, pool, rng):
    tokens = TOKEN.findall(text)
    at = rng.randrange(len(tokens))
    kind = rng.randrange(9)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens.insert(at, tokens[at])
    elif kind == 2:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 3:
        tokens.insert(at, rng.choice(INSERTED))
    elif kind == 4:
        tokens[at] = rng.choice(INSERTED if rng.random() < 0.7 else pool)
    elif kind == 5:
        blanks = [i for i, token in enumerate(tokens) if token.isspace()]
        if blanks:
            del tokens[rng.choice(blanks)]
    elif kind == 6:
        del tokens[at + 1:]
    else:
        whole = "".join(tokens)
        at = rng.randrange(len(whole) + 1)
        tokens = [whole[:at], rng.choice(CHARACTERS) if kind == 7 else "", whole[at + (kind == 8):]]
    return "".join(tokens)


def tenon_takes(tenon, paths, *options):
    taken = []
    for begin in range(0, len(paths), 500):
        command = [tenon, "check", "--json", "--language", "python", *options, *paths[begin:begin + 500]]
        output = subprocess.run(command, capture_output=True).stdout.decode("utf-8", "replace")
        taken += [json.loads(line)["valid"] for line in output.splitlines()]
    return taken


def parser_takes(python, texts):
    done = subprocess.run([python, "-c", ORACLE], input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [verdict == "1" for verdict in done.stdout.split()]


def show(title, texts):
    print(f"{title}: {len(texts)}")
    for text in sorted(texts, key=len)[:10]:
        print(f"    {text[:200]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tenon")
    parser.add_argument("folder")
    parser.add_argument("--newest", default=sys.executable)
    parser.add_argument("--oldest", default=sys.executable)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)

    whole = [text for text in statements(args.folder, args.count // 20 + 1, rng) if text.strip()]
    pool = [token for text in whole for token in TOKEN.findall(text) if not token.isspace()]
    mutants = list(dict.fromkeys(mutate(rng.choice(whole), pool, rng) for _ in range(args.count)))
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{i}.py" for i in range(len(mutants))]
        for path, text in zip(paths, mutants):
            pathlib.Path(path).write_bytes(text.encode("utf-8"))
        accepted = tenon_takes(args.tenon, paths)
        written = tenon_takes(args.tenon, paths, "--emit")
    newest, oldest = parser_takes(args.newest, mutants), parser_takes(args.oldest, mutants)

    print(f"seed {args.seed}: {len(mutants)} mutants, {sum(newest)} of them valid, {sum(written)} could be written")
    show("accepted, refused by the newest parser", [m for m, ours, real in zip(mutants, accepted, newest) if ours and not real])
    show("refused, accepted by the newest parser", [m for m, ours, real in zip(mutants, accepted, newest) if real and not ours])
    bad = [m for m, ours, new, old in zip(mutants, written, newest, oldest) if ours and not (new and old)]
    show("could be written, refused by a parser", bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
