#!/usr/bin/env python3
"""The real parsers that node runs say what is told of them: which texts they take, where names alone are wrong, and where the first error is.

A parser that this machine lacks is skipped, and said.
"""
import sys
import unittest

sys.dont_write_bytecode = True
from oracles import open_oracles

VALID, INVALID, UNKNOWN = True, False, None


class Oracles(unittest.TestCase):
    def oracle(self, language, parser):
        """The oracle of a language that runs `parser`; the test is skipped where this machine lacks it."""
        said = []
        oracles = open_oracles(language, None, said.append)
        for oracle in oracles:
            self.addCleanup(oracle.close)
        found = [oracle for oracle in oracles if parser in oracle.parsers]
        if not found:
            self.skipTest("; ".join(said))
        return found[0]

    def expect(self, language, parser, table):
        """`table`: (text, verdict of the parser, byte of its first error); the byte is the text's size where there is no error."""
        oracle = self.oracle(language, parser)
        texts = [text.encode() if isinstance(text, str) else text for text, *_ in table]
        verdicts = [verdicts[parser] for verdicts in oracle.verdicts(texts)]
        for row, found in zip(table, zip(verdicts, oracle.first_errors(texts))):
            with self.subTest(text=row[0]):
                self.assertEqual(found, row[1:])

    def test_javascript_is_a_script_the_body_of_a_module_or_a_module(self):
        self.expect("javascript", "node", [
            ("", VALID, 0),
            ("let a = 1;", VALID, 10),
            ("return 1;", VALID, 9),
            ("#!/bin/node\nreturn 1", VALID, 20),
            ('import a from "b";', VALID, 18),
            ("await a;", VALID, 8),
            ("with (a) b();", VALID, 13),
            ('with (a) b(); import c from "d";', INVALID, None),  # strict, and not
            (b"\xff", INVALID, None),
        ])

    def test_javascript_tells_nothing_where_names_alone_are_wrong(self):
        self.expect("javascript", "node", [
            ("let a; let a;", UNKNOWN, None),
            ("break a;", UNKNOWN, None),
            ("export { a };", UNKNOWN, None),
            ("class A { m() { this.#b } }", UNKNOWN, None),
            ("let b = ; let a; let a;", INVALID, 8),
        ])

    def test_javascript_counts_the_bytes_before_the_first_error(self):
        self.expect("javascript", "node", [
            ("a = ;", INVALID, 4),
            ("return = ;", INVALID, 7),  # as the body of a module it comes farther than as a script
            ("b;\n a = ;", INVALID, 3 + 1 + 4),
            ("b;\r\n a = ;", INVALID, 4 + 1 + 4),
            ("b;\u2028a = ;", INVALID, 5 + 4),  # a line end of three bytes
            ('"é"; a = ;', INVALID, 6 + 4),
            ('import b from "b"; a = ;', INVALID, None),  # a module's errors carry no place
        ])

    def test_typescript_and_babel_read_the_variant_they_are_told(self):
        for parser in ("typescript", "babel"):
            for language, elements, types in [("typescript", INVALID, VALID), ("typescriptreact", VALID, VALID), ("javascriptreact", VALID, INVALID)]:
                oracle = self.oracle(language, parser)
                found = [verdicts[parser] for verdicts in oracle.verdicts([b"a = <b c={d}/>;", b"let a: b = 1;"])]
                with self.subTest(language=language, parser=parser):
                    self.assertEqual(found[0], elements)
                    if parser == "babel":  # TypeScript's parser takes types in JavaScript, and minds them later
                        self.assertEqual(found[1], types)


if __name__ == "__main__":
    unittest.main()
