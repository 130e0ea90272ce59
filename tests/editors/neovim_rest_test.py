#!/usr/bin/env python3
"""Where the cursor rests, as the Neovim plugin tells it to a server that reads ahead (tenon/didMoveCursor)."""

import json
import sys
import time
import unittest

sys.dont_write_bytecode = True
from scripted_case import ScriptedCase

READS_AHEAD = {"experimental": {"tenon": {"cursor": True}}}
# Twice the REST_MS of rest.lua: what has not come by then does not come.
LONG_S = 0.6
TEXT = "one\ntwo\nthree\nfour\n"


class Rest(ScriptedCase):
    def start_at(self, keys, text=TEXT, **more):
        """An editor whose server was told of one place, the one that the keys lead to."""
        editor = self.start([READS_AHEAD], text, **more)
        editor.keys("<Esc>" + keys)
        time.sleep(LONG_S)
        self.forget()
        return editor

    def forget(self):
        """What was told until now is no matter."""
        self.seen = len(self.received("tenon/didMoveCursor"))

    def told(self):
        """The places that were told since, as (line, character)."""
        places = [message["params"]["position"] for message in self.received("tenon/didMoveCursor")[self.seen:]]
        return [(place["line"], place["character"]) for place in places]

    def assert_told(self, editor, *places):
        """These places are told, and no other one."""
        editor.wait(lambda: len(self.told()) >= len(places), "a place")
        time.sleep(LONG_S)
        self.assertEqual(self.told(), list(places))

    def test_a_place_is_told_once_when_the_cursor_rests_there(self):
        editor = self.start_at("gg0")
        for key in "jjj":
            editor.keys(key)
        self.assert_told(editor, (3, 0))
        self.assertEqual(self.received("tenon/didMoveCursor")[-1]["params"]["textDocument"]["uri"], "file://" + str(editor.file))
        # There again before it was told another one.
        editor.keys("kj")
        self.assert_told(editor, (3, 0))
        editor.keys("gg")
        self.assert_told(editor, (3, 0), (0, 0))

    def test_another_server_is_told_the_place_too(self):
        editor = self.start_at("gg0j")
        editor.lua("require('tenon').restart()")
        self.assert_told(editor, (1, 0))

    def test_characters_are_utf16_units(self):
        editor = self.start_at("gg0", "s = '\U0001F600é' + x\n")
        editor.keys("fx")
        self.assert_told(editor, (0, len("s = '\U0001F600é' + ") + 1))

    def test_insert_mode_tells_its_place_at_once(self):
        editor = self.start_at("gg0")
        # Telling it when it rests would come too late: the key that is typed ends the rest.
        editor.keys("jjAx")
        self.assert_told(editor, (2, len("three")))

    def test_where_the_user_types_nothing_is_told(self):
        editor = self.start_at("ggA")
        for key in ("a", "b", "<BS>", "<CR>", "c"):
            editor.keys(key)
            time.sleep(LONG_S)
        self.assert_told(editor)
        editor.keys("<Up>")
        self.assert_told(editor, (0, 1))

    def test_the_text_that_the_place_is_in_was_told_before(self):
        editor = self.start_at("gg0")
        editor.keys("o")
        self.assert_told(editor, (1, 0))
        messages = [json.loads(line)["method"] for line in self.log.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(messages[-2:], ["textDocument/didChange", "tenon/didMoveCursor"])

    def test_an_edit_that_is_no_typing_begins_the_rest_anew(self):
        editor = self.start_at("gg0")
        editor.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'FOUR' })")
        self.assert_told(editor, (0, 0))

    def test_a_selection_is_no_place(self):
        editor = self.start_at("gg0")
        editor.keys("vjl")
        self.assert_told(editor)

    def test_without_the_focus_nothing_is_told(self):
        editor = self.start_at("gg0")
        editor.keys("j")
        editor.lua("vim.cmd('doautocmd FocusLost')")
        editor.keys("j")
        self.assert_told(editor)
        editor.lua("vim.cmd('doautocmd FocusGained')")
        self.assert_told(editor, (2, 0))

    def test_another_buffer_has_its_place_told(self):
        editor = self.start_at("gg0")
        editor.keys(":edit other.py<CR>")
        self.assert_told(editor, (0, 0))
        self.assertTrue(self.received("tenon/didMoveCursor")[-1]["params"]["textDocument"]["uri"].endswith("/other.py"))

    def test_what_is_switched_off_is_not_told(self):
        editor = self.start_at("gg0")
        switches = {"TenonToggle": "TenonToggle", "TenonToggle language": "TenonToggle language", "set filetype=text": "set filetype=python"}
        for off, on in switches.items():
            with self.subTest(off):
                editor.keys(f":{off}<CR>jAx<Esc>k")
                self.assert_told(editor)
                editor.keys(f":{on}<CR>j")
                editor.wait(self.told, "a place")
                time.sleep(LONG_S)
                self.forget()

    def test_a_server_that_does_not_announce_that_it_reads_ahead_is_not_told(self):
        for announced in ({}, {"experimental": {"tenon": {"cursor": False}}}, {"experimental": {"tenon": True}}, {"experimental": True}):
            with self.subTest(announced):
                editor = self.start([announced] if announced else [], TEXT)
                editor.keys("<Esc>ggjAx<Esc>k")
                time.sleep(LONG_S)
                self.assertEqual(self.received("tenon/didMoveCursor"), [])


if __name__ == "__main__":
    unittest.main()
