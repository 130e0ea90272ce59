#!/usr/bin/env python3
"""A language server whose inline completions are written down, for tests of editor plugins.

usage: scripted_server.py SCRIPT LOG

SCRIPT is a JSON list of rules {"before": TEXT, "answer": RESULT, "delay_ms": N}: the first rule whose TEXT ends the cursor's line
left of the cursor gives the result ("error" instead of "answer": an error). "kind": N restricts a rule to that triggerKind. In a
result, {"from": A, "to": B} stands for the range of offsets A..B in the cursor's line, where "cursor" is the cursor's.
"list": true makes it a rule for textDocument/completion. Offsets are utf-16 units, or characters where the client offers utf-32
first. A rule {"notify": METHOD, "params": P} is a notification that is sent after `initialized`; a rule {"experimental": E} is
what the server announces under that name. Every message received is appended to LOG as one JSON line; the file `pid` beside it has
the process's id.
"""

import json
import os
import pathlib
import sys
import threading

from framing import read_message, write_message


class Server:
    def __init__(self, rules, log):
        self.rules = rules
        self.log = log
        self.documents = {}
        self.utf32 = False
        self.lock = threading.Lock()
        self.timers = {}

    def send(self, message):
        with self.lock:
            write_message(sys.stdout.buffer, {"jsonrpc": "2.0", **message})

    def before(self, line, character):
        """The part of the line left of an offset."""
        if self.utf32:
            return line[:character]
        return line.encode("utf-16-le")[: 2 * character].decode("utf-16-le")

    def change(self, uri, change):
        if "range" not in change:
            self.documents[uri] = change["text"]
            return
        lines = self.documents[uri].split("\n")
        start, end = change["range"]["start"], change["range"]["end"]
        first, last = lines[start["line"]], lines[end["line"]]
        replaced = self.before(first, start["character"]) + change["text"] + last[len(self.before(last, end["character"])):]
        lines[start["line"]: end["line"] + 1] = [replaced]
        self.documents[uri] = "\n".join(lines)

    def answer(self, request_id, rule, position):
        self.timers.pop(request_id, None)
        if "error" in rule:
            self.send({"id": request_id, "error": {"code": -32803, "message": rule["error"]}})
            return
        result = json.loads(json.dumps(rule["answer"]))
        for item in (result or {}).get("items", []):
            edit = item.get("textEdit", item)
            if "range" in edit:
                begin, end = (position["character"] if edit["range"][key] == "cursor" else edit["range"][key] for key in ("from", "to"))
                edit["range"] = {"start": {**position, "character": begin}, "end": {**position, "character": end}}
        self.send({"id": request_id, "result": result})

    def complete(self, request_id, params, of_list):
        position = params["position"]
        if params["textDocument"]["uri"] not in self.documents:
            self.send({"id": request_id, "error": {"code": -32602, "message": "the document is not open"}})
            return
        line = self.documents[params["textDocument"]["uri"]].split("\n")[position["line"]].rstrip("\r")
        before = self.before(line, position["character"])
        kind = params["context"]["triggerKind"]
        fitting = (rule for rule in self.rules if "before" in rule and before.endswith(rule["before"])
                   and rule.get("kind", kind) == kind and rule.get("list", False) == of_list)
        rule = next(fitting, {"answer": None})
        timer = threading.Timer(rule.get("delay_ms", 0) / 1000, self.answer, (request_id, rule, position))
        self.timers[request_id] = timer
        timer.start()

    def handle(self, message):
        self.log.write(json.dumps(message) + "\n")
        self.log.flush()
        method, params, request_id = message.get("method"), message.get("params"), message.get("id")
        if method == "initialize":
            self.utf32 = params["capabilities"].get("general", {}).get("positionEncodings", [""])[0] == "utf-32"
            capabilities = {"positionEncoding": "utf-32" if self.utf32 else "utf-16", "textDocumentSync": {"openClose": True, "change": 2},
                            "inlineCompletionProvider": True, "completionProvider": {}}
            for rule in self.rules:
                if "experimental" in rule:
                    capabilities.update(rule)
            self.send({"id": request_id, "result": {"capabilities": capabilities}})
        elif method == "initialized":
            for rule in self.rules:
                if "notify" in rule:
                    self.send({"method": rule["notify"], "params": rule["params"]})
        elif method == "textDocument/didClose":
            del self.documents[params["textDocument"]["uri"]]
        elif method == "textDocument/didOpen":
            self.documents[params["textDocument"]["uri"]] = params["textDocument"]["text"]
        elif method == "textDocument/didChange":
            for change in params["contentChanges"]:
                self.change(params["textDocument"]["uri"], change)
        elif method in ("textDocument/inlineCompletion", "textDocument/completion"):
            self.complete(request_id, params, method == "textDocument/completion")
        elif method == "tenon/text":
            self.send({"id": request_id, "result": {"text": self.documents.get(params["textDocument"]["uri"])}})
        elif method == "$/cancelRequest":
            timer = self.timers.pop(params["id"], None)
            if timer:
                timer.cancel()
                self.send({"id": params["id"], "error": {"code": -32800, "message": "cancelled"}})
        elif method == "shutdown":
            self.send({"id": request_id, "result": None})
        elif method == "exit":
            sys.exit(0)
        elif request_id is not None and method is not None:
            self.send({"id": request_id, "error": {"code": -32601, "message": f"no method '{method}'"}})


def main():
    pathlib.Path(sys.argv[2]).with_name("pid").write_text(str(os.getpid()))
    with open(sys.argv[1], encoding="utf-8") as script, open(sys.argv[2], "a", encoding="utf-8") as log:
        server = Server(json.load(script), log)
        while message := read_message(sys.stdin.buffer):
            server.handle(message)


if __name__ == "__main__":
    main()
