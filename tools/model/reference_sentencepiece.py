"""Compares tenon's sentencepiece vocabularies with PyPI's `sentencepiece`, and makes the golden models of the tests.

    reference_sentencepiece.py compare TOKENIZE_FILES MODEL FOLDER [COUNT]
    reference_sentencepiece.py golden TOKENS.jsonl OUT_FOLDER
    reference_sentencepiece.py vocabulary MODEL.gguf OUT.gguf

compare: tokens of COUNT (1,000) files below FOLDER, the same choice every time, by tenon (build/release/tests/model/tokenize_files) and
by sentencepiece; MODEL is a tokenizer.model or a GGUF file. Also checks that the tokens inside a text spell the file.
golden: trains small models on the texts and writes what sentencepiece makes of these texts, for tests/model/text.
vocabulary: copies the metadata of the tokenizer into a GGUF file without tensors.

Needs sentencepiece 0.2.1 with protobuf, and gguf for GGUF files.
"""

import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import sentencepiece as spm

from reference_hashes import fnv1a

SPACE = "\u2581"
MAX_BYTES = 200_000
# What each golden model is for: byte fallback with texts as they stand (Llama's kind), the same by scores of whole texts, and
# one that changes texts and lacks characters (T5's kind).
COMMON = {"add_dummy_prefix": True, "num_threads": 1, "minloglevel": 2, "max_sentence_length": 100_000, "hard_vocab_limit": False}
VERBATIM = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False, "byte_fallback": True, "split_digits": True, "character_coverage": 0.999}
GOLDEN = {
    "bpe": {"model_type": "bpe", "vocab_size": 700, "user_defined_symbols": ["<tool>", "\n\n", SPACE * 4, "== "], "allow_whitespace_only_pieces": True,
            **VERBATIM},
    "unigram": {"model_type": "unigram", "vocab_size": 800, "user_defined_symbols": ["<tool>", "\t\t", SPACE * 2], **VERBATIM},
    "changing": {"model_type": "unigram", "vocab_size": 300, "control_symbols": ["<mask>"], "character_coverage": 0.98},
}
# Code point sequences and what they become, for the model `changing`: ligatures, wide letters, blanks of all sorts, nothing.
RULES = {"\ufb01": "fi", "\uff21": "A", "\uff22": "B", "\u00a0": " ", "\u3000": " ", "\t": " ", "\u200b": "", "e\u0301": "\u00e9", "...": "\u2026"}
HARD_TEXTS = [
    "", " ", "  ", "   x", "x   ", "\n", "\n\n\n", "\t\t\t\t", "a\u0000b", "\u2581", " \u2581 ", "\u2581\u2581x", "== ==", "x ==  y", "<tool>",
    "a<tool><tool >b", "<s></s><unk>", "<0x41>", "\ufb01\uff21 \u00a0e\u0301...", "\u200b", "\U0001f600\U0001f468\u200d\U0001f469", "\u00e9 e\u0301",
    "\ufeffx", "\uffff\ufffd", "12345 0x7f", "\u4e2d\u6587 \u65e5\u672c\u8a9e", "\u0301\u0301", "\r\n\r", "    def f(a, b):\n        return a\n", "x" * 300,
]


def processor_of(path: Path) -> spm.SentencePieceProcessor:
    if path.suffix != ".gguf":
        return spm.SentencePieceProcessor(model_file=str(path))
    from gguf import GGUFReader
    from sentencepiece import sentencepiece_model_pb2 as pb2

    fields = GGUFReader(path).fields
    value = lambda key, default=None: fields[key].contents() if key in fields else default
    proto = pb2.ModelProto()
    names, scores, kinds = (value(f"tokenizer.ggml.{key}") for key in ("tokens", "scores", "token_type"))
    if 2 not in kinds:  # some files give the unknown token the kind of a control token
        kinds[value("tokenizer.ggml.unknown_token_id")] = 2
    for name, score, kind in zip(names, scores, kinds, strict=True):
        proto.pieces.add(piece=name.replace(" ", SPACE) if kind == 4 else name, score=score, type=kind)
    proto.trainer_spec.model_type = pb2.TrainerSpec.BPE
    proto.trainer_spec.byte_fallback = 6 in kinds
    proto.normalizer_spec.name = "identity"
    proto.normalizer_spec.add_dummy_prefix = value("tokenizer.ggml.add_space_prefix", True)
    proto.normalizer_spec.remove_extra_whitespaces = value("tokenizer.ggml.remove_extra_whitespaces", False)
    return spm.SentencePieceProcessor(model_proto=proto.SerializeToString())


