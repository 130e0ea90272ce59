"""Writes tests/model/golden/tokenizers: small tokenizer.json files of each kind, and what Hugging Face's `tokenizers` makes of texts.

    reference_tokenizers.py TOKENS.jsonl OUT_FOLDER

The vocabularies are trained on texts of tokens.jsonl: `llama3` and `qwen2` with the expressions of these models, `starcoder` with
digits cut first, `deepseek-coder` with its row of cuts, `llama2`, `metaspace` and `gemma` with byte fallback and spaces as U+2581. texts.jsonl has 60 texts that are hard to cut and 6
real ones by their names in TOKENS.jsonl, each with the number of tokens and hashes of the ids: markers as text, and as tokens. A second run writes
the same bytes. Needs tokenizers 0.22.
"""

import json
import sys
from pathlib import Path

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from compare_tokens import QWEN2, hard_texts, tokenizer_of_json
from reference_hashes import fnv1a

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
# Line ends, words, punctuation, East Asian text: each cuts what the ones before it have left.
DEEPSEEK_CODER = ["[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"]
MARKERS = ["<|endoftext|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"]
TOKENS = 700
SPACE = "\u2581"


def byte_level(first: list, by_gpt2: bool, texts: list) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(first + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=by_gpt2)])
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=TOKENS, initial_alphabet=alphabet, special_tokens=MARKERS, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_tokens(["<tool_call>"])
    return tokenizer


def split(pattern: str) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Split(Regex(pattern), behavior="isolated", invert=False)


def with_bytes(texts: list) -> dict:
    """A tokenizer.json with byte fallback; words are never crossed in training."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    names = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=TOKENS, special_tokens=names, limit_alphabet=120, show_progress=False))
    file = json.loads(tokenizer.to_str())
    file["added_tokens"] = file["added_tokens"][:3]
    file["pre_tokenizer"] = None
    return file


def main(tokens_path: str, out: Path) -> None:
    rows = [json.loads(line) for line in open(tokens_path, encoding="utf-8")]
    texts = [row["text"] for row in rows[:12]]
    llama3 = byte_level([split(LLAMA3)], False, texts)
    llama3.post_processor = processors.TemplateProcessing(
        single="<|endoftext|> $A", pair="<|endoftext|> $A $B", special_tokens=[("<|endoftext|>", 0)])
    files = {"llama3": json.loads(llama3.to_str())}
    files["llama3"]["model"]["ignore_merges"] = True
    # A whole token that no merges make.
    files["llama3"]["model"]["vocab"]["\u0120zebra"] = TOKENS
    files["llama3"]["added_tokens"][-1]["id"] = TOKENS + 1
    qwen2 = byte_level([split(QWEN2)], False, texts)
    qwen2.normalizer = normalizers.NFC()
    files["qwen2"] = json.loads(qwen2.to_str())
    files["starcoder"] = json.loads(byte_level([pre_tokenizers.Digits(individual_digits=True)], True, texts).to_str())
    cuts = [split(pattern) for pattern in DEEPSEEK_CODER] + [pre_tokenizers.Digits(individual_digits=True)]
    deepseek = byte_level(cuts, False, texts)
    deepseek.normalizer = normalizers.Sequence([])
    files["deepseek-coder"] = json.loads(deepseek.to_str())
    files["llama2"] = with_bytes(texts)
    files["llama2"]["normalizer"] = json.loads(
        '{"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}, '
        '{"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]}')
    files["metaspace"] = with_bytes(texts)
    files["metaspace"]["pre_tokenizer"] = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "first", "split": False}
    files["gemma"] = with_bytes(texts)
    files["gemma"]["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
    # Of a normalized text it cuts nothing.
    files["gemma"]["pre_tokenizer"] = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
    out.mkdir(exist_ok=True)
    for name, file in files.items():
        (out / f"{name}.json").write_text(json.dumps(file, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    tokenizers = {name: [tokenizer_of_json(out / f"{name}.json", marked) for marked in (False, True)] for name in files}
    hard = [{"text": text + " zebra zebras"} for text in hard_texts(60, 7)]
    real = [{"name": row["name"], "text": row["text"]} for row in rows[12:18]]
    with open(out / "texts.jsonl", "w", encoding="utf-8") as lines:
        for row in hard + real:
            answers = {}
            for name, (plain, marked) in tokenizers.items():
                ids = [tokenizer.encode(row["text"], add_special_tokens=False).ids for tokenizer in (plain, marked)]
                answers[name] = {"count": len(ids[0]), "hash": fnv1a(ids[0]), "hash_with_markers": fnv1a(ids[1])}
            kept = {"name": row["name"]} if "name" in row else {"text": row["text"]}
            lines.write(json.dumps({**kept, "answers": answers}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
