"""Writes tests/model/golden/tokens_qwen3.jsonl: what Hugging Face's `tokenizers` makes of the texts of tokens.jsonl, as hashes.

    reference_hashes.py TOKENIZER.json TOKENS.jsonl OUT.jsonl

One line a text: {"name", "count", "hash"}; the hash is FNV-1a with 64 bits over the ids, four little-endian bytes each. Needs
tokenizers.
"""

import json
import sys


def fnv1a(ids: list) -> str:
    value = 0xCBF29CE484222325
    for token in ids:
        for byte in token.to_bytes(4, "little"):
            value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def main(tokenizer_path: str, texts: str, out: str) -> None:
    from tokenizers import Tokenizer  # only here: reference_sentencepiece.py takes fnv1a alone

    tokenizer = Tokenizer.from_file(tokenizer_path)
    # tenon gives every text's bytes back, so it runs no normalizer; one text here is not in NFC.
    tokenizer.normalizer = None
    with open(texts, encoding="utf-8") as rows, open(out, "w", encoding="utf-8") as lines:
        for row in map(json.loads, rows):
            ids = tokenizer.encode(row["text"], add_special_tokens=False).ids
            lines.write(json.dumps({"name": row["name"], "count": len(ids), "hash": fnv1a(ids)}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
