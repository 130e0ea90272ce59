"""Drives a real Neovim from outside, as a user does: keys go in, what the editor shows comes out.

`--nvim new` among a test's arguments takes the Neovim that tools/setup_editors fetched, `--nvim PATH` any other one; without it the
`nvim` of the PATH runs. Where there is none the test says so and exits with 77, which ctest counts as skipped.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from neovim_rpc import NeovimRpc

PLUGIN = pathlib.Path(__file__).resolve().parents[2] / "editors" / "neovim"
SKIPPED = 77


def chosen_editor():
    """The program that --nvim chooses, which is taken from the arguments."""
    chosen = "nvim"
    if "--nvim" in sys.argv:
        at = sys.argv.index("--nvim")
        chosen = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    if chosen == "new":
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        chosen = str(next(iter(sorted(cache.glob("tenon/editors/neovim-*/bin/nvim"))), "the Neovim of tools/setup_editors"))
    editor = shutil.which(chosen)
    if not editor:
        print(f"SKIPPED: there is no {chosen}; tools/setup installs it")
        sys.exit(SKIPPED)
    return editor


EDITOR = chosen_editor()


class Neovim:
    """One headless editor with the plugin, in a folder of its own."""

    def __init__(self, server_command, text, options="", name="example.py", before="", after=""):
        """`before` and `after`: Lua that init.lua runs before and after setup()."""
        self.editor = EDITOR
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-nvim-"))
        self.file = self.folder / name
        self.file.write_bytes(text.encode())
        self.socket = self.folder / "socket"
        command = "{" + ", ".join(json.dumps(part, ensure_ascii=False) for part in server_command) + "}"
        (self.folder / "init.lua").write_text(
            # Neovim looks for a Python of its own when it opens a Python file, for seconds.
            "vim.g.loaded_python3_provider = 0\n"
            f"vim.opt.runtimepath:append({json.dumps(str(PLUGIN))})\n"
            "vim.cmd('runtime! plugin/tenon.lua')\n"
            f"{before}\nrequire('tenon').setup({{ cmd = {command}, {options} }})\n{after}\n",
            encoding="utf-8")
        environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"), XDG_CACHE_HOME=str(self.folder / "cache"), NVIM_LOG_FILE=str(self.folder / "nvim.log"))
        self.errors = open(self.folder / "stderr", "wb")
        # A session of its own: the editor must not take the terminal's signals, and ends by its own id.
        self.process = subprocess.Popen(
            [self.editor, "--clean", "--headless", "--listen", str(self.socket), "-u", str(self.folder / "init.lua"), str(self.file)],
            stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, env=environment, start_new_session=True)
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
