#!/usr/bin/env python3
"""Commands, switches, the statusline, :checkhealth, and life beside other plugins and servers, in the real editor."""

import pathlib
import stat
import sys
import unittest

sys.dont_write_bytecode = True
from scripted_case import ScriptedCase, item

# Stands in for the program's other commands; the server itself is the scripted one.
PROGRAM = """#!/bin/sh
case "$*" in
  --version) echo "tenon 9.9.9" ;;
  doctor) echo "much"; echo "nothing is wrong" ;;
  "model list --json") echo '{"folder":"/"}'; echo '{"name":"big","installed":true,"memory_bytes":2000000000,"runs":true}'
    echo '{"name":"small","installed":true,"memory_bytes":500000000,"runs":false}'; echo '{"name":"far","installed":false}' ;;
  "model use small") echo "small runs from now on" ;;
  *) echo "no '$*'" >&2; exit 1 ;;
esac
"""


class CommandsCase(ScriptedCase):
    def start_with_program(self, **lua):
        """The editor, with cmd[1] a program that knows `tenon model` and the like once the server runs."""
        editor = self.start([], "x\n", **lua)
        program = editor.folder / "program"
        program.write_text(PROGRAM)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        editor.lua(f"(function() require('tenon.options').current.cmd[1] = '{program}' end)()")
        return editor


class Switches(CommandsCase):
    def test_what_is_off_is_not_even_sent(self):
        editor = self.start([{"before": "x", "answer": item("yz")}], "x\n", "debounce_ms = 10")
        editor.wait(lambda: len(self.received("textDocument/didOpen")) == 1, "the text to be opened at first")
        for what, reason in (("", "off for this file"), ("language", "off for 'python'"), ("everywhere", "off everywhere")):
            with self.subTest(what):
                closed, opened = len(self.received("textDocument/didClose")), len(self.received("textDocument/didOpen"))
                editor.keys(f"<Esc>:TenonToggle {what}<CR>")
                editor.wait(lambda: len(self.received("textDocument/didClose")) == closed + 1, "the text to be closed")
                self.assertIn(reason, "\n".join(editor.lua("require('tenon').status_lines()")))
                self.assertEqual(editor.lua("require('tenon').statusline()"), "tenon off")
                asked = len(self.received("textDocument/inlineCompletion"))
                editor.keys("<Esc>ccx<Plug>(tenon-complete)")
                editor.wait_for_text("x\n")
                editor.keys(f"<Esc>:TenonToggle {what}<CR>")
                editor.wait(lambda: len(self.received("textDocument/didOpen")) == opened + 1, "the text to be opened")
                self.assertEqual(len(self.received("textDocument/inlineCompletion")), asked)
        editor.keys("<Esc>ccx")
        self.assertEqual(editor.wait_for_ghost(), "yz")

    def test_a_file_can_be_off_from_the_start(self):
        before = "vim.api.nvim_create_autocmd('BufRead', { callback = function() vim.b.tenon_enabled = false end })"
        editor = self.start([{"notify": "nothing", "params": {}}], "x\n", before=before)
        self.assertEqual(editor.lua("require('tenon').statusline()"), "tenon off")
        self.assertEqual(self.received("initialize"), [])

    def test_a_switch_that_is_not_there_is_named(self):
        editor = self.start([], "x\n")
        editor.keys("<Esc>:TenonToggle all<CR>")
        editor.wait(lambda: "there are file, language and everywhere" in editor.said(), "the message")


