"""Writes the golden logits of tests/model/golden: an independent computation with numpy, in float64.

    reference_logits.py MODEL.gguf tests/model/golden/tokens.jsonl OUT.bin

20 prompts of 200 tokens, half of them plain code, half fill-in-the-middle prompts. For each, at some positions, the
16 largest logits and every 24th of all. Needs gguf and numpy. Weights are what gguf dequantises; nothing is shared
with tenon's own code. The file, little-endian:

    n_prompts u32, prompt_tokens u32, n_positions u32, n_top u32, stride u32, n_sampled u32
    a prompt: prompt_tokens token ids (i32), then for each position:
        position u32, n_top ids (i32), n_top logits (f32), n_sampled logits (f32: ids 0, stride, 2 stride, ...)
"""

import json
import struct
import sys

import numpy as np
from gguf import GGUFReader, dequantize

PROMPTS, PROMPT_TOKENS, TOP, STRIDE = 20, 200, 16, 24
POSITIONS = [0, 3, 20, 63, 64, 110, 150, 185, 198, 199]


class Llama:
    """The architectures llama and qwen2 as their papers have them, all positions at once."""

    def __init__(self, path: str):
        reader = GGUFReader(path)
        architecture = reader.fields["general.architecture"].contents()
        if architecture not in ("llama", "qwen2"):
            sys.exit(f"{path}: architecture {architecture}; this script computes llama and qwen2")
        number = lambda key: reader.fields[f"{architecture}.{key}"].contents()
        self.tensors = {
            t.name: np.array(dequantize(t.data, t.tensor_type), dtype=np.float32) for t in reader.tensors
        }
        self.layers = int(number("block_count"))
        self.heads = int(number("attention.head_count"))
        self.kv_heads = int(number("attention.head_count_kv"))
        self.epsilon = float(number("attention.layer_norm_rms_epsilon"))
        self.base = float(number("rope.freq_base"))
        self.rotates_halves = architecture == "qwen2"
        self.rope_width = int(number("embedding_length")) // self.heads
        if f"{architecture}.rope.dimension_count" in reader.fields:
            self.rope_width = int(number("rope.dimension_count"))

    def weight(self, name: str) -> np.ndarray:
        return self.tensors[name + ".weight"].astype(np.float64)

    def product(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self.weight(name).T + self.tensors.get(name + ".bias", np.float32(0)).astype(np.float64)

    def norm(self, x: np.ndarray, name: str) -> np.ndarray:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon) * self.weight(name)

    def rotate(self, x: np.ndarray) -> np.ndarray:
        """x: [positions, heads, head_width]; neighbours (2i, 2i + 1), or halves (i, i + width / 2), turn by position *
        base^(-2i / width)."""
        frequency = self.base ** (-np.arange(0, self.rope_width, 2) / self.rope_width)
        turn = np.exp(1j * np.outer(np.arange(len(x)), frequency))[:, None, :]
        if self.rotates_halves:
            turned = (x[..., : self.rope_width // 2] + 1j * x[..., self.rope_width // 2 :]) * turn
            return np.concatenate([turned.real, turned.imag], -1)
        turned = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
        return np.stack([turned.real, turned.imag], -1).reshape(x.shape)

    def attend(self, x: np.ndarray, layer: str) -> np.ndarray:
        n = len(x)
        query = self.rotate(self.product(x, layer + "attn_q").reshape(n, self.heads, -1))
        key = self.rotate(self.product(x, layer + "attn_k").reshape(n, self.kv_heads, -1))
        value = self.product(x, layer + "attn_v").reshape(n, self.kv_heads, -1)
        future = np.triu(np.full((n, n), -np.inf), 1)
        out = np.empty_like(query)
        for head in range(self.heads):
            shared = head * self.kv_heads // self.heads
            scores = query[:, head] @ key[:, shared].T / np.sqrt(query.shape[-1]) + future
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            out[:, head] = weights / weights.sum(-1, keepdims=True) @ value[:, shared]
        return out.reshape(n, -1) @ self.weight(layer + "attn_output").T

    def feed_forward(self, x: np.ndarray, layer: str) -> np.ndarray:
        gate = x @ self.weight(layer + "ffn_gate").T
        return (gate / (1 + np.exp(-gate)) * (x @ self.weight(layer + "ffn_up").T)) @ self.weight(layer + "ffn_down").T

    def logits(self, tokens: list, positions: list) -> np.ndarray:
        x = self.tensors["token_embd.weight"][tokens].astype(np.float64)
        for i in range(self.layers):
            layer = f"blk.{i}."
            x = x + self.attend(self.norm(x, layer + "attn_norm"), layer)
            x = x + self.feed_forward(self.norm(x, layer + "ffn_norm"), layer)
        head = "output" if "output.weight" in self.tensors else "token_embd"
        return self.norm(x, "output_norm")[positions] @ self.weight(head).T


def prompts(model: Llama, tokens_path: str) -> list:
    with open(tokens_path, encoding="utf-8") as lines:
        texts = [json.loads(line)["ids"] for line in lines]
    long_enough = [ids for ids in texts if len(ids) >= 2 * PROMPT_TOKENS]
    made = []
    for i in range(PROMPTS):
        ids = long_enough[i * len(long_enough) // PROMPTS]
        if i % 2 == 0:
            made.append(ids[:PROMPT_TOKENS])
        else:
            # <jupyter_code> name <file_sep> right <issue_start> left, as the small model was trained
            made.append([13, 26] + [5] + ids[150:220] + [8] + ids[20:146])
    assert all(len(ids) == PROMPT_TOKENS for ids in made)
    return made


def main(model_path: str, tokens_path: str, out_path: str) -> None:
    model = Llama(model_path)
    vocabulary = len(model.tensors["token_embd.weight"])
    sampled = range(0, vocabulary, STRIDE)
    with open(out_path, "wb") as out:
        out.write(struct.pack("<6I", PROMPTS, PROMPT_TOKENS, len(POSITIONS), TOP, STRIDE, len(sampled)))
        for tokens in prompts(model, tokens_path):
            out.write(np.array(tokens, "<i4").tobytes())
            for position, logits in zip(POSITIONS, model.logits(tokens, POSITIONS)):
                top = np.argsort(-logits, kind="stable")[:TOP]
                out.write(struct.pack("<I", position) + top.astype("<i4").tobytes())
                out.write(logits[top].astype("<f4").tobytes() + logits[sampled].astype("<f4").tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
