"""Runs in the CPython under test: a base64 text a line, `1` where ast.parse takes it, `0` where not, `?` where it gives up. Behind `0` stands
the byte at which the first error is seen."""
import ast
import base64
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)


def place_of(error, text):
    lines = text.split(b"\n")
    line = min(error.lineno or 1, len(lines))
    within = lines[line - 1].decode("utf-8", "replace")[: max(error.offset or 1, 1) - 1]
    return sum(len(before) + 1 for before in lines[: line - 1]) + len(within.encode())


for line in sys.stdin:
    text = base64.b64decode(line)
    try:
        ast.parse(text)
        answer = "1"
    except SyntaxError as error:
        answer = f"0 {place_of(error, text)}"
    except ValueError:
        answer = "0 0"
    except (RecursionError, MemoryError):
        answer = "?"
    print(answer, flush=True)