def chosen_files(folder: Path, count: int) -> list:
    """Readable texts, in an order that only their paths decide."""
    found = []
    paths = [path for path in folder.rglob("*") if path.is_file() and 0 < path.stat().st_size <= MAX_BYTES]
    for path in sorted(paths, key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest()):
        try:
            path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if "\n" in str(path):
            continue
        found.append(path)
        if len(found) == count:
            break
    return found


def compare(program: str, model: str, folder: str, count: str = "1000") -> None:
    processor = processor_of(Path(model))
    files = chosen_files(Path(folder), int(count))
    with tempfile.TemporaryFile("w+") as paths:
        paths.write("".join(f"{path}\n" for path in files))
        paths.seek(0)
        rows = subprocess.run([program, model], stdin=paths, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    tokens = differing = not_spelled = octets = 0
    for path, row in zip(files, rows, strict=True):
        spelled, *ids = row.split()
        text = path.read_bytes()
        expected = processor.encode(text.decode("utf-8"))
        if list(map(int, ids)) != expected:
            differing += 1
            print(f"{path}: differs from sentencepiece")
        not_spelled += spelled != "spelled"
        tokens += len(expected)
        octets += len(text)
    print(f"{len(files)} files, {octets} bytes, {tokens} tokens: {differing} differ from sentencepiece, {not_spelled} not spelled inside a text")
    sys.exit(1 if differing else 0)


def golden(texts_path: str, out: str) -> None:
    folder = Path(out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    rows = list(map(json.loads, Path(texts_path).read_text(encoding="utf-8").splitlines()))
    with tempfile.TemporaryDirectory() as scratch:
        rules = Path(scratch, "rules.tsv")
        os.chdir(scratch)
        hexed = lambda text: " ".join(f"{ord(c):X}" for c in text)
        rules.write_text("".join(f"{hexed(key)}\t{hexed(value)}\n" for key, value in RULES.items()))
        lines = [line for row in rows for line in row["text"].split("\n") if line.strip()]
        random.Random(1).shuffle(lines)
        for name, options in GOLDEN.items():
            if name == "changing":
                options = {"normalization_rule_tsv": rules.name, **options}
            model = io.BytesIO()  # no path, which the file would name
            spm.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, **COMMON, **options)
            (folder / f"{name}.model").write_bytes(model.getvalue())
    with open(folder / "tokens.jsonl", "w", encoding="utf-8") as out_rows:
        for name in GOLDEN:
            processor = processor_of(folder / f"{name}.model")
            for number, row in enumerate(rows):
                ids = processor.encode(row["text"])
                out_rows.write(json.dumps({"model": name, "file": number, "name": row["name"], "count": len(ids), "hash": fnv1a(ids)}) + "\n")
            for text in HARD_TEXTS:
                out_rows.write(json.dumps({"model": name, "text": text, "ids": processor.encode(text)}) + "\n")


def vocabulary(model: str, out: str) -> None:
    from gguf import GGUFReader, GGUFValueType, GGUFWriter

    writer = GGUFWriter(out, "llama")
    for key, field in GGUFReader(model).fields.items():
        if not key.startswith("tokenizer.ggml."):
            continue
        kind = field.types[0]
        if kind == GGUFValueType.ARRAY:
            writer.add_key_value(key, field.contents(), kind, sub_type=field.types[-1])
        else:
            writer.add_key_value(key, field.contents(), kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    commands = {"compare": compare, "golden": golden, "vocabulary": vocabulary}
    if len(sys.argv) < 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
