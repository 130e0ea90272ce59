#!/usr/bin/env python3
"""Stands between an editor and tenon, writes down what passes, and asks the server what only tests ask.

usage: wire_tap.py LOG SOCKET -- TENON ARGUMENT…

Each message is a line of LOG: {"from": "client" or "server", "message": …}. A line at the Unix socket SOCKET, such as
{"method": "tenon/text", "params": {…}}, is sent as a request of the tap's own; its answer is a line of the socket. In the
client's `initialize` the tap announces that it may ask for texts.
"""

import json
import os
import pathlib
import queue
import socket
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from framing import read_message, write_message  # noqa: E402

PREFIX = "tap/"


class Tap:
    def __init__(self, log_path, command):
        self.log = open(log_path, "a", encoding="utf-8")
        self.lock = threading.Lock()
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers = {}
        self.asked = 0

    def note(self, sender, message):
        with self.lock:
            self.log.write(json.dumps({"from": sender, "message": message}) + "\n")
            self.log.flush()

    def write(self, stream, message):
        with self.lock:
            write_message(stream, message)

    def from_client(self):
        while message := read_message(sys.stdin.buffer):
            self.note("client", message)
            if message.get("method") == "initialize":
                capabilities = message["params"]["capabilities"]
                capabilities.setdefault("experimental", {}).setdefault("tenon", {})["text"] = True
            self.write(self.server.stdin, message)
        self.server.stdin.close()

    def from_server(self):
        while message := read_message(self.server.stdout):
            request_id = message.get("id")
            if "method" not in message and isinstance(request_id, str) and request_id.startswith(PREFIX):
                self.answers.pop(request_id).put(message)
                continue
            self.note("server", message)
            self.write(sys.stdout.buffer, message)

    def ask(self, question):
        self.asked += 1
        request_id = PREFIX + str(self.asked)
        answer = self.answers[request_id] = queue.Queue()
        self.write(self.server.stdin, {"jsonrpc": "2.0", "id": request_id, **question})
        return answer.get(timeout=60)

    def listen(self, path):
        if os.path.exists(path):
            os.unlink(path)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as stream:
                for line in stream:
                    stream.write(json.dumps(self.ask(json.loads(line))) + "\n")
                    stream.flush()


def main():
    log, control, _, *command = sys.argv[1:]
    tap = Tap(log, command)
    threading.Thread(target=tap.listen, args=(control,), daemon=True).start()
    threading.Thread(target=tap.from_client, daemon=True).start()
    tap.from_server()
    # The other threads wait for input that may never come.
    os._exit(tap.server.wait())


if __name__ == "__main__":
    main()
