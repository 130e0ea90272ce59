#!/usr/bin/env python3
"""Records terminal sessions as SVG pictures: an animated one for the README, one still a client for docs/editors.md.

usage: tools/record_terminal.py [--model NAME] [--only PICTURE]

Runs the program of the release build, Neovim and Emacs in a pseudo terminal, types, and draws what the terminal shows. Pauses of the
animated picture are shortened to a second. pyte, which reads the terminal's language, is fetched from PyPI into the cache once.
"""

import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tenon"
PICTURES = ROOT / "docs" / "pictures"
REQUIREMENTS = ["pyte==0.8.2", "wcwidth==0.9.4"]
COLUMNS, ROWS = 76, 20
LONGEST_PAUSE_S = 1.0
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 18, 12
PALETTE = {"default": "#d4d4d4", "black": "#3b3b3b", "red": "#f48771", "green": "#89d185", "brown": "#e2c08d", "yellow": "#e2c08d",
           "blue": "#75beff", "magenta": "#d8a0df", "cyan": "#6fc3c3", "white": "#e8e8e8"}
BACKGROUND = "#1e1e1e"
EXAMPLE = '''import json
import sys


def read_settings(path):
    """The settings of a file, a dictionary."""
    with open(path, encoding="utf-8") as file:
        return json.load()


def main():
    settings = read_settings(sys.argv[1])
    for name in settings:
        print(name, settings[name])


main()
'''


def with_pyte():
    """Starts itself again in a virtual environment that has pyte."""
    try:
        import pyte  # noqa: F401, PLC0415
    except ImportError:
        environment = CACHE / "record-venv"
        python = environment / "bin" / "python"
        complete = environment / "complete"
        if not complete.exists() or complete.read_text() != "\n".join(REQUIREMENTS):
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(environment)], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", *REQUIREMENTS], check=True)
            complete.write_text("\n".join(REQUIREMENTS))
        os.execv(python, [str(python), *sys.argv])


