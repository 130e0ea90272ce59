"""Neovim's msgpack-rpc over its socket: as much of it as tests need. Source: https://msgpack.org, `:help api`."""

import socket
import struct


def pack(value):
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value)
    if isinstance(value, str):
        data = value.encode()
        return struct.pack(">BI", 0xDB, len(data)) + data
    if isinstance(value, (list, tuple)):
        return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(pack, value))
    raise TypeError(f"{value!r} is none of the types that tests send")


class Unpacker:
    """Reads values from a stream; `read` returns exactly so many bytes."""

    SIZED = {0xC4: "B", 0xC5: "H", 0xC6: "I", 0xD9: "B", 0xDA: "H", 0xDB: "I"}
    NUMBERS = {0xCA: "f", 0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q", 0xD0: "b", 0xD1: "h", 0xD2: "i", 0xD3: "q"}
    COUNTED = {0xDC: ("H", 1), 0xDD: ("I", 1), 0xDE: ("H", 2), 0xDF: ("I", 2)}
    EXTENSIONS = {0xC7: "B", 0xC8: "H", 0xC9: "I"}

    def __init__(self, read):
        self.read = read

    def number(self, form):
        return struct.unpack(">" + form, self.read(struct.calcsize(form)))[0]

    def several(self, count, width):
        values = [self.value() for _ in range(count * width)]
        return values if width == 1 else dict(zip(values[::2], values[1::2]))

    def value(self):
        code = self.number("B")
        if code < 0x80 or code >= 0xE0:
            return code if code < 0x80 else code - 0x100
        if code < 0x90:
            return self.several(code - 0x80, 2)
        if code < 0xA0:
            return self.several(code - 0x90, 1)
        if code < 0xC0:
            return self.read(code - 0xA0).decode(errors="replace")
        if code in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[code]
        if code in self.SIZED:
            return self.read(self.number(self.SIZED[code])).decode(errors="replace")
        if code in self.NUMBERS:
            return self.number(self.NUMBERS[code])
        if code in self.COUNTED:
            form, width = self.COUNTED[code]
            return self.several(self.number(form), width)
        # Handles of buffers and windows: no test looks into them.
        length = self.number(self.EXTENSIONS[code]) if code in self.EXTENSIONS else 1 << (code - 0xD4)
        self.read(1)
        return self.read(length)


class NeovimRpc:
    def __init__(self, path, timeout_s=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout_s)
        try:
            self.socket.connect(str(path))
        except OSError:
            self.socket.close()
            raise
        self.stream = self.socket.makefile("rb")
        self.last_id = 0

    def _read(self, count):
        data = self.stream.read(count)
        if len(data) < count:
            raise AssertionError("the editor has closed its socket")
        return data

    def call(self, method, *arguments):
        """What the method returns; AssertionError with Neovim's words where it fails."""
        self.last_id += 1
        self.socket.sendall(pack([0, self.last_id, method, list(arguments)]))
        while True:
            message = Unpacker(self._read).value()
            if message[0] == 1 and message[1] == self.last_id:
                if message[2] is not None:
                    raise AssertionError(f"{method}{arguments}: {message[2]}")
                return message[3]

    def close(self):
        self.stream.close()
        self.socket.close()
