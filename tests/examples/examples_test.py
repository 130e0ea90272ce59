#!/usr/bin/env python3
"""The examples, built against the library as it is installed, print what they should.

Usage: examples_test.py shared|static SOURCE_FOLDER BUILD_FOLDER COMPILER [LAUNCHER…]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FORM, COMPILER = sys.argv[1], sys.argv[4]
SOURCE, BUILD = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
LAUNCHER = ";".join(sys.argv[5:])


def run(*command):
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        cls.prefix, cls.built = root / "prefix", root / "build"
        for component in ["library", "grammars"]:
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)
        run("cmake", "-G", "Ninja", "-S", SOURCE / "examples", "-B", cls.built,
            f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}", f"-DTENON_STATIC={'ON' if FORM == 'static' else 'OFF'}",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        run("cmake", "--build", cls.built)
        cls.json = cls.prefix / "share/tenon/grammars/json.lark"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def example(self, name, *arguments):
        done = subprocess.run([self.built / name, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def check_text(self, text):
        file = pathlib.Path(self.folder.name) / "file.json"
        file.write_text(text, encoding="utf-8")
        status, output = self.example("check_text", self.json, file)
        return status, output.replace(str(file), "FILE")

    def test_check_text_says_where_a_text_goes_wrong(self):
        self.assertEqual(self.check_text('{"a": [1, 2]}\n'), (0, "FILE: valid\n"))
        status, output = self.check_text('{\n"a": [1, 2,]}\n')
        self.assertEqual(status, 1)
        self.assertRegex(output, r"^FILE:2:12: \S")

    def test_a_grammar_that_is_not_there_is_a_message(self):
        status, output = self.example("check_text", "nowhere.lark", "x.json")
        self.assertEqual((status, output), (2, "nowhere.lark: cannot be read; name a grammar file\n"))

    def test_fill_gap_draws_texts_that_fit(self):
        left, right = '{"a": [1, ', "]}"
        status, output = self.example("fill_gap", self.json, left, right, "7")
        self.assertEqual(status, 0, output)
        lines = output.splitlines()
        self.assertEqual(len(lines), 5)
        for line in lines:
            self.assertTrue(line.startswith(left) and line.endswith(right), line)
            self.assertLessEqual(len(line) - len(left) - len(right), 24)
            self.assertGreaterEqual(len(json.loads(line)["a"]), 2, line)
        self.assertGreater(len(set(lines)), 1, "equal texts only")
        self.assertEqual(self.example("fill_gap", self.json, left, right, "7"), (0, output))

    def test_fill_gap_says_that_nothing_fits(self):
        status, output = self.example("fill_gap", self.json, "[1", "}", "7")
        self.assertEqual((status, output), (1, "no text of 24 bytes fits between these two\n"))

    def test_mask_logits_writes_texts_that_fit(self):
        texts = set()
        for seed in range(20):
            status, output = self.example("mask_logits", self.json, '{"a": ', "}", str(seed))
            self.assertEqual(status, 0, output)
            self.assertIn("a", json.loads(output), output)
            texts.add(output)
        self.assertGreater(len(texts), 10)

    def test_complete_gap_drives_a_model_of_its_own(self):
        left, right = '{"a": [1, 2], "b": [1, ', "]}"
        self.assertEqual(self.example("complete_gap", self.json, left, right), (0, left + "2" + right + "\n"))
        # A model that would repeat one bracket for ever is held to its 64 tokens.
        status, output = self.example("complete_gap", self.json, "[[[[[[[[", "")
        self.assertEqual(status, 0, output)
        self.assertLessEqual(len(output), 8 + 64 + 1)
        json.loads(output)

    def test_complete_gap_says_that_nothing_fits(self):
        status, output = self.example("complete_gap", self.json, "[1", "}")
        self.assertEqual((status, output), (1, "no text of 64 bytes fits between these two\n"))

    def test_the_shared_library_offers_public_names_alone(self):
        if FORM != "shared":
            self.skipTest("the static form hides nothing")
        library = next(self.prefix.glob("lib*/**/libtenon.so"))
        names = run("nm", "--dynamic", "--defined-only", "--demangle", library)
        self.assertIn("tenon::Gap::Open(", names)
        inner = [line for line in names.splitlines() if " T " in line and "tenon::constraint::" in line.split("(")[0]]
        self.assertEqual(inner, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