class Statusline(CommandsCase):
    def test_it_follows_the_server(self):
        rules = [{"notify": "tenon/didChangeStatus", "params": {"state": state, "reason": ""}} for state in ("loading", "ready")]
        editor = self.start(rules, "x\n", before="vim.g.seen = '' vim.api.nvim_create_autocmd('User', { pattern = 'TenonStatus', "
                            "callback = function() vim.g.seen = vim.g.seen .. ';' .. require('tenon').statusline() end })")
        editor.wait(lambda: editor.lua("vim.g.seen").endswith("tenon loading;tenon"), "the states")

    def test_it_shows_how_much_of_the_model_is_loaded(self):
        progress = [{"kind": "begin", "title": "loading the model", "percentage": 0}, {"kind": "report", "percentage": 41}]
        rules = [{"notify": "tenon/didChangeStatus", "params": {"state": "loading", "reason": "", "percent": 0}}]
        rules += [{"notify": "$/progress", "params": {"token": "tenon/model", "value": value}} for value in progress]
        rules += [{"notify": "tenon/didChangeStatus", "params": {"state": "loading", "reason": "", "percent": 41}}]
        editor = self.start(rules, "x\n", before="vim.g.seen = '' vim.api.nvim_create_autocmd('User', { pattern = 'TenonStatus', "
                            "callback = function() vim.g.seen = vim.g.seen .. ';' .. require('tenon').statusline() end })")
        editor.wait(lambda: editor.lua("vim.g.seen").endswith("tenon loading 0%;tenon loading 41%"), "the states")

    def test_the_server_tells_its_state_to_those_that_ask(self):
        self.start([], "x\n")
        self.assertTrue(self.received("initialize")[0]["params"]["capabilities"]["experimental"]["tenon"]["status"])


class Commands(CommandsCase):
    def test_a_model_is_chosen_by_name_and_the_server_starts_anew(self):
        editor = self.start_with_program()
        command = editor.lua("require('tenon.options').current.cmd")
        self.assertEqual(editor.lua("require('tenon.commands').model_names()"), ["big", "small"])
        # The restarted server is the scripted one again.
        editor.lua("(function() local restart = require('tenon').restart require('tenon').restart = function() "
                   f"require('tenon.options').current.cmd[1] = '{sys.executable}' restart() end end)()")
        editor.keys("<Esc>:TenonModel small<CR>")
        editor.wait(lambda: len(self.received("initialize")) == 2, "another server")
        self.assertIn("small runs from now on", editor.said())
        editor.wait_attached()
        self.assertEqual(len(command), 5)

    def test_a_model_that_a_setting_overrules_is_said_to_be(self):
        editor = self.start_with_program(options="auto_trigger = false, init_options = { model = 'big' }")
        editor.lua("(function() require('tenon').restart = function() end end)()")
        editor.keys("<Esc>:TenonModel small<CR>")
        editor.wait(lambda: "setup{init_options} names the model 'big', which counts" in editor.said(), "the warning")

    def test_a_model_is_chosen_from_those_that_are_installed(self):
        editor = self.start_with_program()
        editor.lua("(function() vim.ui.select = function(items, options, chosen) vim.g.offered = vim.tbl_map(options.format_item, items) "
                   "chosen(nil) end end)()")
        editor.keys("<Esc>:TenonModel<CR>")
        editor.wait(lambda: editor.lua("vim.g.offered") == ["big (needs 2000 MB), runs", "small (needs 500 MB)"], "the models")

    def test_a_model_that_is_refused_is_said_to_be(self):
        editor = self.start_with_program()
        editor.keys("<Esc>:TenonModel far<CR>")
        editor.wait(lambda: "no 'model use far'" in editor.said(), "the message")
        self.assertEqual(len(self.received("initialize")), 1)

    def test_the_log_is_opened_at_its_end(self):
        editor = self.start([], "x\n")
        log = editor.folder / "state" / "tenon" / "daemon.log"
        log.parent.mkdir(parents=True)
        log.write_text("first\nlast\n")
        editor.keys("<Esc>:TenonLog<CR>")
        editor.wait(lambda: editor.lua("vim.api.nvim_get_current_line()") == "last", "the log")
        self.assertFalse(editor.lua("vim.bo.modifiable"))
        editor.keys("<Esc>:quit<CR>:TenonLog editor<CR>")
        editor.wait(lambda: editor.lua("vim.fn.expand('%:t')") == "lsp.log", "the editor's log")

    def test_a_log_that_is_not_there_is_said_to_be(self):
        editor = self.start([], "x\n")
        editor.keys("<Esc>:TenonLog daemon<CR>")
        editor.wait(lambda: "nothing has been logged" in editor.said(), "the message")

    def test_health_names_program_server_and_keys_of_others(self):
        after = "vim.keymap.set('i', '<Tab>', '<C-n>', { desc = 'theirs' })"
        editor = self.start_with_program(after=after)
        editor.keys("<Esc>:checkhealth tenon<CR>")
        editor.wait(lambda: editor.lua("vim.bo.filetype") == "checkhealth", "the report")
        editor.wait(lambda: "looked at" in editor.text(), "the whole report")
        for part in ("tenon 9.9.9", "tenon doctor: nothing is wrong", "ready", "<Tab>, which should accept, belongs to theirs"):
            self.assertIn(part, editor.text())
        self.assertEqual(editor.text().count("WARNING"), 1, editor.text())

    def test_health_names_plugins_that_draw_ghost_text(self):
        # What each leaves behind when it is loaded.
        before = ("package.loaded['supermaven-nvim'] = {} vim.g.loaded_copilot = 1 "
                  "vim.cmd('augroup llama | autocmd CursorMovedI * let g:moved = 1 | augroup END')")
        editor = self.start_with_program(before=before)
        editor.keys("<Esc>:checkhealth tenon<CR>")
        editor.wait(lambda: "looked at" in editor.text(), "the whole report")
        for name in ("supermaven", "copilot.vim", "llama.vim"):
            self.assertIn(f"{name} draws ghost text, too", editor.text())


