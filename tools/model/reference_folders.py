"""Writes tests/model/golden/folders.json: what transformers computes with tiny models of each family, in float32.

    reference_folders.py OUT.json

The weights of a tensor follow from its name (weights_of), so that the test makes the same ones, each exact in bfloat16 and in half. A
row has the model's config.json, how its files are written (shards, dtype), a prompt, all logits after the prompt's positions `at`, and
the 64 tokens by which the model continues the prompt greedily. Needs torch and transformers (4.57).
"""

import copy
import json
import sys

import numpy
import torch
from transformers import AutoConfig, AutoModelForCausalLM

SIZES = {"num_hidden_layers": 3, "hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2,
         "max_position_embeddings": 512, "vocab_size": 300, "rms_norm_eps": 1e-5, "bos_token_id": 0, "eos_token_id": 1}
GPT2_SIZES = {"n_layer": 3, "n_embd": 64, "n_head": 4, "n_positions": 512}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
GEMMA3 = {"model_type": "gemma3_text", "tie_word_embeddings": True, "head_dim": 16, "hidden_activation": "gelu_pytorch_tanh"}
# Name, shards, dtype of the file, config.json beside SIZES.
MODELS = [
    ("llama", 1, "F32", {"model_type": "llama", "tie_word_embeddings": False}),
    ("llama with scaled rotations", 3, "BF16",
     {"model_type": "llama", "tie_word_embeddings": True, "rope_scaling": LLAMA3, "head_dim": 32, "rope_theta": 500000.0}),
    ("llama with linear scaling", 1, "F16",
     {"model_type": "llama", "tie_word_embeddings": False, "rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
    # As the config.json files of DeepSeek-Coder and CodeLlama have it.
    ("deepseek-coder", 1, "BF16", {"model_type": "llama", "tie_word_embeddings": False, "rope_scaling": {"type": "linear", "factor": 4.0},
                                   "rope_theta": 100000, "rms_norm_eps": 1e-6, "pretraining_tp": 1, "hidden_act": "silu"}),
    ("codellama", 2, "BF16", {"model_type": "llama", "tie_word_embeddings": False, "rope_scaling": None, "rope_theta": 1000000,
                              "num_key_value_heads": 4, "pretraining_tp": 1, "hidden_act": "silu"}),
    ("qwen2", 2, "BF16", {"model_type": "qwen2", "tie_word_embeddings": True, "rope_theta": 1000000.0, "use_sliding_window": False}),
    ("qwen2 with a head", 1, "F16", {"model_type": "qwen2", "tie_word_embeddings": False, "num_key_value_heads": 4}),
    ("qwen3", 2, "BF16", {"model_type": "qwen3", "tie_word_embeddings": True, "rope_theta": 1000000.0, "head_dim": 32}),
    ("qwen3 with a head", 1, "F32",
     {"model_type": "qwen3", "tie_word_embeddings": False, "head_dim": 16, "num_attention_heads": 2, "num_key_value_heads": 1}),
    ("starcoder2", 2, "BF16", {"model_type": "starcoder2", "tie_word_embeddings": True, "norm_epsilon": 1e-5, "sliding_window": 24,
                               "rope_theta": 100000.0}),
    ("starcoder2 with a head", 1, "F32",
     {"model_type": "starcoder2", "tie_word_embeddings": False, "norm_epsilon": 1e-3, "sliding_window": None, "num_key_value_heads": 4}),
    ("gemma", 2, "BF16", {"model_type": "gemma", "tie_word_embeddings": True, "head_dim": 32, "num_key_value_heads": 1,
                          "hidden_act": "gelu_pytorch_tanh", "rope_theta": 10000.0}),
    ("gemma3", 1, "F32", {**GEMMA3, "sliding_window": 24, "query_pre_attn_scalar": 8, "rope_theta": 1000000.0,
                          "rope_local_base_freq": 10000.0, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}),
    # As the larger models of the family: a scaling, which windows do not have, and a pattern in place of kinds.
    ("gemma3 with scaled rotations", 2, "BF16",
     {**GEMMA3, "num_hidden_layers": 4, "sliding_window": 16, "query_pre_attn_scalar": 16, "rope_theta": 500000.0,
      "rope_local_base_freq": 5000.0, "sliding_window_pattern": 2, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}),
    # As the config.json of SantaCoder has it, and one that leaves out what it may.
    ("gpt_bigcode", 2, "BF16", {"model_type": "gpt_bigcode", **GPT2_SIZES, "n_inner": 96, "activation_function": "gelu_pytorch_tanh",
                                "multi_query": True, "scale_attn_weights": True, "layer_norm_epsilon": 1e-5,
                                "attention_softmax_in_fp32": True, "tie_word_embeddings": True}),
    ("gpt_bigcode with a head", 1, "F32", {"model_type": "gpt_bigcode", **GPT2_SIZES, "n_head": 2, "tie_word_embeddings": False}),
]
PROMPT_TOKENS = 60
AT = [0, 17, 59]
CONTINUED_TOKENS = 64
# A decode step whose first two tokens are nearer than this decides nothing.
LEAST_LEAD = 2e-4


def weights_of(name: str, shape: list) -> numpy.ndarray:
    """A linear congruential sequence that the name seeds; its upper eight bits are a number n from -128 to 127."""
    state = 2166136261
    for byte in name.encode():
        state = (state ^ byte) * 16777619 & 0xFFFFFFFF
    count = int(numpy.prod(shape))
    numbers = numpy.empty(count, numpy.float64)
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        numbers[i] = (state >> 24) - 128
    if name.endswith(".bias"):
        values = numbers / 512
    elif "norm" in name or ".ln_" in name:
        values = 1 + numpy.floor(numbers / 16) / 16
    elif "embed_tokens" in name or ".wte." in name or ".wpe." in name:
        values = numbers / 128
    else:
        k = 0
        while 4 ** (k + 1) <= shape[1]:
            k += 1
        values = numbers / 128 * 2.0 ** (1 - k)
    return values.astype(numpy.float32).reshape(shape)


def reference(name: str, shards: int, dtype: str, own: dict) -> dict:
    shared = SIZES if "n_layer" not in own else {key: SIZES[key] for key in ["vocab_size", "bos_token_id", "eos_token_id"]}
    config = {**shared, **own}
    fields = copy.deepcopy(config)  # transformers changes what it is given
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(fields.pop("model_type"), **fields), attn_implementation="eager")
    model = model.float().eval()
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(weights_of(key, list(parameter.shape))))
        tokens = [(7 + 37 * i * i) % config["vocab_size"] for i in range(PROMPT_TOKENS)]
        logits = model(torch.tensor([tokens])).logits[0].double().numpy()
        text, leads = list(tokens), []
        for _ in range(CONTINUED_TOKENS):
            last = model(torch.tensor([text])).logits[0, -1]
            best = torch.topk(last, 2).values
            leads.append(float(best[0] - best[1]))
            text.append(int(last.argmax()))
    if min(leads) < LEAST_LEAD:
        sys.exit(f"{name}: a lead of {min(leads)} is too small for a test; change the sequence")
    return {"name": name, "shards": shards, "dtype": dtype, "config": config, "prompt": tokens, "at": AT,
            "logits": [[round(float(x), 5) for x in logits[at]] for at in AT], "continued": text[PROMPT_TOKENS:]}


def main(out: str) -> None:
    rows = [reference(*model) for model in MODELS]
    with open(out, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
