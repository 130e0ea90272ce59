#!/usr/bin/env python3
"""The Neovim plugin in the real editor, against a server whose answers are written down."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from neovim import Neovim

HERE = pathlib.Path(__file__).resolve().parent


def item(text, start=None, end=None):
    result = {"insertText": text}
    if start is not None:
        result["range"] = {"from": start, "to": end}
    return {"items": [result]}


class Plugin(unittest.TestCase):
    def start(self, rules, text, options="auto_trigger = false", name="example.py"):
        """An editor on a file with `text`, the cursor at its beginning; the server answers by `rules`."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        script = pathlib.Path(folder.name) / "script.json"
        script.write_text(json.dumps(rules), encoding="utf-8")
        self.log = pathlib.Path(folder.name) / "log"
        editor = Neovim([sys.executable, "-B", str(HERE / "scripted_server.py"), str(script), str(self.log)], text, options, name)
        self.addCleanup(editor.close)
        editor.wait_attached()
        return editor

    def received(self, method):
        messages = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [message for message in messages if message.get("method") == method]

    def complete_at(self, editor, keys):
        """Goes to a place in insert mode by `keys` and asks."""
        editor.keys(keys)
        editor.keys("<Plug>(tenon-complete)")
        return editor.wait_for_ghost()

    def test_accepted_text_replaces_its_range_and_the_cursor_stands_behind_it(self):
        editor = self.start([{"before": "foo(a", "answer": item("abc, b)", 4, 6)}], "foo(a)\nrest\n")
        self.assertEqual(self.complete_at(editor, "<Esc>ggf)i"), "bc, b")
        editor.keys("<Tab>")
        editor.wait_for_text("foo(abc, b)\nrest\n")
        self.assertEqual(editor.cursor(), (1, len("foo(abc, b")))
        self.assertIsNone(editor.ghost())

    def test_text_of_several_lines_goes_in_whole(self):
        editor = self.start([{"before": "if x:", "answer": item("\n    y()\n    z()")}], "if x:\nend\n")
        self.assertEqual(self.complete_at(editor, "<Esc>ggA"), "\n    y()\n    z()")
        editor.keys("<Tab>")
        editor.wait_for_text("if x:\n    y()\n    z()\nend\n")
        self.assertEqual(editor.cursor(), (3, len("    z()")))

    def test_offsets_count_utf16_units(self):
        line = "s = '\U0001F600é' + x"
        at = len("s = '") + 2 + len("é' + x")
        editor = self.start([{"before": "'\U0001F600é' + x", "answer": item("xyz", at - 1, at)}], line + "\n")
        self.assertEqual(self.complete_at(editor, "<Esc>ggA"), "yz")
        editor.keys("<Tab>")
        editor.wait_for_text("s = '\U0001F600é' + xyz\n")
        self.assertEqual(self.received("textDocument/inlineCompletion")[0]["params"]["position"], {"line": 0, "character": at})

    def test_a_file_with_dos_line_ends_keeps_them(self):
        editor = self.start([{"before": "if x:", "answer": item("\r\n    y()")}], "if x:\r\nend\r\n")
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("<Tab><Esc>:w<CR>")
        editor.wait(lambda: editor.lua("vim.bo.modified") is False, "the file to be written")
        self.assertEqual(editor.file.read_bytes(), b"if x:\r\n    y()\r\nend\r\n")

    def test_typing_along_keeps_the_suggestion_and_another_way_drops_it(self):
        editor = self.start([{"before": "ret", "answer": item("urn value")}], "ret\n")
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("urn")
        editor.wait(lambda: editor.ghost() == " value", "the rest of the suggestion")
        self.assertEqual(len(self.received("textDocument/inlineCompletion")), 1)
        editor.keys("<Tab>")
        editor.wait_for_text("return value\n")
        editor.keys("<Esc>ccret")
        editor.keys("<Plug>(tenon-complete)")
        editor.wait_for_ghost()
        editor.keys("x")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to go")
        editor.wait_for_text("retx\n")

    def test_tab_without_a_suggestion_is_a_tab(self):
        editor = self.start([], "ab\n")
        editor.keys("<Esc>:set noexpandtab softtabstop=0<CR>ggA<Tab>")
        editor.wait_for_text("ab\t\n")

    def test_dismiss_takes_it_away_and_leaves_the_text(self):
        editor = self.start([{"before": "ret", "answer": item("urn")}], "ret\n")
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("<C-]>")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to go")
        editor.wait_for_text("ret\n")

    def test_leaving_insert_mode_takes_it_away(self):
        editor = self.start([{"before": "ret", "answer": item("urn")}], "ret\n")
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("<Esc>")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to go")

    def test_one_undo_takes_back_the_suggestion_alone(self):
        editor = self.start([{"before": "typed", "answer": item(" more")}], "\n")
        self.complete_at(editor, "<Esc>ggAtyped")
        editor.keys("<Tab>")
        editor.wait_for_text("typed more\n")
        editor.keys("<Esc>u")
        editor.wait_for_text("typed\n")

    def test_typing_asks_by_itself_and_cancels_what_it_overtakes(self):
        rules = [{"before": "a", "answer": item("late"), "delay_ms": 60000}, {"before": "ab", "answer": item("c")}]
        editor = self.start(rules, "\n", "debounce_ms = 10")
        editor.keys("<Esc>ggAa")
        editor.wait(lambda: len(self.received("textDocument/inlineCompletion")) == 1, "the first request")
        editor.keys("b")
        self.assertEqual(editor.wait_for_ghost(), "c")
        first, second = self.received("textDocument/inlineCompletion")
        self.assertEqual([cancel["params"]["id"] for cancel in self.received("$/cancelRequest")], [first["id"]])
        self.assertEqual([first["params"]["context"]["triggerKind"], second["params"]["context"]["triggerKind"]], [2, 2])

    def test_the_server_may_take_its_time_unless_told_otherwise(self):
        self.start([], "\n", "init_options = { maxTokens = 7, ['completion.automaticBudgetMs'] = 9 }")
        options = self.received("initialize")[0]["params"]["initializationOptions"]
        self.assertEqual(options, {"maxTokens": 7, "completion.automaticBudgetMs": 9, "completion.invokedBudgetMs": 30000})

    def test_an_answer_without_items_shows_nothing_and_says_so(self):
        editor = self.start([{"before": "x", "answer": None}], "x\n")
        editor.keys("<Esc>ggA<Plug>(tenon-complete)")
        editor.wait(lambda: "nothing to offer" in " ".join(editor.lua("require('tenon').status_lines()")), "the status")
        self.assertIsNone(editor.ghost())

    def test_an_error_answer_stands_in_the_status(self):
        editor = self.start([{"before": "x", "error": "no luck"}], "x\n")
        editor.keys("<Esc>ggA<Plug>(tenon-complete)")
        editor.wait(lambda: "no luck" in " ".join(editor.lua("require('tenon').status_lines()")), "the status")

    def test_a_text_that_repeats_the_rest_of_the_line_is_shown_without_it(self):
        editor = self.start([{"before": "f(", "answer": item("x, y)", 2, 3)}], "f()\n")
        self.assertEqual(self.complete_at(editor, "<Esc>ggf)i"), "x, y")
        editor.keys("<Tab>")
        editor.wait_for_text("f(x, y)\n")
        self.assertEqual(editor.cursor(), (1, len("f(x, y")))

    def test_other_filetypes_are_left_alone(self):
        editor = Neovim(["true"], "text\n", name="notes.txt")
        self.addCleanup(editor.close)
        self.assertEqual(editor.lua("(require('tenon.server').state())"), "stopped")

    def test_a_missing_server_is_named_in_the_status(self):
        editor = Neovim(["/nowhere/tenon", "--stdio"], "x = 1\n")
        self.addCleanup(editor.close)
        status = " ".join(editor.lua("require('tenon').status_lines()"))
        self.assertIn("failed", status)
        self.assertIn("/nowhere/tenon", status)


if __name__ == "__main__":
    unittest.main()
