"""Runs in the CPython under test: a base64 text a line, `1` where ast.parse takes it, `0` where not, `?` where it gives up."""
import ast
import base64
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
for line in sys.stdin:
    try:
        ast.parse(base64.b64decode(line))
        answer = "1"
    except (SyntaxError, ValueError):
        answer = "0"
    except (RecursionError, MemoryError):
        answer = "?"
    print(answer, flush=True)
