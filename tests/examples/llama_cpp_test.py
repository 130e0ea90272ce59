#!/usr/bin/env python3
"""The example with llama.cpp's library, built against the installed library, completes gaps with the small model.

Usage: llama_cpp_test.py SOURCE_FOLDER BUILD_FOLDER COMPILER [LAUNCHER…]
Exit status 77: llama.cpp was not fetched (tools/setup_llama_cpp), or the small model is not there.
"""

import ast
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE, BUILD, COMPILER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
LAUNCHER = ";".join(sys.argv[4:])
MODEL = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon/models/smollm2-135m-fim.gguf"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command):
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def main():
    found = subprocess.run([SOURCE / "tools/setup_llama_cpp", "--no-fetch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if found.returncode != 0:
        skip(found.stderr.strip())
    if not MODEL.is_file():
        skip(f"{MODEL} is not there; run tools/setup")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        prefix, built = root / "prefix", root / "build"
        for component in ["library", "grammars"]:
            run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
        run("cmake", "-G", "Ninja", "-S", SOURCE / "examples/llama_cpp", "-B", built,
            f"-DCMAKE_PREFIX_PATH={prefix};{found.stdout.strip()}", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        run("cmake", "--build", built)
        program, python = built / "complete_with_llama_cpp", prefix / "share/tenon/grammars/python.lark"
        for left, right in [
            ("name = input()\nprint(", ")\n"),
            ("def total(prices):\n    result = 0\n    for price in prices:\n        result += ", "\n    return result\n"),
            ("import os\n\nfor name in os.listdir(", "):\n    print(name)\n"),
        ]:
            text = run(program, MODEL, python, left, right).removesuffix("\n")
            middle = text[len(left) : len(text) - len(right)]
            print(f"{left!r} | {middle!r} | {right!r}")
            assert text.startswith(left) and text.endswith(right), text
            assert middle.strip(), text
            ast.parse(text)
        refused = subprocess.run([program, python, python, "x = ", "\n"], stderr=subprocess.PIPE, text=True)
        assert refused.returncode == 2 and "llama.cpp cannot read it" in refused.stderr, refused
        nothing = subprocess.run([program, MODEL, python, "print(", "  return = 1\n"], stderr=subprocess.PIPE, text=True)
        assert (nothing.returncode, nothing.stderr) == (1, "no text of 32 tokens fits between these two\n"), nothing


if __name__ == "__main__":
    main()
