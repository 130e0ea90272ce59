#!/usr/bin/env python3
"""Hours of editing, played as fast as answers come: four editors, one daemon, and what goes wrong in the meantime.

Each editor types real files: it opens one with some lines cut out and types them again, key by key, with slips, undone
edits, pastes, accepted suggestions, cancelled requests, and documents that are closed and opened again. Meanwhile editors
and daemons are killed by SIGKILL, the folder of the cache cannot be written or is full, and log files may not grow.

What must hold, or the exit status is 1:
  - each request of an editor that lives is answered exactly once;
  - the text that the daemon has of a document (`tenon/text`) is the editor's;
  - no process ends that was not killed, and none is left as a zombie;
  - from an hour after its start to the end the last daemon's resident memory grows by at most 5 % (--hours 6 or more: the
    second half of a run kills no daemon, and each hour's end is a figure).

An hour is 2,000 keys of each editor. Prints one JSON object a line: an hour's counts, then the sum.

With --calm nothing is killed and the cache is good: one daemon from the beginning to the end, whose memory is a figure each
tenth of an hour. The growth is that from the middle of the run to its end.

usage: bench/soak.py TENON [--hours H] [--editors N] [--files FOLDER] [--seed N] [--seconds S] [--calm]
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

KEYS_AN_HOUR = 2000
PATIENCE = 600  # seconds; an end to hangs, no verdict
LANGUAGES = {".py": "python", ".json": "json", ".go": "go", ".sql": "sql", ".cpp": "cpp", ".md": "markdown"}
MOST_FILE_BYTES = 12_000
LOG_BYTES = 256 << 10
SETTINGS = {"maxTokens": 8, "completion.automaticBudgetMs": 150, "completion.invokedBudgetMs": 600}


class Violation(Exception):
    """What must not happen."""


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def position(text, offset):
    line_begin = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, line_begin), "character": utf16(text[line_begin:offset])}


def offset_of(text, at):
    begin = 0
    for _ in range(at["line"]):
        begin = text.index("\n", begin) + 1
    end, units = begin, 0
    while units < at["character"]:
        units += utf16(text[end])
        end += 1
    return end


def difference(result, text):
    """Where the daemon's text leaves the editor's."""
    if not result or not result["inStep"]:
        return f"the daemon has none, or has lost step ({str(result)[:100]})"
    at = len(os.path.commonprefix([result["text"], text]))
    return f"from {at} on it has {result['text'][at:at + 60]!r} for {text[at:at + 60]!r}"


class Process:
    """An editor's side of `tenon --stdio`."""

    def __init__(self, tenon, environment, log_is_full):
        def limit():
            if log_is_full:
                resource.setrlimit(resource.RLIMIT_FSIZE, (LOG_BYTES, LOG_BYTES))

        self.process = subprocess.Popen([tenon, "--stdio", "--model", "smollm2-135m-fim", "--log", "debug", "--idle-minutes", "0.1"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, preexec_fn=limit)
        self.changed = threading.Condition()
        self.writing = threading.Lock()
        self.asked, self.open, self.answers, self.fault, self.killed = 0, set(), {}, None, False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        out = self.process.stdout
        try:
            while header := out.readline():
                out.readline()
                message = json.loads(out.read(int(header.split()[1])))
                if "method" in message:
                    if "id" in message:
                        self.write({"id": message["id"], "result": None})
                    continue
                with self.changed:
                    if message["id"] not in self.open:
                        self.fault = f"a second answer, or one to no request: {json.dumps(message)[:300]}"
                    self.open.discard(message["id"])
                    self.answers[message["id"]] = message
                    self.changed.notify_all()
        except (ValueError, OSError, IndexError):
            pass
        with self.changed:
            if not self.killed:
                self.fault = self.fault or "a process ended that was not killed"
            self.changed.notify_all()

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            with self.writing:
                self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self.process.stdin.flush()
        except (OSError, ValueError):
            if not self.killed:
                raise Violation("a process ended that was not killed") from None

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        with self.changed:
            self.asked += 1
            number = self.asked
            self.open.add(number)
        self.write({"id": number, "method": method, "params": params})
        return number

    def wait(self, done):
        with self.changed:
            if not self.changed.wait_for(lambda: self.fault or done(), PATIENCE):
                raise Violation(f"no answer in {PATIENCE} s to {sorted(self.open)[:5]}")
            if self.fault:
                raise Violation(self.fault)

    def answer_to(self, number):
        self.wait(lambda: number in self.answers)
        return self.answers.pop(number)

    def kill(self):
        self.killed = True
        self.process.kill()
        self.close()

    def close(self):
        self.killed = True
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()


class Document:
    def __init__(self, number, path, rng):
        self.text = path.read_text()
        lines = self.text.splitlines(keepends=True)
        begin = rng.randrange(len(lines))
        end = min(len(lines), begin + 1 + rng.randrange(8))
        self.at = len("".join(lines[:begin]))
        self.to_type = "".join(lines[begin:end])
        self.text = "".join(lines[:begin] + lines[end:])
        self.uri, self.language = f"file:///soak/{number}/{path.name}", LANGUAGES[path.suffix]
        self.version, self.undo = 1, []


class Editor(threading.Thread):
    def __init__(self, soak, number):
        super().__init__(daemon=True)
        self.soak, self.number, self.rng = soak, number, random.Random(soak.options.seed * 1000 + number)
        self.documents, self.opened, self.counts, self.keys, self.fault = [], 0, {}, 0, None
        self.process = None

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def run(self):
        try:
            self.start_process()
            while not self.soak.is_over(self):
                self.soak.pass_hour(self)
                self.act()
            self.check_all()
            self.process.answer_to(self.process.ask("shutdown", None))
            self.process.tell("exit", None)
            self.process.close()
        except Violation as violation:
            self.fault = f"editor {self.number}, key {self.keys}: {violation}"
        except Exception as error:  # of this script: told as a violation
            self.fault = f"editor {self.number}, key {self.keys}: {error!r}"
        if self.fault:
            print(json.dumps({"fault": self.fault}), flush=True)

    def start_process(self):
        self.process = Process(self.soak.options.tenon, self.soak.environment, self.rng.random() < 0.3)
        capabilities = {"experimental": {"tenon": {"text": True}}, "workspace": {"configuration": self.rng.random() < 0.5}}
        self.process.answer_to(self.process.ask("initialize", {"capabilities": capabilities, "initializationOptions": SETTINGS}))
        self.process.tell("initialized", {})
        for document in self.documents:
            self.open_document(document)
        self.count("starts")

    def open_document(self, document):
        self.process.tell("textDocument/didOpen", {"textDocument": {"uri": document.uri, "languageId": document.language,
                                                                    "version": document.version, "text": document.text}})

    def change(self, document, begin, end, text, undoable=True):
        old = document.text[begin:end]
        where = {"start": position(document.text, begin), "end": position(document.text, end)}
        document.text = document.text[:begin] + text + document.text[end:]
        document.at = begin + len(text)
        document.version += 1
        if undoable:
            document.undo = document.undo[-30:] + [(begin, begin + len(text), old)]
        self.process.tell("textDocument/didChange", {"textDocument": {"uri": document.uri, "version": document.version},
                                                     "contentChanges": [{"range": where, "text": text}]})

    def complete(self, document, inline, invoked):
        params = {"textDocument": {"uri": document.uri}, "position": position(document.text, document.at)}
        if inline:
            params["context"] = {"triggerKind": 1 if invoked else 2}
        self.count("requests")
        return self.process.ask("textDocument/inlineCompletion" if inline else "textDocument/completion", params)

    def act(self):
        rng = self.rng
        if not self.documents or (len(self.documents) < 3 and rng.random() < 0.01):
            self.opened += 1
            self.documents.append(Document(f"{self.number}-{self.opened}", rng.choice(self.soak.files), rng))
            self.open_document(self.documents[-1])
        document = rng.choice(self.documents[-2:])
        dice = rng.random()
        if dice < 0.0008 and not self.soak.options.calm:
            self.count("editor kills")
            self.process.kill()
            return self.start_process()
        if dice < 0.003:
            return self.reopen(document)
        if dice < 0.006 or not document.to_type:
            return self.finish(document)
        if dice < 0.05 and document.undo:
            for _ in range(min(len(document.undo), 1 + rng.randrange(4))):
                begin, end, old = document.undo.pop()
                self.change(document, begin, end, old, undoable=False)
                self.count("undone")
        elif dice < 0.06:
            self.change(document, document.at, document.at, "x = (" * rng.randrange(1, 40))  # a paste
        elif dice < 0.1 and document.at > 0:
            self.change(document, document.at - 1, document.at, "")
        else:
            key, document.to_type = document.to_type[:1], document.to_type[1:]
            self.change(document, document.at, document.at, key)
        self.keys += 1
        if self.keys % 50 == 0:
            self.wait_for_model()
        if rng.random() < 0.4:
            self.suggest(document)
        # The reader's thread empties the set.
        with self.process.changed:
            oldest = min(self.process.open) if len(self.process.open) > 3 else None
        if oldest is not None:
            self.process.wait(lambda: oldest not in self.process.open)
            self.process.answers.clear()

    def wait_for_model(self):
        """Typing is quick while nothing answers: without a model it would be soon over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not self.soak.is_over(self):
            status = self.process.answer_to(self.process.ask("tenon/status", {})).get("result")
            if status and status["state"] == "failed":
                raise Violation(f"no model: {status['reason']}")
            if status and status["state"] != "loading":
                return
            time.sleep(0.05)

    def suggest(self, document):
        number = self.complete(document, self.rng.random() < 0.7, self.rng.random() < 0.2)
        dice = self.rng.random()
        if dice < 0.15:
            self.count("cancels")
            return self.process.tell("$/cancelRequest", {"id": number})
        if dice < 0.6:
            return None  # typed on
        result = self.process.answer_to(number).get("result")
        items = result["items"] if result else []
        if items and self.rng.random() < 0.5:
            item = items[0]
            edit = item.get("textEdit") or {"range": item["range"], "newText": item["insertText"]}
            where = edit.get("range") or edit["replace"]
            self.change(document, offset_of(document.text, where["start"]), offset_of(document.text, where["end"]), edit["newText"])
            self.count("accepted")
        return None

    def reopen(self, document):
        self.process.tell("textDocument/didClose", {"textDocument": {"uri": document.uri}})
        self.open_document(document)
        self.count("reopened")

    def finish(self, document):
        self.check(document)
        self.process.tell("textDocument/didClose", {"textDocument": {"uri": document.uri}})
        self.documents.remove(document)
        self.count("files")

    def check(self, document):
        until = time.monotonic() + PATIENCE
        while True:
            result = self.process.answer_to(self.process.ask("tenon/text", {"textDocument": {"uri": document.uri}})).get("result")
            if result or time.monotonic() > until:
                break
            time.sleep(0.05)  # between two daemons each request is answered with nothing
        if not result or result["text"] != document.text or not result["inStep"]:
            raise Violation(f"the text of {document.uri} is not the editor's: {difference(result, document.text)}")
        self.count("texts compared")

    def check_all(self):
        for document in self.documents:
            self.check(document)
        self.process.wait(lambda: not self.process.open)


class Soak:
    def __init__(self, options):
        self.options, self.rng = options, random.Random(options.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-soak-"))
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=str(self.folder), XDG_STATE_HOME=str(self.folder / "state"),
                                XDG_CONFIG_HOME=str(self.folder / "config"), XDG_CACHE_HOME=str(self.folder / "cache"))
        self.files = sorted(path for path in options.files.rglob("*") if path.suffix in LANGUAGES and "build" not in path.parts and
                            path.is_file() and 0 < path.stat().st_size < MOST_FILE_BYTES)
        if not self.files:
            raise SystemExit(f"{options.files}: no file of {', '.join(LANGUAGES)} lies there; name a folder by --files")
        self.keys = int(options.hours * KEYS_AN_HOUR)
        self.begun, self.hour, self.memory = time.monotonic(), 0, {}
        self.counts = {"daemon kills": 0, "caches": []}
        self.daemons = set()
        self.tmpfs = self.make_caches()
        self.editors = [Editor(self, number) for number in range(options.editors)]

    def make_caches(self):
        """Caches that are good, cannot be written, and (where the system allows it) are full."""
        (self.folder / "good").mkdir()
        os.symlink(self.folder / "good", self.folder / "cache")
        full = self.folder / "full"
        full.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full], capture_output=True, check=False)
        return full if mounted.returncode == 0 else None

    def use_cache(self):
        kinds = {"good": self.folder / "good", "read-only": pathlib.Path("/proc")}
        if self.tmpfs:
            kinds["full"] = self.tmpfs
        kind = self.rng.choice(sorted(kinds))
        os.symlink(kinds[kind], self.folder / "next")
        os.replace(self.folder / "next", self.folder / "cache")
        self.counts["caches"].append(kind)

    def daemon(self):
        """The process of the daemon, by its own word; nothing while there is none."""
        for path in (self.folder / "tenon").glob("*.sock"):
            try:
                with socket.socket(socket.AF_UNIX) as connected:
                    connected.settimeout(PATIENCE)
                    connected.connect(str(path))
                    body = b'{"jsonrpc":"2.0","id":1,"method":"tenon/daemon"}'
                    connected.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                    with connected.makefile("rb") as read:
                        length = int(read.readline().split()[1])
                        read.readline()
                        pid = json.loads(read.read(length))["result"]["pid"]
                self.daemons.add(pid)
                return pid
            except (OSError, IndexError, ValueError):
                continue
        return None

    def is_over(self, editor):
        if self.options.seconds:
            return time.monotonic() - self.begun > self.options.seconds
        return editor.keys >= self.keys

    def pass_hour(self, editor):
        """The first editor's keys are the clock."""
        if editor.number != 0:
            return
        share = editor.keys / self.keys
        kills = max(1, int(self.options.hours * 2))  # in the first half
        if share < 0.5 and self.counts["daemon kills"] < 2 * kills * share and not self.options.calm:
            self.kill_daemon()
        hour = editor.keys // (KEYS_AN_HOUR // 10) / 10 if self.options.calm else editor.keys // KEYS_AN_HOUR
        if hour > self.hour:
            self.hour = hour
            self.report(hour)

    def kill_daemon(self):
        pid = self.daemon()
        if not pid:
            return
        self.use_cache()
        os.kill(pid, signal.SIGKILL)
        self.counts["daemon kills"] += 1

    def resident(self, pid, kind="VmRSS"):
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(kind + ":"):
                return int(line.split()[1]) / 1000
        return None

    def report(self, hour):
        pid = self.daemon()
        if not pid:
            return
        self.memory.setdefault(pid, []).append(self.resident(pid))
        proxies = [self.resident(editor.process.process.pid) for editor in self.editors if editor.process.process.poll() is None]
        print(json.dumps({"hour": hour, "seconds": round(time.monotonic() - self.begun), "daemon": pid, "daemon_mb": self.memory[pid][-1], "own_mb": self.resident(pid, "RssAnon"),
                          "proxies_mb": proxies, "daemon_kills": self.counts["daemon kills"]}), flush=True)

    def zombies(self):
        """Processes that ended, and for which neither this program nor a process of tenon waited."""
        found, parents = [], self.daemons | {os.getpid()}
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                name, rest = status.read_text().split("(", 1)[1].rsplit(")", 1)
            except OSError:
                continue
            state, parent = rest.split()[:2]
            if name == "tenon" and state == "Z" and int(parent) in parents:
                found.append(status.parent.name)
        return found

    def run(self):
        for editor in self.editors:
            editor.start()
        for editor in self.editors:
            editor.join()
        faults = [editor.fault for editor in self.editors if editor.fault]
        faults += [f"process {pid} is a zombie" for pid in self.zombies()]
        last = self.memory.get(self.daemon(), [])
        if len(self.daemons) > self.counts["daemon kills"] + 1:
            faults.append(f"{len(self.daemons)} daemons, and {self.counts['daemon kills']} were killed")
        counts = dict(self.counts, keys=sum(editor.keys for editor in self.editors))
        for editor in self.editors:
            for what, number in editor.counts.items():
                counts[what] = counts.get(what, 0) + number
        growth = None
        # The first figure is of a daemon of less than an hour; without kills the first half is the warm-up.
        warm = len(last) // 2 if self.options.calm else 1
        if not self.options.seconds and len(last) > 2:
            growth = round((last[-1] / last[warm] - 1) * 100, 2)
            if growth > 5:
                faults.append(f"the daemon's memory grew by {growth} %")
        counts["caches"] = {kind: counts["caches"].count(kind) for kind in set(counts["caches"])}
        print(json.dumps({"faults": faults, **counts, "growth_percent": growth, "seconds": round(time.monotonic() - self.begun)}))
        return 1 if faults else 0

    def clean(self):
        for editor in self.editors:
            if editor.process and editor.process.process.poll() is None:
                editor.process.kill()
        pid = self.daemon()
        if pid:
            os.kill(pid, signal.SIGTERM)
        if self.tmpfs:
            subprocess.run(["umount", self.tmpfs], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tenon")
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--editors", type=int, default=4)
    parser.add_argument("--files", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="end after that time, whatever was typed")
    parser.add_argument("--calm", action="store_true", help="kill nothing, and look at the memory more often")
    options = parser.parse_args()
    soak = Soak(options)
    try:
        return soak.run()
    finally:
        soak.clean()


if __name__ == "__main__":
    sys.exit(main())
