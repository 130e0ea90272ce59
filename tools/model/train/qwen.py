"""Qwen2 in PyTorch, with the weights of a GGUF file and an adapter (LoRA) that learns.

A linear layer computes x W^T + b; its adapter adds (alpha / rank) (x A^T) B^T. W is kept in bfloat16 and does not change.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F
from gguf import GGUFReader, dequantize
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import nn

# Pre-tokenizer `qwen2`: how a text is cut before its parts become tokens.
CUTS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
MAX_POSITIONS = 4096
ALPHA_OVER_RANK = 2.0
# Our layer's name -> the file's name, and PEFT's.
LINEAR = {
    "query": ("attn_q", "self_attn.q_proj"),
    "key": ("attn_k", "self_attn.k_proj"),
    "value": ("attn_v", "self_attn.v_proj"),
    "output": ("attn_output", "self_attn.o_proj"),
    "gate": ("ffn_gate", "mlp.gate_proj"),
    "up": ("ffn_up", "mlp.up_proj"),
    "down": ("ffn_down", "mlp.down_proj"),
}


class GgufModel:
    """What a file holds: tensors by name, the vocabulary, the numbers of its architecture."""

    def __init__(self, path):
        reader = GGUFReader(path)
        value = lambda key: reader.fields[key].contents()
        if value("general.architecture") != "qwen2":
            raise SystemExit(f"{path}: architecture {value('general.architecture')}; take a Qwen2.5-Coder")
        self.tensors = {}
        for tensor in reader.tensors:
            floats = torch.from_numpy(np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32))
            self.tensors[tensor.name] = floats.to(torch.bfloat16) if floats.dim() > 1 else floats
        self.tokens = value("tokenizer.ggml.tokens")
        self.merges = [tuple(merge.split(" ")) for merge in value("tokenizer.ggml.merges")]
        self.layers = value("qwen2.block_count")
        self.width = value("qwen2.embedding_length")
        self.heads = value("qwen2.attention.head_count")
        self.kv_heads = value("qwen2.attention.head_count_kv")
        self.theta = value("qwen2.rope.freq_base")
        self.epsilon = value("qwen2.attention.layer_norm_rms_epsilon")

    def tokenizer(self):
        vocabulary = {token: number for number, token in enumerate(self.tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=self.merges))
        split = pre_tokenizers.Split(Regex(CUTS), "isolated")
        to_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, to_bytes])
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer


class Linear(nn.Module):
    def __init__(self, weight, bias, rank):
        super().__init__()
        fixed = lambda tensor: nn.Parameter(tensor.to(torch.bfloat16), requires_grad=False)
        self.weight = fixed(weight)
        self.bias = None if bias is None else fixed(bias)
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x):
        change = F.linear(F.linear(x, self.a.to(x.dtype)), (self.b * ALPHA_OVER_RANK).to(x.dtype))
        return F.linear(x, self.weight, self.bias) + change


def rotated(x, cosines, sines):
    half = x.shape[-1] // 2
    first, second = x[..., :half].float(), x[..., half:].float()
    return torch.cat([first * cosines - second * sines, second * cosines + first * sines], -1).to(x.dtype)


class Layer(nn.Module):
    def __init__(self, model, number, rank):
        super().__init__()
        self.heads, self.kv_heads = model.heads, model.kv_heads
        self.head_width, self.epsilon = model.width // model.heads, model.epsilon
        tensor = lambda name: model.tensors.get(f"blk.{number}.{name}")
        for name, (in_file, _) in LINEAR.items():
            setattr(self, name, Linear(tensor(in_file + ".weight"), tensor(in_file + ".bias"), rank))
        self.attention_norm = nn.Parameter(tensor("attn_norm.weight"), requires_grad=False)
        self.feed_forward_norm = nn.Parameter(tensor("ffn_norm.weight"), requires_grad=False)

    def forward(self, x, cosines, sines):
        batch, length, width = x.shape
        in_heads = lambda y, heads: y.view(batch, length, heads, self.head_width).transpose(1, 2)
        normed = rms_norm(x, self.attention_norm, self.epsilon)
        queries = rotated(in_heads(self.query(normed), self.heads), cosines, sines)
        keys = rotated(in_heads(self.key(normed), self.kv_heads), cosines, sines)
        values = in_heads(self.value(normed), self.kv_heads)
        group = self.heads // self.kv_heads
        keys, values = keys.repeat_interleave(group, 1), values.repeat_interleave(group, 1)
        attended = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        x = x + self.output(attended.transpose(1, 2).reshape(batch, length, width))
        normed = rms_norm(x, self.feed_forward_norm, self.epsilon)
        return x + self.down(F.silu(self.gate(normed)) * self.up(normed))


def rms_norm(x, weight, epsilon):
    return F.rms_norm(x.float(), (x.shape[-1],), weight.float(), epsilon).to(x.dtype)


class Qwen(nn.Module):
    def __init__(self, model, rank):
        super().__init__()
        self.width, self.epsilon = model.width, model.epsilon
        embedding = model.tensors["token_embd.weight"]
        self.embedding = nn.Parameter(embedding, requires_grad=False)
        self.head = nn.Parameter(model.tensors.get("output.weight", embedding), requires_grad=False)
        self.final_norm = nn.Parameter(model.tensors["output_norm.weight"], requires_grad=False)
        self.layers = nn.ModuleList([Layer(model, number, rank) for number in range(model.layers)])
        head_width = model.width // model.heads
        frequencies = model.theta ** (-torch.arange(0, head_width, 2).float() / head_width)
        angles = torch.outer(torch.arange(MAX_POSITIONS).float(), frequencies)
        self.cosines, self.sines = angles.cos(), angles.sin()

    def forward(self, ids):
        """The vectors after the last layer, [batch, length, width]."""
        x = F.embedding(ids, self.embedding).to(torch.bfloat16)
        cosines, sines = self.cosines[: ids.shape[1]], self.sines[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, cosines, sines)
        return rms_norm(x, self.final_norm, self.epsilon)

    def logits(self, vectors):
        return F.linear(vectors, self.head).float()

    def adapter(self):
        """The parameters that learn, by PEFT's names."""
        named = {}
        for number, layer in enumerate(self.layers):
            for name, (_, in_peft) in LINEAR.items():
                for part, parameter in (("A", getattr(layer, name).a), ("B", getattr(layer, name).b)):
                    named[f"base_model.model.model.layers.{number}.{in_peft}.lora_{part}.weight"] = parameter
        return named
