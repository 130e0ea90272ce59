"""A Neovim that runs, driven through its socket as a user does: keys go in, what the editor shows comes out."""

import json
import os
import shutil
import signal
import subprocess
import time

from neovim_rpc import NeovimRpc


class RunningNeovim:
    """A headless editor that listens at a socket. Its folder keeps what it prints and goes with it."""

    def __init__(self, command, socket, folder, environment=None):
        self.socket = socket
        self.folder = folder
        self.errors = open(folder / "stderr", "wb")
        # A session of its own: the editor must not take the terminal's signals, and ends by its own id.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, env=environment, start_new_session=True)
        self.rpc = None
        self.wait(self._connects, "the editor to listen")

    def _connects(self):
        try:
            self.rpc = NeovimRpc(self.socket)
        except OSError:
            return False
        return True

    def wait(self, condition, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}; the editor said: {self.said()!r}")
            time.sleep(0.02)

    def keys(self, keys):
        """Types, in the notation of maps: `<Esc>`, `<lt>`. The editor takes them in its own time."""
        self.rpc.call("nvim_input", keys)

    def lua(self, expression):
        """The value of a Lua expression, through JSON; None for nil."""
        return json.loads(self.rpc.call("nvim_exec_lua", f"return vim.fn.json_encode(({expression}))", []))

    def ghost(self):
        """The suggestion as it is drawn, or None."""
        return self.lua("require('tenon.ghost').drawn(0)")

    def said(self):
        """What the editor has printed; its messages are among it."""
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")

    def screen(self):
        """What a user sees: the screen's lines, without the blanks at their ends."""
        rows = self.lua("(function() vim.cmd('redraw') local rows = {} for row = 1, vim.o.lines do local cells = {} "
                        "for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end "
                        "rows[row] = table.concat(cells) end return rows end)()")
        return [row.rstrip() for row in rows]

    def wait_for_ghost(self, seconds=20):
        self.wait(lambda: self.ghost() is not None, "a suggestion", seconds)
        return self.ghost()

    def wait_attached(self):
        self.wait(lambda: self.lua("(require('tenon.server').state())") == "ready", "the server to be ready", 120)

    def text(self):
        return "\n".join(self.lua("vim.api.nvim_buf_get_lines(0, 0, -1, false)")) + "\n"

    def wait_for_text(self, expected):
        """Keys are taken in turn, so what they do to the text may come a moment later."""
        try:
            self.wait(lambda: self.text() == expected, "the text", 5)
        except AssertionError as error:
            raise AssertionError(f"the text is {self.text()!r}, not {expected!r}") from error

    def cursor(self):
        """Row from 1 and byte column from 0."""
        return tuple(self.lua("vim.api.nvim_win_get_cursor(0)"))

    def close(self):
        if self.process.poll() is None:
            try:
                self.keys("<C-\\><C-n>:qa!<CR>")
                self.process.wait(10)
            except (AssertionError, OSError, subprocess.TimeoutExpired):
                os.kill(self.process.pid, signal.SIGKILL)
                self.process.wait()
        if self.rpc:
            self.rpc.close()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)
