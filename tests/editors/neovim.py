"""Drives a real Neovim from outside, as a user does: keys go in, what the editor shows comes out.

`--nvim new` among a test's arguments takes the Neovim that tools/setup_editors fetched, `--nvim PATH` any other one; without it the
`nvim` of the PATH runs. Where there is none the test says so and exits with 77, which ctest counts as skipped.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile

from running_neovim import RunningNeovim

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


class Neovim(RunningNeovim):
    """The editor with the plugin of this checkout, in a folder of its own."""

    def __init__(self, server_command, text, options="", name="example.py", before="", after=""):
        """`before` and `after`: Lua that init.lua runs before and after setup()."""
        self.editor = EDITOR
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-nvim-"))
        self.file = folder / name
        self.file.write_bytes(text.encode())
        command = "{" + ", ".join(json.dumps(part, ensure_ascii=False) for part in server_command) + "}"
        (folder / "init.lua").write_text(
            # Neovim looks for a Python of its own when it opens a Python file, for seconds.
            "vim.g.loaded_python3_provider = 0\n"
            f"vim.opt.runtimepath:append({json.dumps(str(PLUGIN))})\n"
            "vim.cmd('runtime! plugin/tenon.lua')\n"
            f"{before}\nrequire('tenon').setup({{ cmd = {command}, {options} }})\n{after}\n",
            encoding="utf-8")
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"), XDG_CACHE_HOME=str(folder / "cache"), NVIM_LOG_FILE=str(folder / "nvim.log"))
        start = [self.editor, "--clean", "--headless", "--listen", str(folder / "socket"), "-u", str(folder / "init.lua"), str(self.file)]
        super().__init__(start, folder / "socket", folder, environment)
