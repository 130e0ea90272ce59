#!/usr/bin/env python3
"""Real code typed again, a key each so many milliseconds, whatever the server does: what does somebody who types see in time?

    bench/typing_by_the_clock.py TENON LANGUAGE FOLDER... [--regions N] [--lines N] [--seed N] [--key-ms N] [--rest-ms N]
                                 [--cursor] [--budget-ms N] [--model NAME] [--verbose]

`tenon eval typing` waits for each answer. Here the next key cancels a question that is still open, as editors do, and comes at its
time. In each of N files of FOLDERs a few lines are taken out, the cursor rests there for a while, and they are typed again. A
suggestion that is right to the end of its line is accepted as soon as it is there; a line end brings its indentation with it.
--cursor: the client tells where the cursor rests (tenon/didMoveCursor). Prints one JSON object: the share of the keystrokes that
were saved, of the keys after which something was shown, and of the shown characters that were right.
"""

import argparse
import json
import pathlib
import queue
import random
import threading
import time

from lsp_client import Server

SUFFIXES = {"go": ".go", "java": ".java", "javascript": ".js", "python": ".py", "typescript": ".ts", "typescriptreact": ".tsx"}
MOST_BYTES = 100_000


class TypingClient(Server):
    """A server whose answers are read while keys are typed."""

    def __init__(self, tenon, model, budget_ms):
        super().__init__(tenon, model, budget_ms)
        self.answers = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length == 0:
                return
            message = json.loads(self.process.stdout.read(length))
            if "method" not in message:
                self.answers.put((message["id"], message.get("result")))

    def text_within(self, uri, position, until):
        """The text that is shown at the position, or nothing; the question is cancelled when its time is over."""
        self.last += 1
        self.write({"id": self.last, "method": "textDocument/inlineCompletion",
                    "params": {"textDocument": {"uri": uri}, "position": position, "context": {"triggerKind": 2}}})
        while (left := until - time.monotonic()) > 0:
            try:
                number, result = self.answers.get(timeout=left)
            except queue.Empty:
                break
            if number == self.last:
                items = (result or {}).get("items", [])
                return items[0]["insertText"] if items else ""
        self.tell("$/cancelRequest", {"id": self.last})
        return ""


def chosen_regions(folders, language, count, lines, seed):
    """Tuples (path, text, begin, end): so many lines of a file, from the first sign of the first one; no blank line at either end."""
    chance = random.Random(seed)
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*" + SUFFIXES[language]) if path.is_file())
    chance.shuffle(paths)
    for path in paths:
        text = path.read_bytes().decode(errors="replace")
        if not text.isascii() or len(text) > MOST_BYTES or "\r" in text:
            continue
        rows = text.splitlines(keepends=True)
        firsts = [i for i in range(len(rows) - lines) if rows[i].strip() and rows[i + lines - 1].strip()]
        if not firsts:
            continue
        first = chance.choice(firsts)
        begin = sum(map(len, rows[:first])) + len(rows[first]) - len(rows[first].lstrip())
        yield path, text, begin, sum(map(len, rows[:first + lines])) - 1
        count -= 1
        if count == 0:
            return


def next_key(rest):
    """The text that one key brings: a line end has the blanks after it."""
    return rest[:1] if rest[0] != "\n" else rest[:1 + len(rest[1:]) - len(rest[1:].lstrip(" \t"))]


def type_region(client, number, region, options):
    path, text, begin, end = region
    uri = f"file:///typed/{number}/{path.name}"
    client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": options.language, "version": 1,
                                                          "text": text[:begin] + text[end:]}})

    def position():
        return {"line": text.count("\n", 0, at), "character": at - text.rfind("\n", 0, at) - 1}

    at, count = begin, {"keys": 0, "plain_keys": 0, "accepted": 0, "shown": 0, "shown_characters": 0, "right_characters": 0}
    if options.cursor:
        client.tell("tenon/didMoveCursor", {"textDocument": {"uri": uri}, "position": position()})
    time.sleep(options.rest_ms / 1000)
    while at < end:
        until = time.monotonic() + options.key_ms / 1000
        shown, rest = client.text_within(uri, position(), until), text[at:end]
        line = rest.partition("\n")[0].rstrip()
        accepts = line.strip() != "" and shown.partition("\n")[0].rstrip() == line
        if options.verbose:
            print(f"{text[:at].rpartition(chr(10))[2][-60:]}|{shown!r}{' accepted' if accepts else ''}")
        count["shown"] += shown != ""
        count["shown_characters"] += len(shown)
        count["right_characters"] += next((i for i, (a, b) in enumerate(zip(shown, rest)) if a != b), min(len(shown), len(rest)))
        count["accepted"] += accepts
        count["keys"] += 1
        typed = line if accepts else next_key(rest)
        if not accepts:
            time.sleep(max(0, until - time.monotonic()))
        client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": count["keys"] + 1}, "contentChanges": [
            {"range": {"start": position(), "end": position()}, "text": typed}]})
        at += len(typed)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    at = begin
    while at < end:
        at += len(next_key(text[at:end]))
        count["plain_keys"] += 1
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenon")
    parser.add_argument("language", choices=sorted(SUFFIXES))
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--regions", type=int, default=8)
    parser.add_argument("--lines", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--key-ms", type=int, default=200)
    parser.add_argument("--rest-ms", type=int, default=3000)
    parser.add_argument("--budget-ms", type=int, default=30000)
    parser.add_argument("--cursor", action="store_true")
    parser.add_argument("--model")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    client = TypingClient(options.tenon, options.model, options.budget_ms)
    counts = [type_region(client, number, region, options) for number, region in enumerate(
        chosen_regions(options.folders, options.language, options.regions, options.lines, options.seed))]
    total = {name: sum(count[name] for count in counts) for name in counts[0]}
    print(json.dumps({"language": options.language, "regions": len(counts), "saved": round(1 - total["keys"] / total["plain_keys"], 3),
                      "answered": round(total["shown"] / total["keys"], 3), "accepted_lines": total["accepted"],
                      "right": round(total["right_characters"] / max(1, total["shown_characters"]), 3), **total}))
    client.process.kill()


if __name__ == "__main__":
    main()
