"""Drives a real Neovim from outside, as a user does: keys go in, what the editor shows comes out."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

PLUGIN = pathlib.Path(__file__).resolve().parents[2] / "editors" / "neovim"


class Neovim:
    """One headless editor with the plugin, in a folder of its own."""

    def __init__(self, server_command, text, options="", name="example.py"):
        self.editor = shutil.which("nvim")
        if not self.editor:
            raise RuntimeError("nvim is not installed; run tools/setup")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-nvim-"))
        self.file = self.folder / name
        self.file.write_bytes(text.encode())
        self.socket = self.folder / "socket"
        command = "{" + ", ".join(json.dumps(part, ensure_ascii=False) for part in server_command) + "}"
        (self.folder / "init.lua").write_text(
            f"vim.opt.runtimepath:append({json.dumps(str(PLUGIN))})\n"
            "vim.cmd('runtime! plugin/tenon.lua')\n"
            f"require('tenon').setup({{ cmd = {command}, {options} }})\n",
            encoding="utf-8")
        environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"), XDG_CACHE_HOME=str(self.folder / "cache"), NVIM_LOG_FILE=str(self.folder / "nvim.log"))
        self.errors = open(self.folder / "stderr", "wb")
        # A session of its own: the editor must not take the terminal's signals, and ends by its own id.
        self.process = subprocess.Popen(
            [self.editor, "--clean", "--headless", "--listen", str(self.socket), "-u", str(self.folder / "init.lua"), str(self.file)],
            stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, env=environment, start_new_session=True)
        self.wait(lambda: self.socket.exists(), "the editor to listen")

    def wait(self, condition, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}; the editor said: {(self.folder / 'stderr').read_text()!r}")
            time.sleep(0.02)

    def _remote(self, *arguments):
        result = subprocess.run([self.editor, "--server", str(self.socket), *arguments], capture_output=True, text=True, timeout=30, check=False)
        if result.returncode != 0:
            raise AssertionError(f"{arguments}: {result.stderr}")
        return result.stdout if result.stdout else result.stderr

    def keys(self, keys):
        self._remote("--remote-send", keys)

    def lua(self, expression):
        """The value of a Lua expression, through JSON; None for nil."""
        quoted = expression.replace("'", "''")
        return json.loads(self._remote("--remote-expr", f"json_encode(luaeval('{quoted}'))"))

    def ghost(self):
        """The suggestion as it is drawn, or None."""
        return self.lua("require('tenon.ghost').drawn(0)")

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
            except (AssertionError, subprocess.TimeoutExpired):
                os.kill(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)
