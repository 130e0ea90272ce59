"""The library named by the argument: a base64 text a line, `1` where each of its statements prepares or fails for another reason than
syntax, `0` for a syntax error and behind it its byte, `?` where another error came before the statement's end, so that the rest was not
read. A library older than 3.38 does not tell the byte.

Each text is read with no table there and, where that does not tell, with a few: some statements look a table up early."""
import base64
import ctypes
import sys

SYNTAX = ("syntax error", "incomplete input", "unrecognized token")
OUT_OF_MEMORY, TOO_BIG = 7, 18

sqlite = ctypes.CDLL(sys.argv[1])
sqlite.sqlite3_errmsg.restype = ctypes.c_char_p


def database(tables):
    handle = ctypes.c_void_p()
    sqlite.sqlite3_open(b":memory:", ctypes.byref(handle))
    for name in tables:
        sqlite.sqlite3_exec(handle, f"create table {name}(a, b, c, d)".encode(), None, None, None)
    return handle


def place(handle, before, size):
    """` ` and the byte of the error that the library found last, in a text of `size` bytes; nothing where it does not tell."""
    if not hasattr(sqlite, "sqlite3_error_offset"):
        return ""
    offset = sqlite.sqlite3_error_offset(handle)
    return f" {size if offset < 0 else min(before + offset, size)}"  # none: the input is incomplete


DATABASES = (database(()), database(("a", "b", "c", "d", "t", "u")))


def verdict(text):
    text = text.split(b"\0")[0]
    for handle in DATABASES:
        found = prepare(handle, text)
        # An error at the very end: was that the last word, or the end behind it? A semicolon tells.
        found = prepare(handle, text + b"\n;") if found == "end" else found
        if found != "?":
            return found
    return "?"


def prepare(handle, text):
    buffer = ctypes.create_string_buffer(text)
    first = ctypes.addressof(buffer)
    begin, end = first, first + len(text)
    while begin < end:
        statement, tail = ctypes.c_void_p(), ctypes.c_void_p()
        status = sqlite.sqlite3_prepare_v2(handle, ctypes.c_void_p(begin), end - begin + 1, ctypes.byref(statement), ctypes.byref(tail))
        sqlite.sqlite3_finalize(statement)
        message = sqlite.sqlite3_errmsg(handle).decode("utf-8", "replace")
        if status in (OUT_OF_MEMORY, TOO_BIG) or "parser stack overflow" in message or "Expression tree is too large" in message:
            return "?"
        if status and any(words in message for words in SYNTAX):
            return "0" + place(handle, begin - first, len(text))
        stopped = tail.value or end
        if status and b"trigger" in text.lower():
            return "?"  # which semicolon ends it?
        if status and text[stopped - 1 - first] != ord(";"):
            return "end" if stopped == end and not text.endswith(b"\n;") else "?"
        if stopped <= begin:
            break
        begin = stopped
    return "1"


for line in sys.stdin:
    print(verdict(base64.b64decode(line)), flush=True)
