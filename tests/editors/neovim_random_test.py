#!/usr/bin/env python3
"""Random typing in the real editor with the real server: nothing complains, and the server has the text that the editor has.

usage: neovim_random_test.py [--nvim new] TENON [--seconds N] [--seed S]

Types, accepts all, words and lines, undoes, goes through suggestions, moves, deletes, and switches between two files. Every so often
it compares each buffer with the server's text (tenon/text). Where a whole suggestion was accepted in a file that was valid before, the
file must be valid after. In the end it looks for errors in all logs, and prints counts and what the plugin adds to a key.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from neovim import Neovim

PYTHON = '''import sys


def largest(numbers):
    """The largest of the numbers, é and \U0001F600 included."""
    best = numbers[0]
    for number in numbers:
        if number > best:
            best = number
    return best


def main():
    print(largest([int(text) for text in sys.argv[1:]]))


main()
'''
GO = '''package main

import "fmt"

func add(a, b int) int {
\treturn a + b
}

func main() {
\tfmt.Println(add(1, 2))
}
'''
PIECES = ["x = ", "len(", "return ", "if ", "for i in ", "print(", ")", "]", "[", "{", "}", ":", ", ", "a.b", "'", '"é"', "\U0001F600", " ", "0x1f", "# why",
          "<CR>", "<CR>    ", "<lt>", "<BS>", "<BS><BS>", "<C-w>", "<C-u>"]

# Measures what the plugin and Neovim's client add to a key: all their callbacks of events and of changed lines. Starting insert mode
# begins anew, since what happened before was no typing.
MEASURE = """
vim.o.swapfile, vim.o.more, vim.o.cmdheight = false, false, 5
local uv = vim.uv or vim.loop
local spent, used, clock = 0, 0, uv.hrtime
_G.keys_ms, _G.keys_used_ms = {}, {}
local function processor_time()  -- in milliseconds, of this Neovim: what other programs take does not count
  local usage = uv.getrusage()
  return (usage.utime.sec + usage.stime.sec) * 1e3 + (usage.utime.usec + usage.stime.usec) / 1e3
end
local function timed(run)
  return function(...)
    local began, used_before = clock(), processor_time()
    local result = run(...)
    used = used + processor_time() - used_before
    spent = spent + clock() - began
    return result
  end
end
local autocmd, attach = vim.api.nvim_create_autocmd, vim.api.nvim_buf_attach
vim.api.nvim_create_autocmd = function(events, options)
  if type(options.callback) == 'function' then options.callback = timed(options.callback) end
  return autocmd(events, options)
end
vim.api.nvim_buf_attach = function(buffer, send, callbacks)
  for name, run in pairs(callbacks) do if type(run) == 'function' then callbacks[name] = timed(run) end end
  return attach(buffer, send, callbacks)
