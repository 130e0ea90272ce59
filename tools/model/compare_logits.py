"""Compares all logits of tenon's kernels with another computation of the same file.

    compare_logits.py MODEL.gguf TOKENS.jsonl [--with numpy|torch] [--prompts 5] [--tokens 200] [--precision f32] [--most 0.005]

numpy is an independent computation in float64 (reference_logits.py), torch is tenon's engine on libtorch's operators.

The prompts are the first tokens of the longest texts of tests/model/golden/tokens.jsonl, cut by tenon; every logit after a
prompt's first, fourth, middle and last token is compared. Exit status 1: one differs by more than --most.

Needs gguf, numpy, and build/release/tests/model/continue_prompts and tokenize_files. The model's weights take 4 bytes a
parameter here and there.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from reference_logits import Llama

PROGRAMS = Path(__file__).resolve().parent.parent.parent / "build/release/tests/model"


def prompts(model: Path, texts: Path, count: int, length: int) -> list:
    rows = [json.loads(line)["text"] for line in texts.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as scratch:
        paths = [Path(scratch, f"{number}.txt") for number in range(len(rows))]
        for path, text in zip(paths, rows):
            path.write_bytes(text.encode())
        listed = "".join(f"{path}\n" for path in paths)
        answer = subprocess.run([PROGRAMS / "tokenize_files", model], input=listed, stdout=subprocess.PIPE, check=True, text=True)
    tokens = [list(map(int, row.split()[1:])) for row in answer.stdout.splitlines()]
    tokens = sorted((ids for ids in tokens if len(ids) >= length), key=len, reverse=True)
    if len(tokens) < count:
        sys.exit(f"{texts}: {len(tokens)} texts have {length} tokens; ask for fewer --prompts or --tokens")
    return [ids[:length] for ids in tokens[:count]]


def logits_of(model: Path, computation: str, chosen: list, positions: list) -> list:
    """All logits after each position of each prompt."""
    if computation == "numpy":
        reference = Llama(str(model))
        return [row for ids in chosen for row in reference.logits(ids, positions)]
    requests = [{"ids": ids[: position + 1], "tokens": 1, "logits": True} for ids in chosen for position in positions]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    answer = subprocess.run([PROGRAMS / "continue_prompts", model, computation], input=lines, stdout=subprocess.PIPE, check=True, text=True)
    return [np.array(json.loads(row)["logits"]) for row in answer.stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--prompts", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--with", dest="reference", default="numpy", choices=["numpy", "torch"])
    parser.add_argument("--precision", default="f32", choices=["auto", "f32", "bf16", "blocks"])
    parser.add_argument("--most", type=float, default=0.005)
    options = parser.parse_args()
    positions = [0, 3, options.tokens // 2, options.tokens - 1]
    chosen = prompts(options.model, options.texts, options.prompts, options.tokens)
    places = [(len(ids), position) for ids in chosen for position in positions]
    mine = logits_of(options.model, options.precision, chosen, positions)
    reference = logits_of(options.model, options.reference, chosen, positions)
    largest, total, count, same_first = 0.0, 0.0, 0, 0
    for (length, position), ours, theirs in zip(places, mine, reference, strict=True):
        difference = np.abs(ours - theirs)
        largest = max(largest, float(difference.max()))
        total, count = total + float(difference.sum()), count + len(difference)
        same_first += int(ours.argmax() == theirs.argmax())
        print(f"prompt of {length} tokens, after {position + 1}: {difference.max():.6f} at most", flush=True)
    print(
        f"{options.model.stem}, {options.precision}: {count} logits of {len(chosen) * len(positions)} positions differ by {largest:.6f} at most,"
        f" {total / count:.6f} on average; {same_first} positions have the same first token")
    return 0 if largest <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
