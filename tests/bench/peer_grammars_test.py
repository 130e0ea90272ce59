"""What bench/peers makes of grammars, on one in the style of SynCode's. Usage: peer_grammars_test.py ROOT"""

import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import ebnf  # noqa: E402
import lark_text  # noqa: E402

GRAMMAR = r"""// a comment
start: item* EOS
item.2: NAME "=" value -> pair
      | "[" value? "]"
?value: STRING | NUMBER
unused: "x" other
other: "y"
NAME : /[a-zA-Z_]\w*/
NUMBER.2: /0x[\da-f]+|\d+/i
STRING: /".*?"/i
EOS: _NL | ";" | "/*' .*? '*/"
_NL: /\r?\n/+
LOST: "z"
DIGIT: "0".."9"
%ignore /[\t ]/
"""


class CommonText(unittest.TestCase):
    def setUp(self):
        self.text = lark_text.common(GRAMMAR)

    def test_leaves_out_what_the_start_rule_does_not_reach(self):
        for name in ("unused", "other", "LOST", "DIGIT"):
            self.assertNotIn(name, self.text)
        for name in ("start", "item", "value", "NAME", "NUMBER", "STRING", "EOS", "_NL", "%ignore"):
            self.assertIn(name, self.text)

    def test_drops_priorities_lazy_quantifiers_and_unicode_classes(self):
        self.assertIn("item: NAME", self.text)
        self.assertIn("NUMBER: /0x[0-9a-f]+|[0-9]+/i", self.text)
        self.assertIn('STRING: /"[^"\\n]*"/i', self.text)
        self.assertIn('EOS: _NL | ";"\n', self.text)
        for gone in (".*?", r"\d", r"\w", ".2"):
            self.assertNotIn(gone, self.text)

    def test_changes_nothing_when_run_again(self):
        self.assertEqual(lark_text.common(self.text), self.text)


class Ebnf(unittest.TestCase):
    def rules(self, text):
        lines = ebnf.from_lark(lark_text.definitions(text)).splitlines()
        return {line.split(" ::= ")[0]: line.split(" ::= ")[1] for line in lines if " ::= " in line}

    def test_lets_ignored_text_stand_behind_each_terminal_of_a_rule(self):
        rules = self.rules('start: "a" B?\nB: "b"\n%ignore / /\n')
        self.assertEqual(rules["root"], "skip r_start")
        self.assertEqual(rules["r_start"], '("a" skip) (tB skip)?')
        self.assertEqual(rules["tB"], '"b"')
        self.assertEqual(rules["skip"], '((((" "))))*')

    def test_spells_regular_expressions(self):
        rules = self.rules('start: A\nA: /0x[0-9a-f]*|\\.?(\\/|é)+/i\n')
        self.assertEqual(rules["tA"], '(("0" [xX] [0-9a-fA-F]* | "."? ("/" | [éÉ])+))')

    def test_spells_ranges_options_and_quotes(self):
        rules = self.rules('start: ["(" D] "\\"" ANY -> name\nD: "0".."9"\nANY: /./\n')
        self.assertEqual(rules["r_start"], '( ("(" skip) (tD skip) )? ("\\"" skip) (tANY skip)')
        self.assertEqual(rules["tD"], "[0-9]")
        self.assertEqual(rules["tANY"], "(([^\\n]))")


if __name__ == "__main__":
    unittest.main()
