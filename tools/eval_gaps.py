#!/usr/bin/env python3
"""Cuts gaps of up to 100 characters from valid Python files and asks tenon about them.

Two experiments, both on files that `tenon check` accepts:

  recall       each cut is asked through `tenon gap --batch`: it must be viable, and the cut text a member.
  completion   each gap is completed through the language server. Reported: answers that are not blank, answers that ended
               where the model reached (`stop`), answers after which the file does not parse (must be none), answers in which
               a comment or string of the completion swallows text right of the cursor (must be none), edit similarity to the text
               that was cut, also that of the witness alone (the closing text without a model), and the time from request to answer.

Usage: eval_gaps.py {recall,completion} TENON FOLDER [--files N] [--cuts N] [--seed S] [--json FILE]
"""
import argparse
import ast
import difflib
import io
import json
import pathlib
import random
import statistics
import subprocess
import sys
import time
import tokenize
import warnings

warnings.simplefilter("ignore")


def files_under(folder, count, rng):
    """Valid Python files of 500 bytes to 60 KB, in random order."""
    found = sorted(pathlib.Path(folder).rglob("*.py"))
    rng.shuffle(found)
    for path in found:
        try:
            text = path.read_bytes().decode("utf-8")
            if not 500 <= len(text) <= 60000:
                continue
            ast.parse(text)
        except (ValueError, SyntaxError, RecursionError):
            continue
        yield path, text
        count -= 1
        if count == 0:
            return


def cuts_of(text, count, rng):
    for _ in range(count):
        begin = rng.randrange(len(text) - 100)
        end = begin + rng.randint(1, 100)
        if text[begin:end].strip():
            yield begin, end


