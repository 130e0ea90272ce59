#!/usr/bin/env python3
"""What users of other plugins complain about, each with a test: the Tab key, text under ghost text, doubled brackets, indentation,
silence. The numbers of their issues: docs/editors.md."""

import os
import signal
import sys
import unittest

sys.dont_write_bytecode = True
from neovim import Neovim
from scripted_case import ScriptedCase, item

MAPPED = "vim.keymap.set('i', '<Tab>', {map})"


class TabKey(ScriptedCase):
    def test_without_a_suggestion_it_does_what_a_map_of_the_user_did(self):
        maps = {"'text'": "text", "function() vim.api.nvim_put({ 'function' }, 'c', false, true) end": "function",
                "function() return 'expression' end, { expr = true }": "expression", "'<Plug>(theirs)', { remap = true }": "theirs"}
        for mapping, inserted in maps.items():
            with self.subTest(mapping):
                before = "vim.keymap.set('i', '<Plug>(theirs)', 'theirs')\n" + MAPPED.format(map=mapping)
                editor = self.start([{"before": "ret", "answer": item("urn")}], "\n", before=before)
                editor.keys("<Esc>ggA<Tab>")
                editor.wait_for_text(inserted + "\n")
                editor.keys("ret<Plug>(tenon-complete)")
                editor.wait_for_ghost()
                editor.keys("<Tab>")
                editor.wait_for_text(inserted + "return\n")

    def test_setup_called_again_keeps_the_map_of_the_user(self):
        editor = self.start([], "\n", before=MAPPED.format(map="'mine'"), after="require('tenon').setup(vim.deepcopy(require('tenon.options').current))")
        editor.keys("<Esc>ggA<Tab>")
        editor.wait_for_text("mine\n")

    def test_a_plugin_that_maps_it_later_can_pass_it_on(self):
        # As nvim-cmp and blink.cmp do: a map of the buffer, which falls back to the one it covers.
        after = ("vim.api.nvim_create_autocmd('InsertEnter', { callback = function() vim.keymap.set('i', '<Tab>', function() "
                 "vim.keymap.del('i', '<Tab>', { buffer = 0 }) "
                 "vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Tab>', true, true, true), 'm', false) end, { buffer = 0 }) end })")
        editor = self.start([{"before": "ret", "answer": item("urn")}], "ret\n", after=after)
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("<Tab>")
        editor.wait_for_text("return\n")


class Screen(ScriptedCase):
    def test_ghost_text_leaves_the_rest_of_the_line_to_be_read(self):
        editor = self.start([{"before": "f(", "answer": item("alpha, beta")}], "f(, omega)  # why\n")
        self.complete_at(editor, "<Esc>ggf,i")
        self.assertEqual(editor.screen()[0], "f(alpha, beta, omega)  # why")

    def test_the_rest_of_the_line_stands_behind_ghost_text_of_several_lines(self):
        editor = self.start([{"before": "if x:", "answer": item("\n\ty()")}], "if x:  # why\nend\n")
        editor.keys("<Esc>:set tabstop=4<CR>")
        self.complete_at(editor, "<Esc>ggf:a")
        self.assertEqual(editor.screen()[:3], ["if x:", "    y()  # why", "end"])

    def test_what_is_replaced_is_not_seen(self):
        editor = self.start([{"before": "f(", "answer": item("a[0])", 2, 3)}], "f(} + b\n")
        self.complete_at(editor, "<Esc>ggf}i")
        self.assertEqual(editor.screen()[0], "f(a[0]) + b")


class Brackets(ScriptedCase):
    def test_one_that_the_editor_closed_ahead_is_not_doubled(self):
        for answer, cut in ((item("[1])", 2, 4), "])"), (item("[1])", 2, 2), "")):
            with self.subTest(answer):
                editor = self.start([{"before": "f(", "answer": answer}], f"f({cut}\n")
                self.complete_at(editor, "<Esc>ggf(a")
                editor.keys("<Tab>")
                editor.wait_for_text("f([1])\n")


class Indentation(ScriptedCase):
    def test_it_is_the_one_of_the_server_whatever_the_editor_indents(self):
        answer = item("\n        return {\n            'a': 1,\n        }\n\n    return None")
        editor = self.start([{"before": "if x:", "answer": answer}], "def f(x):\n    if x:\n")
        editor.keys("<Esc>:set autoindent smartindent cindent indentexpr=8 shiftwidth=3 noexpandtab<CR>")
        self.complete_at(editor, "<Esc>:2<CR>A")
        editor.keys("<Tab>")
        editor.wait_for_text("def f(x):\n    if x:\n        return {\n            'a': 1,\n        }\n\n    return None\n")


class Silence(ScriptedCase):
    def status(self, editor):
        return "\n".join(editor.lua("require('tenon').status_lines()"))

    def test_a_model_that_loads_is_said_to(self):
        loading = {"notify": "tenon/didChangeStatus", "params": {"state": "loading", "reason": "a model of 7 parts"}}
        editor = self.start([loading], "x\n")
        editor.wait(lambda: "loading (a model of 7 parts)" in self.status(editor), "the state")
        self.assertEqual(editor.lua("require('tenon').statusline()"), "tenon loading")
        editor.keys("<Esc>A<Plug>(tenon-complete)")
        editor.wait(lambda: "the model is loading" in self.status(editor), "the reason")

    def test_a_fault_comes_with_what_to_do(self):
        failed = {"notify": "tenon/didChangeStatus", "params": {"state": "failed", "reason": "no model", "action": "fetch one"}}
        editor = self.start([failed], "x\n")
        editor.wait(lambda: "failed (no model)" in self.status(editor), "the state")
        self.assertIn("to do:    fetch one", self.status(editor))
        self.assertEqual(editor.lua("require('tenon').statusline()"), "tenon failed")

    def test_a_server_that_dies_is_missed(self):
        editor = self.start([], "x\n")
        os.kill(int(self.log.with_name("pid").read_text()), signal.SIGKILL)
        editor.wait(lambda: "failed (the server ended with signal 9" in self.status(editor), "the state")
        self.assertIn(":TenonRestart", self.status(editor))

    def test_a_file_that_is_not_served_is_said_to_be(self):
        editor = Neovim(["true"], "text\n", name="notes.txt")
        self.addCleanup(editor.close)
        self.assertIn("filetype 'text' is not in setup{filetypes}", self.status(editor))


if __name__ == "__main__":
    unittest.main()
