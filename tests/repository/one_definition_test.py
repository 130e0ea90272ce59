#!/usr/bin/env python3
"""one_definition.py finds classes of one name in two files, and nothing else."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import one_definition


class OneDefinition(unittest.TestCase):
    def found(self, files):
        """The second definitions in a tree made of {path: text}."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return one_definition.defined_twice(root)[0]

    def test_one_name_in_two_headers(self):
        for first, second in (("struct A {", "struct A {"), ("class A final : B {", "class A {"), ("enum class A : uint8_t {", "struct A {"),
                              ("struct A {};", "struct A : B {")):
            header = "namespace tenon::server {\n\n%s\n};\n\n}  // namespace tenon::server\n"
            self.assertEqual(self.found({"server/a/a.h": header % first, "server/b/b.h": header % second}),
                             ["server/b/b.h:3: tenon::server::A: also in server/a/a.h:3"])

    def test_other_scopes_and_declarations(self):
        self.assertEqual(self.found({
            "server/a/a.h": "namespace tenon::server {\nclass Named;\nstruct A {\n  struct Named {};\n};\n}  // namespace tenon::server\n",
            "server/a/a.cpp": "namespace tenon::server {\nnamespace {\nstruct Named {\n};\n}  // namespace\nstruct A::Own {\n};\n"
                              "}  // namespace tenon::server\n",
            "server/b/b.cpp": "namespace tenon::server {\nnamespace {\nstruct Named {\n};\n}  // namespace\n}  // namespace tenon::server\n",
            "model/a.h": "namespace tenon {\nnamespace server {\nclass A;\n}\nstruct A {\n};\n}  // namespace tenon\n",
            "model/b.h": "namespace tenon::model {\nenum class A : uint8_t;\nstruct A {\n};\n}  // namespace tenon::model\n",
        }), [])


if __name__ == "__main__":
    unittest.main()
