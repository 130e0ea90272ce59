"""Writes tests/model/golden/tokens.jsonl: real files and their tokens by Hugging Face's `tokenizers`.

    reference_tokens.py MODEL.gguf PYTHON_LIB OUT.jsonl

PYTHON_LIB is the library folder of a CPython installation with its test suite (…/lib/python3.11). Needs gguf and
tokenizers. One line a file: {"name", "text", "ids"}.
"""

import json
import sys
from pathlib import Path

from gguf import GGUFReader
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

FILES = 50
MIN_BYTES, MAX_BYTES = 1_500, 9_000
# Kinds of text that differ for a tokenizer: code, C, prose in many scripts, markup, data.
PATTERNS = [
    ("*.py", 20),
    ("asyncio/*.py", 3),
    ("email/*.py", 3),
    ("idlelib/*.py", 2),
    ("test/cjkencodings/*utf8.txt", 6),
    ("test/test_unicode_identifiers.py", 1),
    ("test/test_[f-u]*.py", 6),
    ("test/*.txt", 3),
    ("test/*.xml", 1),
    ("encodings/*.py", 2),
    ("../../include/python3.11/*.h", 5),
]


def independent_tokenizer(path: Path) -> Tokenizer:
    fields = GGUFReader(path).fields
    names = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def readable(path: Path) -> bool:
    if not MIN_BYTES <= path.stat().st_size <= MAX_BYTES and "cjkencodings" not in str(path):
        return False
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def chosen_files(library: Path) -> list:
    chosen = []
    for pattern, count in PATTERNS:
        matches = [path for path in sorted(library.glob(pattern)) if path not in chosen and readable(path)]
        step = max(1, len(matches) // count)
        chosen += matches[::step][:count]
    if len(chosen) != FILES:
        sys.exit(f"{library}: {len(chosen)} fitting files instead of {FILES}; is the test suite installed?")
    return chosen


def main(model: str, library: str, out: str) -> None:
    tokenizer = independent_tokenizer(Path(model))
    with open(out, "w", encoding="utf-8") as lines:
        for path in chosen_files(Path(library)):
            text = path.read_bytes().decode("utf-8")
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            row = {"name": path.name, "text": text, "ids": ids}
            lines.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
