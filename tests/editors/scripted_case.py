"""A test case whose Neovim talks to a server that answers by rules (scripted_server.py)."""

import json
import pathlib
import sys
import tempfile
import unittest

from neovim import Neovim

HERE = pathlib.Path(__file__).resolve().parent


def item(text, start=None, end=None):
    """An answer with one item; start and end: the utf-16 offsets of its range in the cursor's line."""
    result = {"insertText": text}
    if start is not None:
        result["range"] = {"from": start, "to": end}
    return {"items": [result]}


class ScriptedCase(unittest.TestCase):
    def start(self, rules, text, options="auto_trigger = false", name="example.py", **lua):
        """An editor on a file with `text`, the cursor at its beginning; the server answers by `rules`."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        script = pathlib.Path(folder.name) / "script.json"
        script.write_text(json.dumps(rules), encoding="utf-8")
        self.log = pathlib.Path(folder.name) / "log"
        editor = Neovim([sys.executable, "-B", str(HERE / "scripted_server.py"), str(script), str(self.log)], text, options, name, **lua)
        self.addCleanup(editor.close)
        if not any("notify" in rule for rule in rules):
            editor.wait_attached()
        return editor

    def received(self, method):
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [message for message in map(json.loads, lines) if message.get("method") == method]

    def complete_at(self, editor, keys):
        """Goes to a place in insert mode by `keys` and asks."""
        editor.keys(keys)
        editor.keys("<Plug>(tenon-complete)")
        return editor.wait_for_ghost()