end
autocmd('InsertEnter', { callback = function() spent, used = 0, 0 end })
autocmd('InsertCharPre', { callback = function()
  _G.keys_ms[#_G.keys_ms + 1] = spent / 1e6
  _G.keys_used_ms[#_G.keys_used_ms + 1] = used
  spent, used = 0, 0
end })
"""
SERVER_TEXT = """(function()
  local server, answer = require('tenon.server'), nil
  local buffer = vim.api.nvim_get_current_buf()
  server.request(buffer, 'tenon/text', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, function(_, result) answer = result end)
  vim.wait(20000, function() return answer ~= nil end, 5)
  local lines = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\\n') .. '\\n'
  return { same = answer ~= nil and answer.text == lines, theirs = answer and answer.text, ours = lines }
end)()"""


class Typist:
    def __init__(self, tenon, seed):
        self.random = random.Random(seed)
        self.tenon = tenon
        # Two threads would leave the editor none on a small machine.
        self.editor = Neovim([tenon, "--stdio", "--no-daemon", "--threads", "1", "--model", "smollm2-135m-fim"], PYTHON,
                             "debounce_ms = 20, init_options = { experimental = { text = true } }", before=MEASURE)
        other = self.editor.folder / "other.go"
        other.write_text(GO)
        self.files = [(self.editor.file, PYTHON), (other, GO)]
        self.counts = {}
        self.faults = []

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def valid(self):
        name = self.editor.lua("vim.fn.expand('%:e')")
        file = self.editor.folder / ("checked." + name)
        file.write_text(self.editor.text())
        return subprocess.run([self.tenon, "check", str(file)], capture_output=True, check=False).returncode == 0

    def accept(self, unit):
        before = self.valid() if unit == "accept" else None
        accepted = self.editor.lua(f"require('tenon').{unit}()")
        if not accepted:
            return
        self.count(unit)
        if unit == "accept":
            after = self.valid()
            self.count(f"{'valid' if before else 'broken'} before, {'valid' if after else 'broken'} after")
            if before and not after:
                self.faults.append(f"a suggestion broke the text: {self.editor.text()!r}")

    def compare(self):
        self.count("comparisons")
        found = self.editor.lua(SERVER_TEXT)
        if not found["same"]:
            self.faults.append(f"the server has another text: {json.dumps(found)}")

    def restore(self, file, text):
        """A text that has been typed to pieces offers nothing any more."""
        self.editor.keys(f"<C-\\><C-n>:edit! {file}<CR>")
        self.editor.wait(lambda: self.editor.lua("vim.fn.expand('%:t')") == file.name, "the file")
        lines = text.rstrip("\n").split("\n")
        literal = "{" + ", ".join(json.dumps(line, ensure_ascii=False) for line in lines) + "}"
        self.editor.lua(f"vim.api.nvim_buf_set_lines(0, 0, -1, true, {literal})")
        self.editor.keys(f"<C-\\><C-n>{self.random.randint(1, len(lines))}GA")

    def act(self):
        chance = self.random.random()
        if chance < 0.45:
            self.count("typed")
            self.editor.keys(self.random.choice(PIECES))
        elif chance < 0.65:
            # Now and then the typist waits until the server has thought.
            end = time.monotonic() + self.random.choice((0.05, 0.3, 3))
            while time.monotonic() < end and not self.editor.ghost():
                time.sleep(0.02)
            if self.editor.ghost():
                self.count("seen")
                self.accept(self.random.choice(("accept", "accept", "accept_word", "accept_line")))
        elif chance < 0.72:
            self.count("undone")
            self.editor.keys("<C-\\><C-n>u" + self.random.choice(("", "<C-r>")) + "A")
        elif chance < 0.8:
            self.count("others")
            self.editor.keys(self.random.choice(("<M-]>", "<M-[>", "<M-Bslash>", "<C-]>")))
        elif chance < 0.9:
            self.editor.keys(self.random.choice(("<Left>", "<Right>", "<Up>", "<Down>", "<End>", "<C-\\><C-n>ddA", "<C-\\><C-n>>>A", "<C-\\><C-n>oi")))
        elif chance < 0.95:
            self.count("switched")
            self.restore(*self.random.choice(self.files))
        else:
            self.compare()

    def logged_errors(self):
        """Lines of errors in what the editor said and in its log, which has the server's, too."""
        texts = [self.editor.said()] + [path.read_text(errors="replace") for path in self.editor.folder.rglob("lsp.log")]
        lines = [line for text in texts for line in text.splitlines()]
        # Neovim writes all that a server says on standard error under [ERROR]; the server's own word for it is [error].
        return [line for line in lines if "[error]" in line or "Error executing" in line or "Error detected" in line or "Lua:" in line
                or ("[ERROR]" in line and '"stderr"' not in line)]

    def run(self, seconds):
        self.editor.wait_attached()
        self.restore(*self.files[0])
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.faults:
            self.act()
        self.compare()
        self.faults += self.logged_errors()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenon")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    typist = Typist(arguments.tenon, arguments.seed)
    try:
        typist.run(arguments.seconds)
        keys = sorted(typist.editor.lua("_G.keys_ms"))
        used = typist.editor.lua("_G.keys_used_ms")
    finally:
        typist.editor.close()
    print(f"seed {arguments.seed}, {arguments.seconds:g} s:", ", ".join(f"{what} {number}" for what, number in sorted(typist.counts.items())))
    if keys:
        print(f"added to a key, {len(keys)} keys: median {statistics.median(keys):.2f} ms, 95 of 100 below {keys[int(len(keys) * 0.95)]:.2f} ms, at most {keys[-1]:.2f} ms")
        print(f"of these in processor time at most {max(used):.2f} ms")
    for fault in typist.faults:
        print("FAULT:", fault)
    return 1 if typist.faults else 0


if __name__ == "__main__":
    sys.exit(main())