class Terminal:
    """A program in a pseudo terminal, and the frames that it has shown."""

    def __init__(self, command, folder, **environment):
        import pyte  # noqa: PLC0415
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.Stream(self.screen)
        self.frames = []  # (seconds, rows, cursor)
        self.began = time.monotonic()
        environment = dict(os.environ, TERM="xterm-256color", PS1="$ ", LANG="C.UTF-8", **environment)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def _frame(self):
        rows = tuple(tuple((cell.data, cell.fg, cell.bg, cell.bold, cell.reverse) for cell in (self.screen.buffer[y][x] for x in range(COLUMNS)))
                     for y in range(ROWS))
        cursor = (self.screen.cursor.x, self.screen.cursor.y)
        if not self.frames or self.frames[-1][1:] != (rows, cursor):
            self.frames.append((time.monotonic() - self.began, rows, cursor))

    def watch(self, seconds, until=None):
        """Reads for so long, or until the screen's text has `until`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.05)[0]:
                try:
                    data = os.read(self.terminal, 1 << 16).decode(errors="replace")
                except OSError:
                    return False
                # Private sequences that pyte takes for colours.
                self.stream.feed(re.sub(r"\x1b\[[>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1bP.*?\x1b\\", "", data))
                if select.select([self.terminal], [], [], 0.02)[0] and time.monotonic() < end:
                    continue
            self._frame()
            if until and until(self.text()):
                return True
        return until is None

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, keys, pause=0.12):
        for key in keys:
            os.write(self.terminal, key.encode())
            self.watch(pause)

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)  # a shell does not end by SIGTERM
            os.waitpid(self.pid, 0)
        except ProcessLookupError:
            pass
        os.close(self.terminal)


def colour(name, default):
    if name == "default":
        return default
    return PALETTE.get(name.removeprefix("bright"), f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else default)


def line_svg(cells):
    """One line of the screen: runs of cells of one look."""
    parts, begin = [], 0
    while begin < len(cells):
        end = begin
        while end < len(cells) and cells[end][1:] == cells[begin][1:]:
            end += 1
        text = "".join(cell[0] for cell in cells[begin:end])
        _, fore, back, bold, reverse = cells[begin]
        front, ground = colour(fore, PALETTE["default"]), colour(back, BACKGROUND)
        if reverse:
            front, ground = ground, front
        x, width = begin * CELL_WIDTH, (end - begin) * CELL_WIDTH
        if ground != BACKGROUND:
            parts.append(f'<rect x="{x:g}" y="-13" width="{width:g}" height="{CELL_HEIGHT}" fill="{ground}"/>')
        weight = ' font-weight="bold"' if bold else ""
        fill = f' fill="{front}"' if front != PALETTE["default"] else ""
        # Several blanks in a row would be drawn as one.
        for piece in re.finditer(r"\S+(?: \S+)*", text):
            at, length = x + piece.start() * CELL_WIDTH, len(piece.group()) * CELL_WIDTH
            parts.append(f'<text x="{at:g}" textLength="{length:g}"{fill}{weight}>{html.escape(piece.group())}</text>')
        begin = end
    return "".join(parts)


def svg(frames, title):
    """The picture of (seconds, rows, cursor); several frames are an animation that begins anew."""
    width, height = COLUMNS * CELL_WIDTH + 2 * MARGIN, ROWS * CELL_HEIGHT + 2 * MARGIN
    lines, groups = {}, []
    for index, (_, rows, cursor) in enumerate(frames):
        uses = [f'<rect x="{cursor[0] * CELL_WIDTH:g}" y="{cursor[1] * CELL_HEIGHT:g}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" fill="#808080"/>']
        for y, cells in enumerate(rows):
            drawn = line_svg(cells)
            if drawn:
                name = lines.setdefault(drawn, f"l{len(lines)}")
                uses.append(f'<use href="#{name}" y="{y * CELL_HEIGHT + 13}"/>')
        groups.append(f'<g transform="translate({index * width:g} 0)">{"".join(uses)}</g>')
    style = ""
    if len(frames) > 1:
        times = [frame[0] for frame in frames]
        total = times[-1] + 3
        steps = "".join(f"{100 * at / total:.2f}%{{transform:translateX({-index * width:g}px)}}" for index, at in enumerate(times))
        style = (f"<style>@keyframes play{{{steps}100%{{transform:translateX({-(len(frames) - 1) * width:g}px)}}}}"
                 f"#film{{animation:play {total:.1f}s steps(1,end) infinite}}</style>")
    definitions = "".join(f'<g id="{name}">{drawn}</g>' for drawn, name in lines.items())
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            f'font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="{PALETTE["default"]}" xml:space="preserve">'
            f"<title>{html.escape(title)}</title>{style}<defs>{definitions}</defs>"
            f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>'
            f'<svg x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN:g}" height="{height - 2 * MARGIN:g}" overflow="hidden">'
            f'<g id="film">{"".join(groups)}</g></svg></svg>\n')


def shortened(frames):
    """The frames with no pause above LONGEST_PAUSE_S, and few enough of them."""
    kept, now, before = [], 0.0, frames[0][0]
    for at, rows, cursor in frames:
        now += min(at - before, LONGEST_PAUSE_S)
        before = at
        if kept and now - kept[-1][0] < 0.06:
            kept[-1] = (kept[-1][0], rows, cursor)
        else:
            kept.append((now, rows, cursor))
    return kept


def write(name, frames, title):
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / name
    path.write_text(svg(frames, title), encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes, {len(frames)} frames")


def in_shell(folder, arguments):
    """`tenon complete` typed at a prompt."""
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], folder, PATH=f"{ROOT / 'build' / 'release'}:{os.environ['PATH']}")
    terminal.watch(2, lambda text: "$" in text)
    terminal.type(f"tenon complete settings.py --at 8:26{arguments}", 0.06)
    terminal.type("\r")
    terminal.watch(180, lambda text: "guarantee" in text and text.rstrip().endswith("$"))
    terminal.watch(1)
    terminal.close()
    return terminal.frames


def neovim(folder, model):
    command = f"{{'{ROOT / 'build' / 'release' / 'tenon'}', '--stdio', '--no-daemon'{model}}}"
    (folder / "init.lua").write_text(
        f"vim.opt.runtimepath:append('{ROOT / 'editors' / 'neovim'}')\nvim.g.loaded_python3_provider = 0\n"
        "vim.o.laststatus = 2\nvim.o.statusline = '%f %m%=%{v:lua.require(\"tenon\").statusline()} '\nvim.o.shortmess = vim.o.shortmess .. 'I'\n"
        "vim.cmd('highlight TenonGhost ctermfg=243 cterm=italic')\n"
        f"vim.cmd('runtime! plugin/tenon.lua')\nrequire('tenon').setup({{ cmd = {command}, keymaps = {{ accept_word = '<C-l>' }} }})\n")
    terminal = Terminal(["nvim", "--clean", "-u", "init.lua", "settings.py"], folder, XDG_STATE_HOME=str(folder), XDG_CACHE_HOME=str(CACHE.parent))
    terminal.watch(180, lambda text: re.search(r"tenon\s*$", text, re.M) and "loading" not in text)
    terminal.type("8G")
    terminal.type("f)i", 0.3)
    settled = lambda text: "tenon …" not in text  # noqa: E731
    terminal.watch(1)
    terminal.watch(60, settled)
    for keys in ("f", "\t", "\x1b", "14G", "o", "if name"):
        before = terminal.text()
        terminal.type(keys, 0.15)
        terminal.watch(1.0)
        terminal.watch(60, settled)
        terminal.watch(0.5)
        if keys == "f":
            still = terminal.frames[-1]
        if terminal.text() == before and keys not in ("\x1b",):
            break
    terminal.type("\t")
    terminal.watch(1)
    terminal.close()
    return terminal.frames, still


def emacs(folder, model):
    (folder / "init.el").write_text(
        f'(load "{ROOT / "editors" / "emacs" / "tenon.el"}" nil t)\n(setq tenon-program "{ROOT / "build" / "release" / "tenon"}" '
        f"tenon-arguments '(\"--stdio\" \"--no-daemon\"{model}))\n(menu-bar-mode -1)\n(setq frame-background-mode 'dark)\n(frame-set-background-mode nil)\n(setq inhibit-startup-screen t)\n(global-tenon-mode)\n")
    terminal = Terminal(["emacs", "-q", "-nw", "-l", "init.el", "settings.py"], folder)
    terminal.watch(180, lambda text: " tenon)" in text or " tenon " in text)
    terminal.type("\x1b", 0)
    terminal.type("gg8\r", 0.2)
    terminal.type("\x05\x02", 0.2)
    terminal.type("f", 0.2)
    terminal.watch(60, lambda text: "load(file" in text)
    terminal.watch(1)
    still = terminal.frames[-1]
    terminal.close()
    return still


def main():
    with_pyte()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", help="a model by name; unless told, tenon's choice")
    parser.add_argument("--only", choices=["shell", "neovim", "emacs"])
    arguments = parser.parse_args()
    model = arguments.model
    frames = []
    with tempfile.TemporaryDirectory(prefix="tenon-record-") as name:
        folder = pathlib.Path(name)
        (folder / "settings.py").write_text(EXAMPLE)
        if arguments.only in (None, "shell"):
            frames += in_shell(folder, f" --model {model}" if model else "")
        if arguments.only in (None, "neovim"):
            typed, still = neovim(folder, f", '--model', '{model}'" if model else "")
            write("neovim.svg", [(0, *still[1:])], "A suggestion of tenon in Neovim")
            if frames:
                offset = frames[-1][0] + 1 - typed[0][0]
                typed = [(at + offset, rows, cursor) for at, rows, cursor in typed]
            frames += typed
        (folder / "settings.py").write_text(EXAMPLE)
        if frames:
            write("session.svg", shortened(frames), "tenon complete in a terminal, then typing in Neovim")
        if arguments.only in (None, "emacs") and shutil.which("emacs"):
            write("emacs.svg", [(0, *emacs(folder, f' "--model" "{model}"' if model else "")[1:])], "A suggestion of tenon in Emacs")


if __name__ == "__main__":
    main()
