"""Compares tenon's byte-level tokens with Hugging Face's `tokenizers`, on real files and on texts that are hard to cut.

    compare_tokens.py MODEL FOLDER… [--count 1000] [--texts 2000] [--seed 1]
    compare_tokens.py MODEL --texts 100 --golden OUT.jsonl

MODEL is a GGUF file or a tokenizer.json. The vocabulary of a GGUF file goes with the regular expressions of the models' tokenizer.json.
The texts:
- COUNT files below the folders, as many of each of eight kinds, the same choice every time;
- TEXTS random ones, of mixed scripts, line ends of all sorts, runs of blanks, digits, joined emoji, control characters, lone
  combining marks, contractions and markers;
- each character of Unicode's planes 0, 1 and 14, and each 64th of the others, between letters, digits, blanks and itself.

Markers in files and random texts are encoded as plain text, and once more as control tokens. Qwen's normalizer (NFC) is run on
neither side: tenon has to spell the file as it is. --golden writes the random texts with the hashes of what tokenizers makes of
them, for a test of tests/model, and compares nothing. Exit status 1: tokens differ, or do not spell the text.

Needs tokenizers, gguf for a GGUF file, and build/release/tests/model/tokenize_files.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers

from reference_hashes import fnv1a

PROGRAM = Path(__file__).resolve().parent.parent.parent / "build/release/tests/model/tokenize_files"
MAX_BYTES = 100_000
KINDS = {
    "Python": [".py"], "Go": [".go"], "C and C++": [".h", ".c", ".cpp"], "JavaScript": [".js", ".mjs", ".ts"],
    "Perl": [".pl", ".pm"], "SQL": [".sql"], "Markdown": [".md"], "JSON": [".json"],
}
CONTROL, USER_DEFINED = 3, 4
CHARACTERS_A_TEXT = 512
EACH_CHARACTER = "each character"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
HARD_PIECES = [
    "word", "Straße", "naïve", "中文", "日本語の", "한국어", "العربية", "हिन्दी", "ไทย", "Ελληνικά", "עברית", "𝔘𝔫𝔦", "ǅ", "İi", "ſ", "K",
    "\n", "\r\n", "\r", "\n\n\n", "\r\n\r\n", "\n\r", " ", "  ", " " * 7, " " * 64, " " * 300, "\t", "\t\t\t", " \t ", "\v", "\f", "\u00a0", "\u1680",
    "\u180e", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "\x85", "\x1c", "\x1f", "\x00", "\x01", "\x08", "\x1b[0m",
    "\x7f", "\x80", "0", "7", "1234567890", "3.14159e-10", "0xDEADBEEF", "٣", "৪", "Ⅷ", "\U0001d2c0", "\U00010d40", "\U00011de0", "½", "²", "①", "𝟘", "🙂", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🏳️‍🌈", "\u200d", "\ufe0f",
    "\u0301", "e\u0301", "\u0301\u0302\u0303", " \u0301", "\u093f", "\u20dd", "\U000e0001", "\ue000", "\ufffd", "\uffff", "\U0010ffff", "'s", "'S", "'ſ",
    "'ll", "'LL", "'lL", "'re", "'Ve", "'m", "'d", "'t", "'", "''", "\"", "_", "__init__", "==", "!=", "->", "::", "...", "</", "/*", "//", "#", "\\n", "(", ")", "{}",
    "<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|", "<|im_start|>", "<|file_sep|>", "<tool_call>", "</tool_call>", "<|", "|>", "< |im_end|>",
    "<file_sep>", "<issue_start>", "x" * 200, "aB" * 50, "=" * 120, "-" * 80, "\u0e33", "\u0130", "\u1e9e", "\ufb03", "\u212a", "\u2126",
]


def is_marker(token: dict) -> bool:
    """What model/text/marker_names.h calls a marker, and what the file does."""
    brackets = [("<|", "|>"), ("<｜", "｜>"), ("<fim_", ">"), ("<fim-", ">")]
    return token["special"] or any(token["content"].startswith(a) and token["content"].endswith(b) for a, b in brackets)


def tokenizer_of_json(path: Path, with_control: bool) -> Tokenizer:
    file = json.loads(path.read_text(encoding="utf-8"))
    taken = [token for token in file["added_tokens"] if with_control or not is_marker(token)]
    # The others keep their ids, or those of the taken ones would move.
    file["model"]["vocab"] |= {token["content"]: token["id"] for token in file["added_tokens"] if token not in taken}
    file["added_tokens"] = taken
    if (file["normalizer"] or {}).get("type") == "NFC":
        file["normalizer"] = None
    return Tokenizer.from_str(json.dumps(file))


def tokenizer_of(path: Path, with_control: bool) -> Tokenizer:
    if path.suffix == ".json":
        return tokenizer_of_json(path, with_control)
    from gguf import GGUFReader

    fields = GGUFReader(path).fields
    names, kinds, merges, cut = (fields[f"tokenizer.ggml.{key}"].contents() for key in ("tokens", "token_type", "merges", "pre"))
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=pairs))
    if cut == "qwen2":
        first, by_gpt2 = pre_tokenizers.Split(Regex(QWEN2), behavior="isolated", invert=False), False
    elif cut == "smollm":
        first, by_gpt2 = pre_tokenizers.Digits(individual_digits=True), True
    else:
        sys.exit(f"{path}: this script knows the pre-tokenizers qwen2 and smollm, not {cut}")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([first, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=by_gpt2)])
    taken = [USER_DEFINED, CONTROL] if with_control else [USER_DEFINED]
    added = [AddedToken(name, normalized=False, special=kind == CONTROL) for name, kind in zip(names, kinds) if kind in taken]
    tokenizer.add_tokens(added)
    if tokenizer.get_vocab_size() != len(names):
        sys.exit(f"{path}: tokens of the same name, or names that tokenizers changes")
    return tokenizer


def chosen_files(folders: list, count: int) -> list:
    """[(kind, path)]: readable texts, in an order that only their paths decide."""
    kind_of = {ending: kind for kind, endings in KINDS.items() for ending in endings}
    by_kind = {kind: [] for kind in KINDS}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in kind_of and path.is_file() and 0 < path.stat().st_size <= MAX_BYTES and "\n" not in str(path):
                order = hashlib.sha256(str(path.relative_to(folder)).encode()).digest()
                by_kind[kind_of[path.suffix]].append((order, path))
    chosen = []
    for kind, paths in by_kind.items():
        readable = (path for _, path in sorted(paths) if is_text(path))
        chosen += [(kind, path) for path, _ in zip(readable, range(-(-count // len(KINDS))))]
    return chosen[:count]


def is_text(path: Path) -> bool:
    try:
        path.read_bytes().decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


def hard_texts(count: int, seed: int) -> list:
    generator = random.Random(seed)
    return ["".join(generator.choices(HARD_PIECES, k=generator.randint(1, 40))) for _ in range(count)]


def texts_of_each_character() -> list:
    texts = []
    planes = [(plane << 16 | n, plane) for plane in range(17) for n in range(1 << 16)]
    # A surrogate is no character.
    characters = [chr(n) for n, plane in planes if (plane in (0, 1, 14) or n % 64 == 0) and not 0xD800 <= n <= 0xDFFF]
    for begin in range(0, len(characters), CHARACTERS_A_TEXT):
        some = characters[begin : begin + CHARACTERS_A_TEXT]
        texts.append("".join(f"a{c}b {c}1{c}{c}\n {c} ;{c}\t{c}" for c in some))
    return texts


def ids_by_tenon(model: Path, paths: list, special: bool) -> list:
    """[(spelled, ids)], a path each."""
    command = [PROGRAM, model] + (["special"] if special else [])
    listed = "".join(f"{path}\n" for path in paths)
    rows = subprocess.run(list(map(str, command)), input=listed, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return [(row.split()[0] == "spelled", list(map(int, row.split()[1:]))) for row in rows]


def first_difference(tokenizer: Tokenizer, mine: list, theirs: list) -> str:
    at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), min(len(mine), len(theirs)))
    names = lambda ids: [tokenizer.id_to_token(i) for i in ids[max(0, at - 2) : at + 4]]
    return f"token {at}: tenon {names(mine)}, tokenizers {names(theirs)}"


def compare(model: Path, named_paths: list) -> int:
    """Prints a row a kind; the number of texts that differ."""
    all_differing = 0
    for special in (False, True):
        tokenizer = tokenizer_of(model, special)
        encodable = tokenizer.token_to_id("<0x00>") is not None or all(tokenizer.token_to_id(c) is not None for c in pre_tokenizers.ByteLevel.alphabet())
        rows = {}
        # No marker is in the texts of single characters.
        wanted = [(kind, path) for kind, path in named_paths if not (special and kind == EACH_CHARACTER)]
        answers = ids_by_tenon(model, [path for _, path in wanted], special)
        for (kind, path), (spelled, mine) in zip(wanted, answers, strict=True):
            text = path.read_bytes().decode("utf-8")
            theirs = tokenizer.encode(text, add_special_tokens=False).ids
            row = rows.setdefault(kind, {"files": 0, "bytes": 0, "tokens": 0, "differ": 0, "not_spelled": 0, "not_nfc": 0})
            row["files"] += 1
            row["bytes"] += len(text.encode())
            row["tokens"] += len(theirs)
            row["differ"] += mine != theirs
            row["not_spelled"] += encodable and not spelled
            row["not_nfc"] += not unicodedata.is_normalized("NFC", text)
            if mine != theirs:
                print(f"{path}: {first_difference(tokenizer, mine, theirs)}")
        for kind, row in rows.items():
            print(f"{model.stem}, markers as {'tokens' if special else 'text'}, {kind}: " + ", ".join(f"{n} {what}" for what, n in row.items()))
            all_differing += row["differ"] + row["not_spelled"]
    return all_differing


def write_golden(model: Path, texts: list, out: Path) -> None:
    plain, special = tokenizer_of(model, False), tokenizer_of(model, True)
    with open(out, "w", encoding="utf-8") as lines:
        for text in texts:
            ids = plain.encode(text, add_special_tokens=False).ids
            marked = special.encode(text, add_special_tokens=False).ids
            lines.write(json.dumps({"text": text, "count": len(ids), "hash": fnv1a(ids), "hash_with_markers": fnv1a(marked)}) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--golden", type=Path, help="writes texts and hashes there")
    options = parser.parse_args()
    if options.golden:
        write_golden(options.model, hard_texts(options.texts, options.seed), options.golden)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        paths = chosen_files(options.folders, options.count)
        made = [("hard texts", text) for text in hard_texts(options.texts, options.seed)]
        made += [(EACH_CHARACTER, text) for text in texts_of_each_character()]
        for number, (kind, text) in enumerate(made):
            path = Path(scratch, f"{number}.txt")
            path.write_bytes(text.encode())
            paths.append((kind, path))
        return 1 if compare(options.model, paths) else 0


if __name__ == "__main__":
    sys.exit(main())
