#!/usr/bin/env python3
"""The Neovim plugin in the real editor, against a server whose answers are written down."""

import json
import sys
import unittest

sys.dont_write_bytecode = True
from neovim import Neovim
from scripted_case import ScriptedCase, item


class Plugin(ScriptedCase):
    def test_accepted_text_replaces_its_range_and_the_cursor_stands_behind_it(self):
        editor = self.start([{"before": "foo(a", "answer": item("abc, b)", 4, 6)}], "foo(a)\nrest\n")
        self.assertEqual(self.complete_at(editor, "<Esc>ggf)i"), "bc, b")
        editor.keys("<Tab>")
        editor.wait_for_text("foo(abc, b)\nrest\n")
        self.assertEqual(editor.cursor(), (1, len("foo(abc, b")))
        self.assertIsNone(editor.ghost())

    def test_the_sign_that_the_line_above_lacks_is_written_with_the_first_piece(self):
        lacking = item("cc = 3,")
        at = {"line": 1, "character": len("\U0001F600 2") + 1}
        lacking["items"][0]["additionalTextEdits"] = [{"range": {"start": at, "end": at}, "newText": ","}]
        text = "[\n\U0001F600 2\n\n]\n"
        editor = self.start([{"before": "", "answer": lacking}], text)
        self.complete_at(editor, "<Esc>3GA")
        editor.keys("<M-Right>")
        editor.wait_for_text("[\n\U0001F600 2,\ncc\n]\n")
        editor.keys("<Tab>")
        editor.wait_for_text("[\n\U0001F600 2,\ncc = 3,\n]\n")
        editor.keys("<Esc>uu")
        editor.wait_for_text(text)

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

    def test_what_was_typed_while_the_server_started_is_asked_about(self):
        # A plugin manager loads the plugin when insert mode is entered first.
        before = "local setup = require('tenon').setup require('tenon').setup = function(options) vim.defer_fn(function() setup(options) end, 300) end"
        editor = self.start([{"before": "ret", "answer": item("urn")}, {"notify": "nothing", "params": {}}], "\n", "debounce_ms = 10", before=before)
        editor.keys("<Esc>ggAret")
        self.assertEqual(editor.wait_for_ghost(), "urn")
        methods = [json.loads(line).get("method") for line in self.log.read_text().splitlines()]
        self.assertLess(methods.index("textDocument/didOpen"), methods.index("textDocument/inlineCompletion"))

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

    def test_a_word_or_a_line_of_it_is_accepted_and_the_rest_stays(self):
        editor = self.start([{"before": "x = ", "answer": item("f(a_1, b)\n  g()", 4, 5)}], "x = ]  # end\n")
        self.complete_at(editor, "<Esc>ggf]i")
        for rest in ("(a_1, b)\n  g()", "a_1, b)\n  g()", ", b)\n  g()"):
            editor.keys("<Plug>(tenon-accept_word)")
            editor.wait(lambda expected=rest: editor.ghost() == expected, rest)
        editor.wait_for_text("x = f(a_1]  # end\n")
        editor.keys("<Plug>(tenon-accept_line)")
        editor.wait_for_text("x = f(a_1, b)]  # end\n")
        editor.keys("<Plug>(tenon-accept_word)")
        editor.wait_for_text("x = f(a_1, b)\n  g]  # end\n")
        self.assertEqual(editor.cursor(), (2, 3))
        editor.keys("<Tab>")
        editor.wait_for_text("x = f(a_1, b)\n  g()  # end\n")
        editor.keys("<Esc>u")
        editor.wait_for_text("x = f(a_1, b)\n  g]  # end\n")

    def test_others_are_asked_for_when_the_user_goes_through_them(self):
        rules = [{"before": "ret", "kind": 2, "answer": item("urn 1")},
                 {"before": "ret", "kind": 1, "answer": {"items": [{"insertText": text} for text in ("urn 1", "urn 2", "urn 3")]}}]
        editor = self.start(rules, "\n", "debounce_ms = 10")
        editor.keys("<Esc>ggAret")
        self.assertEqual(editor.wait_for_ghost(), "urn 1")
        for key, ghost in (("next", "urn 2"), ("next", "urn 3"), ("next", "urn 1"), ("previous", "urn 3")):
            editor.keys(f"<Plug>(tenon-{key})")
            editor.wait(lambda expected=ghost: editor.ghost() == expected, ghost)
        self.assertEqual(len(self.received("textDocument/inlineCompletion")), 2)
        editor.keys("<Tab>")
        editor.wait_for_text("return 3\n")

    def test_one_that_is_alone_stays_when_the_user_asks_for_another(self):
        editor = self.start([{"before": "ret", "answer": item("urn")}], "\n", "debounce_ms = 10")
        editor.keys("<Esc>ggAret")
        editor.wait_for_ghost()
        editor.keys("<M-]>")
        editor.wait(lambda: "no other" in editor.said(), "the message")
        self.assertEqual(editor.ghost(), "urn")

    def test_a_renamed_file_is_known_by_its_new_name(self):
        editor = self.start([{"before": "ret", "answer": item("urn")}], "ret\n")
        editor.keys("<Esc>:file renamed.py<CR>")
        editor.wait(lambda: len(self.received("textDocument/didOpen")) == 2, "the new name")
        self.complete_at(editor, "<Esc>ggA")
        self.assertIn("renamed.py", self.received("textDocument/inlineCompletion")[0]["params"]["textDocument"]["uri"])

    def test_another_language_of_the_file_is_told_to_the_server(self):
        editor = self.start([], "x\n")
        editor.keys("<Esc>:set filetype=go<CR>")
        editor.wait(lambda: len(self.received("textDocument/didOpen")) == 2, "the new language")
        self.assertEqual([opened["params"]["textDocument"]["languageId"] for opened in self.received("textDocument/didOpen")], ["python", "go"])
        editor.keys("<Esc>:set filetype=text<CR>")
        editor.wait(lambda: len(self.received("textDocument/didClose")) == 2, "the end")

    def test_a_buffer_without_a_name_is_not_sent(self):
        editor = self.start([], "x\n")
        editor.keys("<Esc>:enew | set filetype=python<CR>iy")
        editor.wait(lambda: editor.lua("vim.bo.filetype") == "python", "the buffer")
        self.assertIn("no name", " ".join(editor.lua("require('tenon').status_lines()")))
        self.assertEqual(len(self.received("textDocument/didOpen")), 1)

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
