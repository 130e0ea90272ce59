"""The library named by the argument: a base64 text a line, `1` where each of its statements prepares or fails for another reason than
syntax, `0` for a syntax error, `?` where another error came before the statement's end, so that the rest was not read."""
import base64
import ctypes
import sys

SYNTAX = ("syntax error", "incomplete input", "unrecognized token")
OUT_OF_MEMORY, TOO_BIG = 7, 18

sqlite = ctypes.CDLL(sys.argv[1])
sqlite.sqlite3_errmsg.restype = ctypes.c_char_p
handle = ctypes.c_void_p()
sqlite.sqlite3_open(b":memory:", ctypes.byref(handle))


def verdict(text):
    text = text.split(b"\0")[0]
    buffer = ctypes.create_string_buffer(text)
    begin, end = ctypes.addressof(buffer), ctypes.addressof(buffer) + len(text)
    doubtful = False
    while begin < end:
        statement, tail = ctypes.c_void_p(), ctypes.c_void_p()
        status = sqlite.sqlite3_prepare_v2(handle, ctypes.c_void_p(begin), end - begin + 1, ctypes.byref(statement), ctypes.byref(tail))
        sqlite.sqlite3_finalize(statement)
        message = sqlite.sqlite3_errmsg(handle).decode("utf-8", "replace")
        if status in (OUT_OF_MEMORY, TOO_BIG) or "parser stack overflow" in message or "Expression tree is too large" in message:
            return "?"
        if status and any(words in message for words in SYNTAX):
            return "0"
        stopped = tail.value or end
        if status and stopped < end and text[stopped - 1 - ctypes.addressof(buffer)] != ord(";"):
            doubtful = True
            break
        if stopped <= begin:
            break
        begin = stopped
    return "?" if doubtful else "1"


for line in sys.stdin:
    print(verdict(base64.b64decode(line)), flush=True)