class OthersBeside(CommandsCase):
    # What each offers to others: nvim-cmp visible() and events of its own, blink.cmp is_menu_visible() and autocommands.
    MENUS = {
        "nvim-cmp": "vim.g.menu = false local events = {} package.loaded['cmp'] = { visible = function() return vim.g.menu end, "
                    "event = { on = function(_, name, run) events[name] = run end } } "
                    "_G.menu = function(open) vim.g.menu = open events[open and 'menu_opened' or 'menu_closed']() end",
        "blink.cmp": "vim.g.menu = false package.loaded['blink.cmp'] = { is_menu_visible = function() return vim.g.menu end } "
                     "_G.menu = function(open) vim.g.menu = open "
                     "vim.api.nvim_exec_autocmds('User', { pattern = open and 'BlinkCmpMenuOpen' or 'BlinkCmpMenuClose' }) end",
    }

    def ghost_text_waits(self, menu, then=""):
        editor = self.start([{"before": "x", "answer": item("yz")}], "\n", "debounce_ms = 10", before=self.MENUS[menu])
        editor.keys(f"<Esc>{then}ggAx")
        editor.wait_for_ghost()
        editor.lua("_G.menu(true)")
        self.assertIsNone(editor.ghost())
        editor.keys("<BS>x")
        editor.wait_for_text("x\n")
        editor.wait(lambda: editor.lua("require('tenon').idle()"), "the delay to pass")
        self.assertIsNone(editor.ghost())
        editor.lua("_G.menu(false)")
        self.assertEqual(editor.wait_for_ghost(), "yz")

    def test_ghost_text_waits_while_the_menu_of_nvim_cmp_is_open(self):
        self.ghost_text_waits("nvim-cmp")

    def test_ghost_text_waits_while_the_menu_of_blink_cmp_is_open(self):
        self.ghost_text_waits("blink.cmp")

    def test_a_second_setup_still_watches_the_menus(self):
        again = ":lua require('tenon').setup({ cmd = require('tenon.options').current.cmd, debounce_ms = 10 })<CR>"
        for menu in self.MENUS:
            with self.subTest(menu):
                self.ghost_text_waits(menu, "i<Esc>" + again)

    def test_the_editors_own_menu_counts_too(self):
        editor = self.start([{"before": "", "answer": item("!")}], "xyz\nxya\n", "debounce_ms = 10")
        editor.keys("<Esc>Gox<C-n>")
        editor.wait(lambda: editor.lua("vim.fn.pumvisible()") == 1, "the menu")
        editor.wait(lambda: editor.lua("require('tenon').idle()"), "the delay to pass")
        self.assertIsNone(editor.ghost())

    def test_other_clients_of_the_editor_do_not_ask_tenon(self):
        editor = self.start([], "x\n")
        provided = editor.lua("require('tenon.server').client().server_capabilities")
        self.assertEqual([name for name in provided if name in ("completionProvider", "inlineCompletionProvider")], [])

    def test_the_list_is_left_to_them_where_the_user_wants_it(self):
        editor = self.start([], "x\n", "auto_trigger = false, list = true")
        self.assertIn("completionProvider", editor.lua("require('tenon.server').client().server_capabilities"))

    def test_another_server_in_the_buffer_goes_on(self):
        script = pathlib.Path(__file__).with_name("scripted_server.py")
        after = (f"local other = vim.lsp.start_client({{ name = 'other', cmd = {{ '{sys.executable}', '-B', '{script}', "
                 f"vim.env.OTHER .. '.json', vim.env.OTHER .. '.log' }} }})\n"
                 "vim.api.nvim_create_autocmd('FileType', { callback = function(event) vim.lsp.buf_attach_client(event.buf, other) end })")
        before = ("vim.env.OTHER = vim.fn.tempname() vim.fn.writefile({ '[]' }, vim.env.OTHER .. '.json')")
        editor = self.start([{"before": "x", "answer": item("yz")}], "x\n", before=before, after=after)
        self.complete_at(editor, "<Esc>ggA")
        editor.keys("<Tab>")
        editor.wait_for_text("xyz\n")
        other = pathlib.Path(editor.lua("vim.env.OTHER") + ".log")
        # The other server starts in its own time, and its log with it.
        editor.wait(lambda: other.exists() and '"text": "yz"' in other.read_text(), "the other server to be told")
        self.assertNotIn("inlineCompletion\"", other.read_text().split("didOpen")[1])


