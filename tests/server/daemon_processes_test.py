#!/usr/bin/env python3
"""Editors, proxies and daemons as real processes, with the small model.

usage: daemon_processes_test.py TENON
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

TENON = ""
PATIENCE = 120


def wait(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)


class Client:
    """An editor's side of a connection: two files of bytes."""

    def __init__(self, write, read):
        self.write, self.read, self.asked, self.told = write, read, 0, []

    def send(self, method, params, request=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        body = json.dumps(message).encode()
        self.write.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.write.flush()

    def receive(self):
        header = self.read.readline()
        if not header:
            raise EOFError
        self.read.readline()
        return json.loads(self.read.read(int(header.split()[1])))

    def ask(self, method, params):
        self.asked += 1
        self.send(method, params, self.asked)
        while True:
            message = self.receive()
            if message.get("id") == self.asked and "method" not in message:
                return message.get("result")
            self.told.append(message)

    def start(self):
        result = self.ask("initialize", {"capabilities": {}, "initializationOptions": {"completion.invokedBudgetMs": 600000}})
        self.send("initialized", {})
        return result

    def open(self, uri, text):
        self.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "json", "version": 1, "text": text}})

    def insert(self, uri, version, character, text):
        at = {"line": 0, "character": character}
        self.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": {"start": at, "end": at}, "text": text}]})

    def complete(self, uri, character):
        """Asks until there is an answer: while the model loads it is null."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            result = self.ask("textDocument/inlineCompletion", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}})
            if result:
                return result["items"][0]["insertText"]
            time.sleep(0.02)
        raise AssertionError("no completion came")


class Editor(Client):
    """A client that has started `tenon --stdio`."""

    def __init__(self, environment, *options):
        self.process = subprocess.Popen([TENON, "--stdio", "--model", "smollm2-135m-fim", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        super().__init__(self.process.stdin, self.process.stdout)

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


class Daemon(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-daemon-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=str(self.folder), XDG_STATE_HOME=str(self.folder / "state"))
        self.addCleanup(self.end_daemons)

    def daemons(self):
        """What `tenon doctor` says of the daemons of this test."""
        doctor = subprocess.run([TENON, "doctor", "--json", "--no-cache", "--grammars", str(self.folder)], env=self.environment,
                                capture_output=True, text=True, check=False)
        return json.loads(doctor.stdout)["daemons"]

    def end_daemons(self):
        for daemon in self.daemons():
            os.kill(daemon["pid"], signal.SIGTERM)
        wait(lambda: not self.daemons(), "the daemons to end")

    def editor(self, *options):
        editor = Editor(self.environment, *options)
        self.addCleanup(lambda: editor.process.poll() is None and editor.close())
        return editor

    def started(self, text="[1, ]", *options):
        editor = self.editor(*options)
        editor.start()
        editor.open("test:///a.json", text)
        return editor

    def test_two_editors_share_one_daemon_and_another_build_or_model_has_another(self):
        one, two = self.started(), self.started()
        self.assertTrue(one.complete("test:///a.json", 4))
        self.assertTrue(two.complete("test:///a.json", 4))
        [daemon] = self.daemons()
        self.assertEqual(daemon["clients"], 2)
        self.assertIn("smollm2-135m-fim", daemon["model"])
        self.assertGreater(daemon["resident_bytes"], 50_000_000)
        log = (self.folder / "state" / "tenon" / "daemon.log").read_text()
        self.assertEqual(log.count("info model smollm2-135m-fim"), 1, log)
        self.started("[]", "--threads", "1")
        self.assertEqual(len(self.daemons()), 2)
        self.assertEqual(one.ask("shutdown", None), None)
        one.send("exit", None)
        self.assertEqual(one.process.wait(PATIENCE), 0)
        self.assertEqual(two.close(), 1)

    def test_an_editor_does_not_notice_that_its_daemon_is_killed(self):
        editor = self.started("[1, ]")
        editor.complete("test:///a.json", 4)
        [first] = self.daemons()
        # In the middle of a request and of typing: the text becomes [1, {"abc": }].
        editor.send("textDocument/inlineCompletion", {"textDocument": {"uri": "test:///a.json"}, "position": {"line": 0, "character": 4}}, "open")
        for version, letter in enumerate('{"abc": }', 2):
            editor.insert("test:///a.json", version, 2 + version, letter)
            if letter == "b":
                os.kill(first["pid"], signal.SIGKILL)
        completion = editor.complete("test:///a.json", 12)
        self.assertEqual([message["id"] for message in editor.told if "id" in message], ["open"])
        json.loads('[1, {"abc": ' + completion + "}]")
        [second] = self.daemons()
        self.assertNotEqual(first["pid"], second["pid"])
        self.assertFalse([message for message in editor.told if message.get("method") == "window/showMessage"])

    def test_editors_that_start_at_once_start_one_daemon(self):
        editors = [self.editor() for _ in range(4)]
        for editor in editors:
            editor.send("initialize", {"capabilities": {}}, 0)
        for editor in editors:
            self.assertEqual(editor.receive()["id"], 0)
        [daemon] = self.daemons()
        self.assertEqual(daemon["clients"], 4)

    def test_a_daemon_without_clients_ends_after_its_time(self):
        editor = self.started("[]", "--idle-minutes", "0")
        [daemon] = self.daemons()
        editor.close()
        wait(lambda: not os.path.exists(f"/proc/{daemon['pid']}"), "the daemon to end")
        self.assertEqual(list(self.folder.glob("tenon/*.sock")), [])

    def test_a_second_editor_costs_little_memory_and_idle_time_costs_nothing(self):
        one, two = self.started(), self.started()
        one.complete("test:///a.json", 4)
        two.complete("test:///a.json", 4)
        [daemon] = self.daemons()

        def own_kilobytes(pid):
            lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))

        def processor_ticks(pid):
            return sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))

        self.assertLess(own_kilobytes(two.process.pid), 20_000)
        pids = [one.process.pid, two.process.pid, daemon["pid"]]
        wait(lambda: self.stays_still(lambda: [processor_ticks(pid) for pid in pids]), "all processes to rest")

    @staticmethod
    def stays_still(value):
        before = value()
        time.sleep(1)
        return value() == before

    def test_without_a_daemon_nothing_is_left(self):
        editor = self.started("[1, ]", "--no-daemon")
        self.assertTrue(editor.complete("test:///a.json", 4))
        self.assertEqual(self.daemons(), [])
        self.assertFalse((self.folder / "tenon").exists())

    def test_where_there_can_be_no_daemon_the_process_serves_itself(self):
        (self.folder / "tenon").mkdir(mode=0o755)
        os.chmod(self.folder / "tenon", 0o755)
        editor = self.started("[1, ]")
        self.assertTrue(editor.complete("test:///a.json", 4))
        self.assertEqual(list((self.folder / "tenon").iterdir()), [])


class Sockets(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-socket-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def serve(self, *options):
        log = self.folder / "log"
        server = subprocess.Popen([TENON, "--model", "/nowhere.gguf", "--log-file", str(log), *options], stdin=subprocess.DEVNULL)
        self.addCleanup(lambda: (server.kill(), server.wait()))
        return server, log

    def client(self, connected):
        self.addCleanup(connected.close)
        client = Client(connected.makefile("wb"), connected.makefile("rb"))
        self.addCleanup(client.write.close)
        self.addCleanup(client.read.close)
        return client

    def test_a_port_of_this_machine_serves_several_clients(self):
        server, log = self.serve("--port", "0")
        wait(lambda: log.exists() and "at port " in log.read_text(), "the server to listen")
        port = int(log.read_text().split("at port ")[1].split()[0])
        clients = [self.client(socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
        for client in clients:
            self.assertIn("capabilities", client.start())
        clients[0].ask("shutdown", None)
        clients[0].send("exit", None)
        self.assertRaises(EOFError, lambda: [clients[0].receive() for _ in range(100)])
        self.assertEqual(clients[1].ask("shutdown", None), None)
        server.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(PATIENCE), 0)

    def test_a_pipe_serves_whoever_connects(self):
        path = self.folder / "pipe"
        server, _ = self.serve("--pipe", str(path))
        wait(path.exists, "the server to listen")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        connected = socket.socket(socket.AF_UNIX)
        wait(lambda: connected.connect_ex(str(path)) == 0, "a connection")
        self.assertIn("capabilities", self.client(connected).start())
        server.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(PATIENCE), 0)
        self.assertFalse(path.exists(), "the socket stays behind")

    def test_a_pipe_that_an_editor_listens_at_is_connected_to(self):
        path = self.folder / "pipe"
        listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(listening.close)
        listening.bind(str(path))
        listening.listen()
        server, _ = self.serve("--pipe", str(path))
        client = self.client(listening.accept()[0])
        self.assertIn("capabilities", client.start())
        client.ask("shutdown", None)
        client.send("exit", None)
        self.assertEqual(server.wait(PATIENCE), 0)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    TENON = sys.argv.pop(1)
    unittest.main()
