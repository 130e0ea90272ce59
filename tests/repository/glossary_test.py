#!/usr/bin/env python3
"""glossary_words.py finds each kind of forbidden word in a made-up tree, and nothing in a right one."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import glossary_words

TABLE = """# Glossary
## Words
| word | meaning |
|---|---|
| *gap* | the behind of the left context |

## Words not used
Prose.

| not this | but this | pattern | in | folders |
|---|---|---|---|---|
| behind | after | `\\bbehind\\b` | comments | constraint/right |
| TODO | an issue | `\\b(?:TODO\\|FIXME)\\b` | both | constraint |
| StateId | LrStateId | `\\bStateId\\b` | code | constraint |
"""


class Glossary(unittest.TestCase):
    def found(self, files, table=TABLE):
        """The words found in a tree made of {path: text}."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            tree = {"docs/glossary.md": table, "constraint/right/CMakeLists.txt": "# behind TODO\n"} | files
            for path, text in tree.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return glossary_words.words_found(root)

    def test_right_words_pass(self):
        self.assertEqual(
            self.found({
                "constraint/right/a.h": "// The node after a lexeme.\nLrStateId a;  // kept\nint behind;\n",
                "constraint/lex/b.cpp": "// behind is not forbidden here\n",
                "model/c.cpp": "// TODO is not forbidden here\n",
            }), [])

    def test_finds_a_word_in_a_comment_at_its_line(self):
        self.assertEqual(
            self.found({"constraint/right/a.h": "// one\nint x;  // stands behind it\n"}),
            ['constraint/right/a.h:2: "behind" -> after'])

    def test_finds_a_word_in_a_comment_over_several_lines(self):
        self.assertEqual(
            self.found({"constraint/right/a.h": "/* one\n behind */\n"}),
            ['constraint/right/a.h:2: "behind" -> after'])

    def test_finds_an_identifier(self):
        self.assertEqual(self.found({"constraint/lr/a.h": "StateId at;\n// a StateId\n"}),
                         ['constraint/lr/a.h:1: "StateId" -> LrStateId'])

    def test_finds_either_alternative_in_comments_and_code(self):
        self.assertEqual(
            self.found({"constraint/a/a.h": "// FIXME\nint TODO;\n"}),
            ['constraint/a/a.h:1: "FIXME" -> an issue', 'constraint/a/a.h:2: "TODO" -> an issue'])

    def test_strings_are_neither_comments_nor_code(self):
        self.assertEqual(
            self.found({
                "constraint/right/a.cpp":
                    'auto a = "// behind StateId TODO";\n'
                    "char c = '\"'; auto b = R\"x(StateId\n// behind TODO)x\"; int n = 1'000; char d = '\\'';\n"
            }), [])

    def test_a_word_quoted_in_a_comment_is_a_name(self):
        self.assertEqual(self.found({"constraint/right/a.h": "// `behind`: the node at its end\n"}), [])

    def test_refuses_a_malformed_table(self):
        for wrong, said in [
                ("# Glossary\n", "no section"),
                (glossary_words.SECTION + "\n", "no rules"),
                (TABLE + "| a | b |\n", "2 cells"),
                (TABLE + "| a | b | c | both | constraint |\n", "backticks"),
                (TABLE + "| a | b | `c` | strings | constraint |\n", "'in' is one of"),
                (TABLE + "| a | b | `c` | both | nowhere |\n", "names no folder"),
        ]:
            with self.assertRaises(ValueError) as raised:
                self.found({}, wrong)
            self.assertIn(said, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
