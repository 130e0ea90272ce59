#!/usr/bin/env python3
"""Gaps in valid files: of how many does tenon take the file for one that is broken elsewhere?

    bench/valid_regions.py LANGUAGE FOLDER... [--files N] [--max-bytes N] [--seed N] [--tenon PROGRAM]

A region answers where no text of tenon's own joins both sides of the cursor in the whole file, and where the lines above look as
if a bracket were missing there (server/region/missing_brackets.h). In a valid file nothing is missing, and what a region proves may
leave the file open. LANGUAGE is that of tests/exactness. In each file one gap of each kind of the leg `pieces` is cut. `tenon gap
--batch` says whether a text closes the whole file, and whether a region comes first. No model is asked.

Prints one JSON object: gaps, those of a region, those of a region where a text would close the whole file, and examples of these.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/exactness"))
import corpora  # noqa: E402
import legs  # noqa: E402


def answers(tenon, language, gaps, region):
    """Of `tenon gap --batch`, an object a gap."""
    lines = "".join(json.dumps({"text": left + right, "language": language, "at": [len(left.encode())] * 2, "emit": True, "close": True,
                                "region": region}) + "\n" for left, right, _ in gaps)
    out = subprocess.run([tenon, "gap", "--batch"], input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(corpora.SUFFIXES))
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--max-bytes", type=int, default=40000, help="of a file")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--tenon", default=str(pathlib.Path(__file__).resolve().parent.parent / "build/release/tenon"))
    args = parser.parse_args()
    rng = random.Random(args.seed)
    gaps = []
    for path in corpora.files(args.language, args.folder, args.files, rng):
        text = corpora.text_of(args.language, path, rng)
        if len(text) > args.max_bytes:
            continue
        for begin, end, kind in legs.cuts_of_pieces(args.language, text, 1, rng):
            gaps.append((text[:begin].decode(), text[end:].decode(), f"{path}, {kind}"))
    in_regions = answers(args.tenon, args.language, gaps, True)
    in_files = answers(args.tenon, args.language, gaps, False)
    needless = [{"where": where, "left": left[-200:], "right": right[:160], "closing": whole["closing"], "region": found["region"]}
                for (left, right, where), found, whole in zip(gaps, in_regions, in_files)
                if "region" in found and "closing" in whole and "seam" not in whole]
    print(json.dumps({"language": args.language, "gaps": len(gaps), "regions": sum("region" in found for found in in_regions),
                      "though_a_text_closes_the_file": len(needless), "examples": needless[:20]}))


if __name__ == "__main__":
    main()
