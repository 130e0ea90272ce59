"""A client of `tenon --stdio` that asks for one completion after another."""

import json
import subprocess
import sys
import time

PATIENCE_S = 600  # an end to hangs, no verdict


class Server:
    """A server of its own, without a daemon; its model is ready. `budget_ms`: the time of a request."""

    def __init__(self, tenon, model, budget_ms):
        self.process = subprocess.Popen([tenon, "--stdio", "--no-daemon", "--log", "error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        options = {"completion.invokedBudgetMs": budget_ms, "completion.automaticBudgetMs": budget_ms, **({"model": model} if model else {})}
        self.ask("initialize", {"processId": None, "initializationOptions": options,
                                "capabilities": {"general": {"positionEncodings": ["utf-8"]}}})
        self.tell("initialized", {})
        until = time.monotonic() + PATIENCE_S
        while self.complete("python", "file:///ready.py", b"x = \n", 4) is None:  # the model is loading
            status = self.ask("tenon/status", {})
            if status["state"] in ("failed", "off") or time.monotonic() > until:
                sys.exit(f"{tenon} completes nothing; it is {status['state']}: {status['reason']}")
            time.sleep(0.2)

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.write({"id": self.last, "method": method, "params": params})
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == self.last and "method" not in message:
                return message.get("result")

    def ask_at(self, method, language, uri, text, offset):
        """The first item that is offered at the byte offset as to a person, and the position; None in the item's place: nothing."""
        before = text[:offset]
        position = {"line": before.count(b"\n"), "character": offset - (before.rfind(b"\n") + 1)}
        document = {"uri": uri, "languageId": language, "version": 1, "text": text.decode()}
        self.tell("textDocument/didOpen", {"textDocument": document})
        result = self.ask(method, {"textDocument": {"uri": uri}, "position": position, "context": {"triggerKind": 1}})
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        return (result["items"][0] if result and result["items"] else None), position

    def list_item(self, language, uri, text, offset):
        """The first item of the list at the byte offset, or None."""
        return self.ask_at("textDocument/completion", language, uri, text, offset)[0]

    def offer(self, language, uri, text, offset):
        """What is offered at the byte offset: its text, and how many bytes after the cursor it replaces. None: nothing."""
        item, position = self.ask_at("textDocument/inlineCompletion", language, uri, text, offset)
        if item is None:
            return None
        place = item.get("range", {"start": position, "end": position})
        if place["start"] != position or place["end"]["line"] != position["line"]:
            raise ValueError(f"an item at {position} replaces {place}")
        return item["insertText"].encode(), place["end"]["character"] - position["character"]

    def complete(self, language, uri, text, offset):
        """The text that is offered at the byte offset, or None."""
        offered = self.offer(language, uri, text, offset)
        return offered and offered[0]
