"""Merges a LoRA adapter with its base model: one GGUF file that tenon runs.

    merge_adapter.py BASE.gguf ADAPTER_DIRECTORY OUT.gguf

ADAPTER_DIRECTORY holds `adapter_config.json` and `adapter_model.safetensors` in the layout of Hugging
Face PEFT, plus `input_embedding_delta.weight`: rows added to the embedding of the marker tokens. OUT has
matrices in Q8_0, vectors in F32, and the fill-in-the-middle template in its metadata (`tenon.fim.template`,
`tenon.fim.end`), which is how tenon knows the prompt format.

The sums are done in float64 and rounded once, so that every machine writes the same bytes.
"""

import json
import sys
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, dequantize, quantize
from safetensors.numpy import load_file

# GGUF's name of a block's matrix -> the module's name in Hugging Face's Llama.
HF_MODULE = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
FILE_TYPE_MOSTLY_Q8_0 = 7
# Metadata that the merged file states anew; a chat template would promise a chat model.
REPLACED_KEYS = {
    "general.architecture",
    "general.file_type",
    "tokenizer.chat_template",
    "tokenizer.ggml.eos_token_id",
}


class MergeError(Exception):
    """Says what is wrong with which file, for the terminal."""


class Adapter:
    """The adapter's configuration and tensors, read and checked."""

    def __init__(self, directory: Path):
        config_path = directory / "adapter_config.json"
        weights_path = directory / "adapter_model.safetensors"
        for path in (config_path, weights_path):
            if not path.is_file():
                raise MergeError(f"{path}: no such file; an adapter directory holds {path.name}")
        try:
            self.config = json.loads(config_path.read_text(encoding="utf-8"))
            self.scale = self.config["lora_alpha"] / self.config["r"]
            self.fim_template = self.config["fim_template"]
            self.fim_end = self.config["fim_end"]
            self.marker_ids = self.config["input_embedding_delta_token_ids"]
        except (ValueError, KeyError, ZeroDivisionError) as error:
            raise MergeError(f"{config_path}: not a usable adapter configuration: {error!r}") from error
        try:
            self.tensors = load_file(weights_path)
        except Exception as error:
            raise MergeError(f"{weights_path}: cannot be read: {error}; copy the file anew") from error
        self.path = weights_path
        self.used = set()

    def tensor(self, name: str) -> np.ndarray:
        if name not in self.tensors:
            raise MergeError(f"{self.path}: tensor {name} is missing; adapter and base do not belong together")
        self.used.add(name)
        return self.tensors[name].astype(np.float64)

    def matrix_delta(self, layer: str, module: str) -> np.ndarray:
        stem = f"base_model.model.model.layers.{layer}.{module}"
        return self.scale * (self.tensor(stem + ".lora_B.weight") @ self.tensor(stem + ".lora_A.weight"))


def interleave_rope_rows(weight: np.ndarray, heads: int) -> np.ndarray:
    """Hugging Face rotates halves of a head, GGUF rotates neighbours: reorders a matrix's rows to match."""
    half = weight.shape[0] // heads // 2
    return weight.reshape(heads, 2, half, -1).swapaxes(1, 2).reshape(weight.shape)


def merged_tensor(name: str, base: np.ndarray, adapter: Adapter, heads: dict) -> np.ndarray:
    parts = name.split(".")
    delta = None
    if parts[0] == "blk" and parts[2] in HF_MODULE:
        delta = adapter.matrix_delta(parts[1], HF_MODULE[parts[2]])
        if parts[2] in heads:
            delta = interleave_rope_rows(delta, heads[parts[2]])
    if name == "token_embd.weight":
        # The tied output row changes with it; markers are never drawn, so that does no harm.
        delta = np.zeros_like(base, dtype=np.float64)
        delta[adapter.marker_ids] = adapter.tensor("input_embedding_delta.weight")
    if delta is None:
        return base
    if delta.shape != base.shape:
        raise MergeError(f"{adapter.path}: the change of {name} is {delta.shape}, the base has {base.shape}")
    return (base.astype(np.float64) + delta).astype(np.float32)


def field(reader: GGUFReader, key: str):
    if key not in reader.fields:
        raise MergeError(f"{reader.data.filename}: metadata {key} is missing; a GGUF Llama model is expected")
    return reader.fields[key].contents()


def token_id(reader: GGUFReader, text: str) -> int:
    tokens = field(reader, "tokenizer.ggml.tokens")
    if text not in tokens:
        raise MergeError(f"the base model's vocabulary has no token {text}; adapter and base do not belong together")
    return tokens.index(text)


def copy_metadata(reader: GGUFReader, writer: GGUFWriter, adapter: Adapter) -> None:
    for key, entry in reader.fields.items():
        if key.startswith("GGUF.") or key in REPLACED_KEYS:
            continue
        is_array = entry.types[0] == GGUFValueType.ARRAY
        writer.add_key_value(key, entry.contents(), entry.types[0], sub_type=entry.types[-1] if is_array else None)
    writer.add_uint32("general.file_type", FILE_TYPE_MOSTLY_Q8_0)
    writer.add_uint32("tokenizer.ggml.eos_token_id", token_id(reader, adapter.fim_end))
    writer.add_string("tenon.fim.template", adapter.fim_template)
    writer.add_string("tenon.fim.end", adapter.fim_end)


def merge(base_path: Path, adapter_path: Path, out_path: Path) -> None:
    adapter = Adapter(adapter_path)
    if not base_path.is_file():
        raise MergeError(f"{base_path}: no such file; give the base model's GGUF file")
    try:
        reader = GGUFReader(base_path)
    except Exception as error:
        raise MergeError(f"{base_path}: not a readable GGUF file: {error}") from error
    architecture = field(reader, "general.architecture")
    if architecture != "llama":
        raise MergeError(f"{base_path}: architecture {architecture}; this script merges llama")
    heads = {
        "attn_q": int(field(reader, "llama.attention.head_count")),
        "attn_k": int(field(reader, "llama.attention.head_count_kv")),
    }
    writer = GGUFWriter(out_path, architecture)
    copy_metadata(reader, writer, adapter)
    for entry in reader.tensors:
        base = np.array(dequantize(entry.data, entry.tensor_type), dtype=np.float32)
        weight = merged_tensor(entry.name, base, adapter, heads)
        stored = GGMLQuantizationType.F32 if weight.ndim == 1 else GGMLQuantizationType.Q8_0
        writer.add_tensor(entry.name, weight if weight.ndim == 1 else quantize(weight, stored), raw_dtype=stored)
    unused = sorted(set(adapter.tensors) - adapter.used)
    if unused:
        raise MergeError(f"{adapter.path}: {len(unused)} tensors have no place in the base, first {unused[0]}")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main(arguments: list) -> int:
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        merge(*map(Path, arguments))
    except (MergeError, OSError) as error:
        print(f"merge_adapter: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