def recall(args, rng):
    process = subprocess.Popen([args.tenon, "gap", "--batch", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    asked = viable = member = 0
    missed = []
    for path, text in files_under(args.folder, args.files, rng):
        data = text.encode()
        if subprocess.run([args.tenon, "check", str(path)], capture_output=True).returncode != 0:
            continue
        for begin, end in cuts_of(text, args.cuts, rng):
            a, b = len(text[:begin].encode()), len(text[:end].encode())
            request = {"path": str(path), "language": "python", "at": [a, b], "insert": data[a:b].decode()}
            empty = {"path": str(path), "language": "python", "at": [a, b]}
            answers = []
            for one in (empty, request):
                process.stdin.write((json.dumps(one) + "\n").encode())
                process.stdin.flush()
                answers.append(json.loads(process.stdout.readline()))
            asked += 1
            viable += answers[0].get("viable", False)
            member += answers[1].get("member", False)
            if not (answers[0].get("viable") and answers[1].get("member")):
                missed.append({"path": str(path), "at": [a, b], "answers": answers})
    process.stdin.close()
    return {"asked": asked, "viable": viable, "member": member, "missed": missed}


class Server:
    """A language server on stdio."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        capabilities = {"general": {"positionEncodings": ["utf-32"]}, "textDocument": {"completion": {"completionItem": {}}}}
        self.encoding = self.ask("initialize", {"processId": None, "rootUri": None, "clientInfo": {"name": "Visual Studio Code"},
                                                "capabilities": capabilities})["capabilities"].get("positionEncoding")
        if self.encoding != "utf-32":
            sys.exit("eval_gaps: the server did not take utf-32 positions")
        self.tell("initialized", {})

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("eval_gaps: the server ended")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        self.next_id += 1
        self.write({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.next_id and "method" not in message:
                if "error" in message:
                    sys.exit(f"eval_gaps: {method} failed: {message['error']}")
                return message["result"]
            if "id" in message and "method" in message:
                self.write({"id": message["id"], "result": None})


def position(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": offset - (before.rfind("\n") + 1)}


def swallows(text, begin, end):
    """Does a comment or string that begins inside text[begin:end] reach beyond end?"""
    starts = [0]
    for line in text.splitlines(True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            a, b = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
            if begin <= a < end < b:
                return True
    return False


def complete(server, uri, text, begin, end):
    buffer = text[:begin] + text[end:]
    server.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": buffer}})
    asked = time.monotonic()
    result = server.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": position(buffer, begin)})
    seconds = time.monotonic() - asked
    server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    items = result["items"] if result else []
    if not items:
        return None, None, seconds
    edit = items[0]["textEdit"]
    span = edit["range"]
    lines = buffer.splitlines(True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    a = offsets[span["start"]["line"]] + span["start"]["character"]
    b = offsets[span["end"]["line"]] + span["end"]["character"]
    after = buffer[:a] + edit["newText"] + buffer[b:]
    right = len(buffer) - begin
    return after[begin:len(after) - right], items[0].get("data", {}).get("ended"), seconds


def closing_of(gaps, text, begin, end):
    """The text that closes the gap without a model; empty where there is none."""
    a, b = len(text[:begin].encode()), len(text[:end].encode())
    gaps.stdin.write((json.dumps({"text": text, "language": "python", "at": [a, b], "close": True}) + "\n").encode())
    gaps.stdin.flush()
    return json.loads(gaps.stdout.readline()).get("closing", "")


def similarity(a, b):
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def completion(args, rng):
    server = Server([args.tenon, "--stdio"])
    gaps = subprocess.Popen([args.tenon, "gap", "--batch", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    wait_until_loaded(server)
    asked = not_blank = stopped = wrong = swallowed = 0
    times, similar, witness, problems, empty, answers = [], [], [], [], [], []
    for path, text in files_under(args.folder, args.files, rng):
        if "\r" in text or subprocess.run([args.tenon, "check", str(path)], capture_output=True).returncode != 0:
            continue
        for begin, end in cuts_of(text, args.cuts, rng):
            middle, ended, seconds = complete(server, path.as_uri(), text, begin, end)
            asked += 1
            times.append(seconds)
            witness.append(similarity(closing_of(gaps, text, begin, end), text[begin:end]))
            if middle is None or not middle.strip():
                empty.append({"path": str(path), "at": [begin, end]})
                similar.append(0)
                continue
            not_blank += 1
            stopped += ended == "stop"
            similar.append(similarity(middle, text[begin:end]))
            answers.append({"path": str(path), "at": [begin, end], "left": text[max(0, begin - 60):begin], "cut": text[begin:end],
                            "right": text[end:end + 60], "middle": middle, "ended": ended, "similarity": similar[-1]})
            after = text[:begin] + middle + text[end:]
            try:
                ast.parse(after)
                if swallows(after, begin, begin + len(middle)):
                    swallowed += 1
                    problems.append({"path": str(path), "at": [begin, end], "middle": middle, "problem": "swallows"})
            except (SyntaxError, ValueError) as error:
                wrong += 1
                problems.append({"path": str(path), "at": [begin, end], "middle": middle, "problem": str(error)})
    server.ask("shutdown", None)
    server.tell("exit", None)
    return {"asked": asked, "not_blank": not_blank, "stop": stopped, "wrong": wrong, "swallowed": swallowed,
            "edit_similarity": statistics.mean(similar), "witness_similarity": statistics.mean(witness), "p50_s": statistics.median(times),
            "p90_s": statistics.quantiles(times, n=10)[8], "problems": problems, "empty": empty, "answers": answers}


def wait_until_loaded(server):
    uri, deadline = "file:///warm_up.py", time.monotonic() + 120
    while time.monotonic() < deadline:
        middle, _, _ = complete(server, uri, "def add(a, b):\n    return a + b\n", 27, 31)
        if middle:
            return
        time.sleep(0.2)
    sys.exit("eval_gaps: the model did not load within two minutes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=["recall", "completion"])
    parser.add_argument("tenon")
    parser.add_argument("folder")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--cuts", type=int, default=4, help="gaps a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write everything, with each problem, to this file")
    args = parser.parse_args()
    result = {"recall": recall, "completion": completion}[args.experiment](args, random.Random(args.seed))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(result, indent=1))
    print(json.dumps({key: value for key, value in result.items() if not isinstance(value, list)}))


if __name__ == "__main__":
    main()
