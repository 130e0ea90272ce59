"""The Debian package and the tarball, made and unpacked in empty folders: packages_test.py BUILD"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
NOT_HERE = 77
EXPECTED = ["bin/tenon", "share/man/man1/tenon.1", "share/bash-completion/completions/tenon", "share/zsh/vendor-completions/_tenon",
            "share/fish/vendor_completions.d/tenon.fish", "lib/systemd/user/tenon.service", "share/tenon/grammars/python.lark",
            "share/tenon/syntax/c.so", "share/tenon/models/registry.json", "share/nvim/site/pack/tenon/opt/tenon/plugin/tenon.lua",
            "share/emacs/site-lisp/tenon.el", "share/emacs/site-lisp/tenon-server.el", "share/tenon/tools/model/pull", "share/tenon/tools/model/make_small_model",
            "share/tenon/tools/model/merge_adapter.py", "share/tenon/tools/model/requirements.txt",
            "share/tenon/models/smollm2-135m-fim/adapter_model.safetensors"]


def make(folder):
    done = subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.scratch.name)
        make(folder)
        cls.deb = next(folder.glob("*.deb"))
        cls.tarball = next(folder.glob("*.tar.gz"))
        cls.roots = {"deb": folder / "deb", "tarball": folder / "tarball"}
        for root in cls.roots.values():
            root.mkdir()
        subprocess.run(["dpkg-deb", "-x", cls.deb, cls.roots["deb"]], check=True)
        subprocess.run(["tar", "-xzf", cls.tarball, "-C", cls.roots["tarball"], "--strip-components=1"], check=True)
        cls.prefixes = {"deb": cls.roots["deb"] / "usr", "tarball": cls.roots["tarball"]}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_both_hold_everything_that_an_editor_or_a_shell_looks_for(self):
        for kind, prefix in self.prefixes.items():
            for path in EXPECTED:
                self.assertTrue((prefix / path).is_file(), f"{kind} lacks {path}")
            self.assertFalse((prefix / "include").exists(), f"{kind} has headers of the library")

    def test_the_debian_package_names_the_libraries_that_it_needs(self):
        depends = subprocess.run(["dpkg-deb", "-f", self.deb, "Depends"], capture_output=True, text=True, check=True).stdout
        for library in ("libc6", "libstdc++6", "libspdlog", "libicu", "libtorch"):
            self.assertIn(library, depends)

    def test_the_program_finds_its_data_from_its_own_place(self):
        for kind, prefix in self.prefixes.items():
            home = prefix.parent / f"home-{kind}"
            env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
            asked = subprocess.run([prefix / "bin/tenon", "--json", "doctor"], capture_output=True, text=True, env=env)
            doctor = [json.loads(line) for line in asked.stdout.splitlines()]
            self.assertIn(str(prefix / "share/tenon/grammars"), asked.stdout, doctor)
            text = prefix.parent / "a.py"
            text.write_text("def f(x):\n    return x\n")
            subprocess.run([prefix / "bin/tenon", "check", text], check=True, env=env, capture_output=True)

    def test_the_program_knows_the_models_that_can_be_fetched(self):
        for prefix in self.prefixes.values():
            env = {"HOME": str(prefix.parent), "PATH": "/usr/bin:/bin"}
            names = subprocess.run([prefix / "bin/tenon", "model", "pull"], capture_output=True, text=True, env=env)
            self.assertEqual(names.returncode, 0, names.stderr)
            self.assertIn("qwen2.5-coder-1.5b", names.stdout)
            unknown = subprocess.run([prefix / "bin/tenon", "model", "pull", "--", "nonsense"], capture_output=True, text=True, env=env)
            self.assertEqual(unknown.returncode, 1)
            self.assertIn("nonsense", unknown.stderr)

    def test_the_small_model_is_made_by_what_is_installed(self):
        # The model is in place, and its stamp fits the adapter and the programs of the package. So nothing is fetched.
        models = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon/models"
        for kind, prefix in self.prefixes.items():
            home = prefix.parent / f"made-{kind}"
            (home / ".local/share/tenon/models").mkdir(parents=True)
            for name in ("smollm2-135m-fim.gguf", "smollm2-135m-fim.gguf.made-from"):
                shutil.copy2(models / name, home / ".local/share/tenon/models")
            env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
            pulled = subprocess.run([prefix / "bin/tenon", "model", "pull", "smollm2-135m-fim"], capture_output=True, text=True, env=env)
            self.assertIn("in place", pulled.stdout, pulled.stderr)
            shutil.rmtree(home)

    def test_the_program_completes_with_the_small_model(self):
        model = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon/models/smollm2-135m-fim.gguf"
        self.assertTrue(model.exists(), "run tools/setup --small")
        for prefix in self.prefixes.values():
            text = prefix.parent / "b.py"
            text.write_text("def add(a, b):\n    return \n")
            done = subprocess.run([prefix / "bin/tenon", "--model", model, "--json", "complete", text, "--at", "2:12"],
                                  capture_output=True, text=True, check=True, env={"HOME": str(prefix.parent), "PATH": "/usr/bin:/bin"})
            self.assertEqual(json.loads(done.stdout)["items"][0]["guarantee"], "file")


if __name__ == "__main__":
    missing = [program for program in ("cpack", "dpkg-deb", "dpkg-shlibdeps") if not shutil.which(program)]
    if missing:
        print(f"skipped: {', '.join(missing)} not on this machine; tools/setup installs dpkg-dev and cmake")
        sys.exit(NOT_HERE)
    unittest.main()
