#!/usr/bin/env python3
"""Trains an adapter that fills in the middle with the right context first.

    train.py MODEL.gguf SOURCES OUT [--minutes 90] [--from FOLDER] [--rank 16] [--seed 7]

README.md of this folder has the whole procedure.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import gaps
import sources
import torch
import torch.nn.functional as F
from qwen import ALPHA_OVER_RANK, LINEAR, GgufModel, Qwen
from safetensors.torch import load_file, save_file

MARKERS = ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_sep|>", "<|endoftext|>")
TEMPLATE = "<|file_sep|>{name}\n<|fim_prefix|><|fim_suffix|>{suffix}<|fim_middle|>{prefix}"
WARM_UP_STEPS = 15
LAST_RATE = 0.05  # of the learning rate, at the end of its cosine
STEPS_OF_MEAN, STEPS_PER_LINE, STEPS_PER_SAVE = 60, 10, 50


class Examples:
    """Gaps of the sources as tokens: (prompt, left context, middle with its end)."""

    def __init__(self, model, found, options):
        self.found, self.options = found, options
        self.random = random.Random(options.seed)
        tokenizer = model.tokenizer()
        self.encode = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
        self.prefix, self.suffix, self.middle, self.file, self.end = map(model.tokens.index, MARKERS)

    def one(self):
        languages = list(self.found)
        weights = [sources.LANGUAGES[language][0] for language in languages]
        while True:
            files = self.found[self.random.choices(languages, weights)[0]]
            name, text, _ = self.random.choices(files, [weight for _, _, weight in files])[0]
            kind = self.random.choices(list(gaps.KINDS), list(gaps.KINDS.values()))[0]
            gap = gaps.cut(self.random, text, kind, (100, self.options.left), (30, self.options.right))
            if gap is None:
                continue
            left, middle, right = gap
            prompt = [self.file, *self.encode(name + "\n"), self.prefix, self.suffix, *self.encode(right), self.middle]
            example = prompt, self.encode(left), [*self.encode(middle), self.end]
            if sum(map(len, example)) < self.options.tokens:
                return example

    def batches(self):
        """Examples of about the same length together, so that little of a batch is padding."""
        size = self.options.batch
        while True:
            pool = sorted((self.one() for _ in range(size * 12)), key=lambda example: sum(map(len, example)))
            batches = [pool[i : i + size] for i in range(0, len(pool), size)]
            self.random.shuffle(batches)
            yield from batches


def loss_of(network, batch, end, left_weight):
    """(loss, nats of the middles, their tokens)."""
    length = max(sum(map(len, example)) for example in batch)
    ids = torch.full((len(batch), length), end, dtype=torch.long)
    positions, labels, weights = [], [], []
    for row, (prompt, left, middle) in enumerate(batch):
        tokens = prompt + left + middle
        ids[row, : len(tokens)] = torch.tensor(tokens)
        for at in range(len(prompt), len(tokens)):
            positions.append(row * length + at - 1)
            labels.append(tokens[at])
            weights.append(left_weight if at < len(prompt) + len(left) else 1.0)
    vectors = network(ids).reshape(-1, network.width)[torch.tensor(positions)]
    nats = F.cross_entropy(network.logits(vectors), torch.tensor(labels), reduction="none")
    weights = torch.tensor(weights)
    of_middle = weights == 1
    return (nats * weights).sum() / weights.sum(), float(nats.detach()[of_middle].sum()), int(of_middle.sum())


def save(network, folder, rank):
    """The adapter as PEFT writes it, with the prompt it was trained with (docs/models.md, "Adapters")."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: parameter.detach().to(torch.float16).contiguous() for name, parameter in network.adapter().items()}
    unfinished = folder / "adapter_model.safetensors.new"
    save_file(tensors, unfinished, metadata={"format": "pt"})
    unfinished.rename(folder / "adapter_model.safetensors")
    configuration = {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "Qwen/Qwen2.5-Coder", "r": rank,
        "lora_alpha": int(ALPHA_OVER_RANK * rank), "lora_dropout": 0.0, "bias": "none",
        "target_modules": sorted(in_peft.split(".")[1] for _, in_peft in LINEAR.values()),
        "fim_template": TEMPLATE, "fim_end": MARKERS[-1],
    }
    (folder / "adapter_config.json").write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")


def train(options):
    found = sources.load(options.sources)
    if not found:
        raise SystemExit(f"{options.sources}: no files to learn from; it needs a folder for each of {', '.join(sources.LANGUAGES)}")
    torch.manual_seed(options.seed)
    model = GgufModel(options.model)
    examples = Examples(model, found, options)
    network = Qwen(model, options.rank)
    model.tensors.clear()
    learning = network.adapter()
    if options.start:
        for name, tensor in load_file(options.start / "adapter_model.safetensors").items():
            learning[name].data.copy_(tensor.float())
    parameters = list(learning.values())
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, betas=(0.9, 0.97), weight_decay=0.0, fused=True)
    begun, tokens, recent = time.time(), 0, []
    for step, batch in enumerate(examples.batches(), 1):
        share = (time.time() - begun) / (options.minutes * 60)
        if share > 1:
            break
        cosine = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * share))
        optimizer.param_groups[0]["lr"] = options.rate * min(1, step / WARM_UP_STEPS) * cosine
        loss, nats, of_middle = loss_of(network, batch, examples.end, options.left_weight)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += sum(sum(map(len, example)) for example in batch)
        recent = [*recent, (nats, of_middle)][-STEPS_OF_MEAN:]
        if step % STEPS_PER_LINE == 0:
            mean = sum(nats for nats, _ in recent) / sum(count for _, count in recent)
            rate = tokens / (time.time() - begun)
            print(f"step {step}, {100 * share:.0f} %, {mean:.3f} nats a token of the middles, {rate:.0f} tokens/s", flush=True)
        if step % STEPS_PER_SAVE == 0:
            save(network, options.out, options.rank)
    save(network, options.out, options.rank)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a Qwen2.5-Coder as a GGUF file")
    parser.add_argument("sources", type=Path)
    parser.add_argument("out", type=Path, help="the folder of the new adapter")
    parser.add_argument("--from", dest="start", type=Path, help="an adapter's folder, to train it on")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=4e-4, help="the learning rate at its height")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=420, help="of the longest example")
    parser.add_argument("--left", type=int, default=1000, help="characters of the longest left context")
    parser.add_argument("--right", type=int, default=500)
    parser.add_argument("--left-weight", type=float, default=0.15, help="of the loss on the left context")
    parser.add_argument("--seed", type=int, default=7)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
