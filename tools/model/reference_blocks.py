#!/usr/bin/env python3
"""Random blocks of every quantized type of GGUF, and their values by the package `gguf`.

    reference_blocks.py golden OUT.bin       the golden values of tests/model/file/dequantize_test.cpp
    reference_blocks.py corpus DIRECTORY     one GGUF file for each type, for tests/fuzz/gguf_fuzz.cpp

OUT.bin, little-endian: for each type its number (u32), the number of blocks (u32), the number of bytes
(u32), the bytes, the values (f32). All bits of a block are random but the 16-bit floats, which are finite:
normal and subnormal, of both signs. Needs `gguf` (tools/model/requirements.txt); every run writes the same bytes.
"""

import struct
import sys
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFWriter, dequantize

SEED = 20261123
BLOCKS_OF_32 = 12
SUPER_BLOCKS = 4
# The offsets of the 16-bit floats in a block.
HALVES = {
    "Q8_0": [0],
    "Q4_0": [0],
    "Q4_1": [0, 2],
    "Q5_0": [0],
    "Q5_1": [0, 2],
    "IQ4_NL": [0],
    "Q2_K": [80, 82],
    "Q3_K": [108],
    "Q4_K": [0, 2],
    "Q5_K": [0, 2],
    "Q6_K": [208],
    "IQ4_XS": [0],
}


def random_blocks(random: np.random.Generator, name: str) -> np.ndarray:
    elements, size = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    count = BLOCKS_OF_32 if elements == 32 else SUPER_BLOCKS
    blocks = random.integers(0, 256, (count, size), dtype=np.uint8)
    for at in HALVES[name]:
        # An exponent of 31 would be infinite or no number. The first block is subnormal.
        exponents = random.integers(1, 31, count)
        exponents[0] = 0
        bits = random.integers(0, 2, count) << 15 | exponents << 10 | random.integers(0, 1024, count)
        blocks[:, at] = bits & 255
        blocks[:, at + 1] = bits >> 8
    return blocks


def write_golden(random: np.random.Generator, path: Path) -> None:
    with path.open("wb") as out:
        for name in HALVES:
            kind = GGMLQuantizationType[name]
            blocks = random_blocks(random, name)
            values = np.ascontiguousarray(dequantize(blocks, kind), dtype="<f4")
            out.write(struct.pack("<III", kind, len(blocks), blocks.size))
            out.write(blocks.tobytes())
            out.write(values.tobytes())


def write_corpus(random: np.random.Generator, directory: Path) -> None:
    for name in [*HALVES, "F32", "F16", "BF16"]:
        kind = GGMLQuantizationType[name]
        elements, size = GGML_QUANT_SIZES[kind]
        rows = random_blocks(random, name)[:2] if name in HALVES else np.zeros((2, 3 * size), np.uint8)
        writer = GGUFWriter(directory / f"type_{name.lower()}", "llama")
        writer.add_tensor("w", rows, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def main(arguments: list) -> int:
    if len(arguments) != 2 or arguments[0] not in ("golden", "corpus"):
        print(__doc__, file=sys.stderr)
        return 2
    random = np.random.default_rng(SEED)
    (write_golden if arguments[0] == "golden" else write_corpus)(random, Path(arguments[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
