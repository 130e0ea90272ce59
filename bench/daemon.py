#!/usr/bin/env python3
"""Figures of the daemon and its proxies: memory, starts, idle processor time, added latency.

The daemon runs in a folder of its own, beside the user's. Prints one JSON object a line.

usage: bench/daemon.py TENON [--model NAME] [--rounds N]
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TEXT = "def area(width, height):\n    return width * height\n\n\nprint(area(2, ))\n"
CURSOR = {"line": 4, "character": 14}
PATIENCE_S = 600  # an end to hangs, no verdict
INVOKED, AUTOMATIC = 1, 2  # InlineCompletionTriggerKind: a person who asks gets up to three items


class Editor:
    def __init__(self, tenon, environment, *options):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen([tenon, "--stdio", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment)
        self.asked = 0

    def send(self, method, params, request=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method, params):
        self.asked += 1
        self.send(method, params, self.asked)
        while True:
            header = self.process.stdout.readline()
            self.process.stdout.readline()
            message = json.loads(self.process.stdout.read(int(header.split()[1])))
            if message.get("id") == self.asked and "method" not in message:
                return message.get("result")

    def start(self):
        """Milliseconds from the start of the process to the answer to `initialize`."""
        self.ask("initialize", {"capabilities": {}})
        taken = (time.perf_counter() - self.begun) * 1000
        self.send("initialized", {})
        self.send("textDocument/didOpen", {"textDocument": {"uri": "test:///a.py", "languageId": "python", "version": 1, "text": TEXT}})
        return taken

    def first_answer(self, kind=AUTOMATIC):
        """Milliseconds from the start of the process to the first completion."""
        question = {"textDocument": {"uri": "test:///a.py"}, "position": CURSOR, "context": {"triggerKind": kind}}
        until = time.monotonic() + PATIENCE_S
        while not self.ask("textDocument/inlineCompletion", question):
            status = self.ask("tenon/status", {}) or {}  # nothing of a daemon that was killed
            if status.get("state") in ("failed", "off") or time.monotonic() > until:
                sys.exit(f"nothing is completed; the server says {status}")
            time.sleep(0.005)
        return (time.perf_counter() - self.begun) * 1000

    def round_trips(self, count):
        """Median milliseconds of a request that nobody knows, each after the last one's answer."""
        taken = []
        for _ in range(count):
            begun = time.perf_counter()
            self.ask("$/none", None)
            taken.append((time.perf_counter() - begun) * 1000)
        return statistics.median(taken)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def memory_mb(pid):
    """Resident, proportional and own memory in MB."""
    kilobytes = {}
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        kilobytes[line.split(":")[0]] = int(line.split()[1])
    own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return {name: round(value / 1024, 1) for name, value in [("rss", kilobytes["Rss"]), ("pss", kilobytes["Pss"]), ("own", own)]}


def processor_ms(pid):
    ticks = sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def daemon_pids(folder):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if any(part.startswith(str(folder)) and part.endswith(".sock") for part in command):
                found.append(int(entry.name))
    return found


def say(**row):
    print(json.dumps(row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tenon")
    parser.add_argument("--model", default=None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle-seconds", type=int, default=60)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-bench-"))
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(folder), XDG_STATE_HOME=str(folder / "state"))
    model = ["--model", options.model] if options.model else []

    def end_daemons():
        for pid in daemon_pids(folder):
            os.kill(pid, signal.SIGTERM)
        while daemon_pids(folder):
            time.sleep(0.01)

    try:
        cold, cold_first, warm, warm_first, invoked, after_kill = [], [], [], [], [], []
        for _ in range(options.rounds):
            one = Editor(options.tenon, environment, *model)
            cold.append(one.start())
            cold_first.append(one.first_answer())
            two = Editor(options.tenon, environment, *model)
            warm.append(two.start())
            warm_first.append(two.first_answer())
            three = Editor(options.tenon, environment, *model)
            three.start()
            invoked.append(three.first_answer(INVOKED))
            begun = time.perf_counter()
            os.kill(daemon_pids(folder)[0], signal.SIGKILL)
            one.first_answer()
            after_kill.append((time.perf_counter() - begun) * 1000)
            one.end()
            two.end()
            three.end()
            end_daemons()
        for name, values in [("initialize_without_daemon", cold), ("first_answer_without_daemon", cold_first), ("initialize_with_daemon", warm),
                             ("first_answer_with_daemon", warm_first), ("first_invoked_answer_with_daemon", invoked),
                             ("first_answer_after_kill", after_kill)]:
            say(name=name, unit="ms", p50=round(statistics.median(values), 1), max=round(max(values), 1), count=len(values))
        one, two = Editor(options.tenon, environment, *model), Editor(options.tenon, environment, *model)
        for editor in (one, two):
            editor.start()
            editor.first_answer()
        [daemon] = daemon_pids(folder)
        say(name="memory_of_daemon", unit="MB", **memory_mb(daemon))
        say(name="memory_of_second_editor", unit="MB", **memory_mb(two.process.pid))
        through = one.round_trips(2000)
        direct = Editor(options.tenon, environment, "--no-daemon", *model)
        direct.start()
        direct.first_answer()
        say(name="added_latency", unit="ms", p50=round(through - direct.round_trips(2000), 3), through=round(through, 3))
        direct.end()
        time.sleep(2)
        pids = [daemon, one.process.pid, two.process.pid]
        before = [processor_ms(pid) for pid in pids]
        time.sleep(options.idle_seconds)
        say(name="idle_processor_time", unit="ms", seconds=options.idle_seconds, total=sum(processor_ms(pid) for pid in pids) - sum(before))
        one.end()
        two.end()
    finally:
        end_daemons()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
