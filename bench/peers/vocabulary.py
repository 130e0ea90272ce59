"""A vocabulary as byte strings, and texts as its tokens: from a tokenizer.json, or from a GGUF file."""

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers


def byte_alphabet() -> dict:
    """GPT-2's way to write bytes as characters."""
    letters, extra = {}, 0
    for byte in range(256):
        if 33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174:
            letters[chr(byte)] = byte
        else:
            letters[chr(256 + extra)] = byte
            extra += 1
    return letters


def from_gguf(path: Path) -> Tokenizer:
    from gguf import GGUFReader

    fields = GGUFReader(path).fields
    names = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    kinds = fields["tokenizer.ggml.token_type"].contents()
    tokenizer.add_special_tokens([name for name, kind in zip(names, kinds) if kind == 3])
    return tokenizer


class Vocabulary:
    def __init__(self, path: Path):
        with path.open("rb") as file:
            is_gguf = file.read(4) == b"GGUF"
        self.tokenizer = from_gguf(path) if is_gguf else Tokenizer.from_file(str(path))
        # tenon runs no normalizer, and a peer must see the same tokens.
        self.tokenizer.normalizer = None
        vocabulary = self.tokenizer.get_vocab(with_added_tokens=True)
        added = self.tokenizer.get_added_tokens_decoder()
        self.special = sorted(token for token, what in added.items() if what.special)
        letters = byte_alphabet()
        self.tokens = [b""] * (max(vocabulary.values()) + 1)
        for name, token in vocabulary.items():
            if token in added:
                self.tokens[token] = b"" if token in self.special else name.encode()
            else:
                self.tokens[token] = bytes(letters[c] for c in name)
        # A token that ends a text, for engines that want one; it stands for no text.
        self.end = self.special[0]

    def encode(self, text: str) -> list:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

