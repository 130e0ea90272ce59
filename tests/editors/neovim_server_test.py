#!/usr/bin/env python3
"""The real editor with the real server and the small model: attach, type, ask, accept; the buffer parses.

usage: neovim_server_test.py TENON
"""

import ast
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from neovim import Neovim

TENON = ""

EXAMPLE = '''import json
import sys


def read_settings(path):
    """The settings of a file, a dictionary."""
    with open(path, encoding="utf-8") as file:
        return json.load()


def main():
    settings = read_settings(sys.argv[1])
    for name in settings:
        print(name, settings[name])


main()
'''


class RealServer(unittest.TestCase):
    def start(self, text):
        editor = Neovim([TENON, "--stdio", "--no-daemon", "--model", "smollm2-135m-fim"], text, "auto_trigger = false")
        self.addCleanup(editor.close)
        editor.wait_attached()
        return editor

    def ask(self, editor):
        """Asks until the model has been loaded: before, the server answers null."""
        def asked():
            editor.keys("<Plug>(tenon-complete)")
            editor.wait(lambda: editor.lua("require('tenon').idle()"), "an answer", 60)
            return editor.ghost() is not None
        editor.wait(asked, "a suggestion", 120)
        return editor.ghost()

    def assert_parses(self, editor):
        editor.keys("<Esc>:w<CR>")
        editor.wait(lambda: editor.lua("vim.bo.modified") is False, "the file to be written")
        checked = subprocess.run([TENON, "check", str(editor.file)], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, f"{checked.stdout}{checked.stderr}\n{editor.file.read_text()}")
        ast.parse(editor.file.read_text())

    def test_a_typed_call_is_completed_and_the_buffer_parses(self):
        editor = self.start(EXAMPLE)
        editor.keys("<Esc>/load<CR>f)i")
        ghost = self.ask(editor)
        self.assertNotEqual(ghost.strip(), "")
        editor.keys("<Tab>")
        editor.wait(lambda: editor.text() != EXAMPLE, "the text to change")
        self.assertIn("json.load(" + ghost.split("\n")[0], editor.text())
        self.assert_parses(editor)

    def test_a_statement_that_was_begun_is_completed_and_the_buffer_parses(self):
        editor = self.start(EXAMPLE)
        editor.keys("<Esc>/settings = <CR>oif len(sys.argv) ")
        self.ask(editor)
        editor.keys("<Tab>")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to be taken")
        self.assert_parses(editor)

    def test_ghost_text_follows_typing(self):
        editor = self.start(EXAMPLE)
        editor.keys("<Esc>/load<CR>f)i")
        ghost = self.ask(editor)
        if ghost[0].isalnum():
            editor.keys(ghost[0])
            editor.wait(lambda: editor.ghost() in (ghost[1:] or None,), "the rest of the suggestion")
        editor.keys("<C-]>")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to go")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    TENON = sys.argv.pop(1)
    unittest.main()
