"""The packages installed in a bare Debian and used there from a clean home: bare_root_test.py BUILD

The Debian package goes in by apt, and shells and man use it from where it put its files; the tarball is unpacked beside it. Neovim,
Emacs and VS Code use both. VS Code runs outside, where tools/setup_vscode has been run: with the extension and the program of each.
Takes ten minutes of two busy cores, the network and the rights of root.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/editors"))
from bare_root import USER, BareRoot, lacks  # noqa: E402
from running_neovim import RunningNeovim  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1))
NOT_HERE = 77
MODEL = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon/models/smollm2-135m-fim.gguf"
TEXT = """import sys


def main():
    if len(sys
    return 1
"""
# Types `.`, waits for grey text, takes it and saves. What it prints is what went wrong.
EMACS_SCRIPT = """
(setq tenon-automatic nil)
(global-tenon-mode)
(find-file "~/program.py")
(search-forward "len(sys")
(defun wait-for (condition)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "waited in vain: %s" (tenon--reason)))
      (accept-process-output nil 0.05))))
(execute-kbd-macro (kbd "."))
(wait-for (lambda () (unless (or tenon--question tenon--shown) (tenon-complete)) tenon--shown))
(execute-kbd-macro (kbd "TAB"))
(save-buffer)
"""


class BareDebian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        folder = pathlib.Path(cls.scratch.name)
        done = subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        cls.root = BareRoot(folder / "root")
        for package in (*folder.glob("*.deb"), *folder.glob("*.tar.gz")):
            shutil.copy(package, cls.root.path / "tmp")
        cls.root.install(*(f"/tmp/{package.name}" for package in (cls.root.path / "tmp").glob("*.deb")), "neovim", "emacs-nox", "zsh", "fish", "man-db")
        archive = next((cls.root.path / "tmp").glob("*.tar.gz")).name
        cls.root.run("sh", "-c", f"mkdir -p /opt/tenon && tar -xzf /tmp/{archive} -C /opt/tenon --strip-components=1")
        # As `tenon model add` does; a link would lead out of the root.
        models = cls.root.write(f"home/{USER}/.local/share/tenon/models/.keep", "").parent
        shutil.copy(MODEL, models)

    def use(self, *words, **how):
        return self.root.run(*words, user=USER, **how)

    def assert_valid(self, name):
        self.use("tenon", "check", name)
        self.assertNotEqual((self.root.home / name).read_text(), TEXT)

    def test_doctor_finds_nothing_wrong(self):
        told = self.use("tenon", "doctor").stdout
        self.assertIn("/usr/share/tenon/grammars", told)
        self.assertIn("guarantee syntax: c,", told)

    def test_the_tarball_works_beside_the_libraries(self):
        self.root.write(f"home/{USER}/sum.py", "def add(a, b):\n    return \n")
        for program in ("tenon", "/opt/tenon/bin/tenon"):
            done = self.use(program, "--json", "complete", "sum.py", "--at", "2:12")
            self.assertEqual(json.loads(done.stdout)["items"][0]["guarantee"], "file", program)
        self.assertIn("/opt/tenon/share/tenon/grammars", self.use("/opt/tenon/bin/tenon", "doctor").stdout)

    def test_the_shells_and_man_find_their_files(self):
        self.assertIn("/usr/share/man/man1/tenon.1", self.use("man", "-w", "tenon").stdout)
        self.assertIn("doctor", self.use("fish", "-c", "complete -C 'tenon doc'").stdout)
        # A terminal of zsh's own, in which Tab is pressed.
        zsh = ("zmodload zsh/zpty; zpty shell zsh -f -i; zpty -w shell 'autoload -Uz compinit; compinit -u; PROMPT=; print re\"\"ady';"
               "zpty -r shell line '*ready*'; zpty -w -n shell $'tenon doc\\t'; zpty -r shell line '*doctor*'; print -r -- $line")
        self.assertIn("doctor", self.use("timeout", "30", "zsh", "-f", "-c", zsh).stdout)

    def neovim(self, init):
        """Types, accepts and saves in a clean home whose init.lua is `init`."""
        self.root.write(f"home/{USER}/.config/nvim/init.lua", init)
        self.root.write(f"home/{USER}/program.py", TEXT)
        command = self.root.command("nvim", "--headless", "--listen", "/tmp/nvim", "program.py", user=USER)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-bare-"))
        (self.root.path / "tmp/nvim").unlink(missing_ok=True)
        editor = RunningNeovim(command, self.root.path / "tmp/nvim", folder)
        self.addCleanup(editor.close)
        editor.wait_attached()
        editor.keys("/len(<CR>A.")
        editor.wait_for_ghost(60)
        editor.keys("<Tab>")
        editor.wait(lambda: editor.ghost() is None, "the suggestion to be taken")
        editor.keys("<Esc>:w<CR>")
        editor.wait(lambda: editor.lua("vim.bo.modified") is False, "the file to be written")
        self.assert_valid("program.py")

    def emacs(self, init):
        """The same in Emacs, whose init.el is `init`."""
        self.root.write(f"home/{USER}/program.py", TEXT)
        self.root.write(f"home/{USER}/.emacs.d/script.el", init + EMACS_SCRIPT)
        self.use("emacs", "--batch", "-l", f"/home/{USER}/.emacs.d/script.el")
        self.assert_valid("program.py")

    def vs_code(self, extension, program):
        """A typed line in the VS Code outside, with an extension and a program of the root, both by their paths inside."""
        code = subprocess.run([ROOT / "tools/setup_vscode", "--where"], capture_output=True, text=True).stdout.strip()
        vsix = self.root.path / extension
        if not code or not vsix.exists():
            self.skipTest("tools/setup_vscode or tools/build_vsix has not been run")
        # The editor runs outside: its files are seen inside under the same names.
        with tempfile.TemporaryDirectory(prefix="tenon-shared-") as shared:
            os.chmod(shared, 0o777)
            wrapper = pathlib.Path(shared) / "tenon"
            inside = self.root.command(program, environment={"XDG_DATA_HOME": f"/home/{USER}/.local/share"}, shared=[shared])
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(inside)} "$@"\n')
            wrapper.chmod(0o755)
            command = [sys.executable, ROOT / "tests/editors/vscode/vscode_test.py", "browser", wrapper, "real_browser.ts", "--vsix", vsix,
                       "--only", "typed line of Python"]
            done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, TMPDIR=shared))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_neovim_in_three_steps(self):
        """The package, the model, two lines in init.lua."""
        self.neovim("vim.cmd('packadd tenon')\nrequire('tenon').setup({})\n")

    def test_neovim_with_the_tarball(self):
        self.neovim("vim.opt.runtimepath:append('/opt/tenon/share/tenon/editors/neovim')\n"
                    "require('tenon').setup({ cmd = { '/opt/tenon/bin/tenon', '--stdio' } })\n")

    def test_emacs_in_three_steps(self):
        self.emacs("(require 'tenon)\n")

    def test_emacs_with_the_tarball(self):
        self.emacs('(load "/opt/tenon/share/emacs/site-lisp/tenon.el")\n(setq tenon-program "/opt/tenon/bin/tenon")\n')

    def test_vs_code_with_the_packages_extension_and_program(self):
        self.vs_code("usr/share/tenon/editors/tenon.vsix", "tenon")

    def test_vs_code_with_the_tarballs_extension_and_program(self):
        self.vs_code("opt/tenon/share/tenon/editors/tenon.vsix", "/opt/tenon/bin/tenon")


if __name__ == "__main__":
    if reason := lacks():
        print(f"SKIPPED, NOTHING WAS TESTED: {reason}")
        sys.exit(NOT_HERE)
    unittest.main()