class Options(CommandsCase):
    def test_a_wrong_one_is_named_and_left_as_it_was(self):
        editor = self.start([], "x\n", "auto_trigger = false, colour = 1, debounce_ms = 'soon', keymaps = { fly = 'x' }")
        for part in ("no option 'colour'", "'debounce_ms' must be a number, not a string", "no key 'fly'"):
            self.assertIn(part, editor.said())
        self.assertEqual(editor.lua("require('tenon.options').current.debounce_ms"), 120)

    def test_a_value_that_would_fail_later_is_named_and_left_as_it_was(self):
        wrong = "filetypes = { 1 }, debounce_ms = -1, keymaps = { accept = 3, next = false }"
        editor = self.start([], "x\n", f"auto_trigger = false, {wrong}")
        for part in ("'filetypes' must be a list of names", "'debounce_ms' must be 0 or more", "'keymaps.accept' must be a key or false"):
            self.assertIn(part, editor.said())
        options = "require('tenon.options').current"
        self.assertEqual(editor.lua(f"{options}.keymaps.accept"), "<Tab>")
        self.assertEqual(editor.lua(f"{options}.debounce_ms"), 120)
        self.assertFalse(editor.lua(f"{options}.keymaps.next"))
        editor.lua("require('tenon').setup({ cmd = {} })")
        self.assertIn("'cmd' must be a program and its arguments", editor.said())

    def test_a_budget_of_the_user_is_not_overruled_in_either_form(self):
        names = ("completion.automaticBudgetMs", "completion.invokedBudgetMs")
        for given, added in (("{}", (30000, 30000)), ("{ ['completion.automaticBudgetMs'] = 9 }", (9, 30000)),
                             ("{ completion = { automaticBudgetMs = 9 } }", (None, 30000))):
            with self.subTest(given):
                self.start([], "x\n", f"auto_trigger = false, init_options = {given}")
                sent = self.received("initialize")[0]["params"]["initializationOptions"]
                self.assertEqual(tuple(sent.get(name) for name in names), added)

    def test_keys_can_be_left_alone(self):
        editor = self.start([], "x\n", "auto_trigger = false, keymaps = false")
        self.assertNotEqual(editor.lua("require('tenon.keys').owner('<Tab>')"), "tenon")


if __name__ == "__main__":
    unittest.main()
