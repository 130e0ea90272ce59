"""The man page, the completions of shells and docs/commands.md know all that the program knows: documents_test.py BUILD"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/package"))
import command_help  # noqa: E402

DOCUMENTS = BUILD / "package"
HELP = """one line of what it does
Usage: tenon x [OPTIONS] what

Positionals:
  what TEXT:{a,b} REQUIRED    the first; of two

Options:
  -h,--help                   Print this help message and exit
  --wide UINT:INT in [1 - 1048576]
                              so many, and
                              not more
  --near UINT=20              of the others
  --flag                      is set

Subcommands:
  below                       what it does

A footer with a colon: and more.
"""


class Reading(unittest.TestCase):
    def test_a_help_text_is_read_with_its_choices_and_long_entries(self):
        command, below = command_help.parse(["tenon", "x"], HELP)
        self.assertEqual(command.about, "one line of what it does")
        self.assertEqual(command.positionals, [command_help.Option(["what"], True, ["a", "b"], "the first; of two")])
        self.assertEqual(command.options, [
            command_help.Option(["-h", "--help"], False, [], "Print this help message and exit"),
            command_help.Option(["--wide"], True, [], "so many, and not more"),
            command_help.Option(["--near"], True, [], "of the others"),
            command_help.Option(["--flag"], False, [], "is set")])
        self.assertEqual(below, ["below"])
        self.assertEqual(command.footer, "A footer with a colon: and more.")


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = command_help.read(BUILD / "tenon")

    def bash(self, *words):
        """What bash completes the last word to."""
        line = " ".join(f"'{word}'" for word in words)
        script = f"source '{DOCUMENTS}/tenon.bash'; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _tenon; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_bash_completes_names_with_blanks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "my file.py"
            file.touch()
            for words in (["check"], ["complete", "--model"]):
                self.assertEqual(self.bash("tenon", *words, f"{folder}/my"), [str(file)])

    def test_bash_completes_commands_options_and_values(self):
        for command in self.root.walk():
            offered = self.bash(*command.words, "")
            self.assertLessEqual({below.words[-1] for below in command.commands}, set(offered))
            for option in command.options:
                for name in option.names:
                    self.assertIn(name, self.bash(*command.words, name), command.words)
                if option.choices:
                    self.assertEqual(sorted(self.bash(*command.words, option.names[-1], "")), sorted(option.choices))
        self.assertEqual(self.bash("tenon", "model", "inf"), ["info"])

    def test_the_man_page_has_every_command_and_option(self):
        page = (DOCUMENTS / "tenon.1").read_text().replace("\\-", "-")
        for command in self.root.walk():
            self.assertIn(" ".join(command.words), page)
            for option in command.options:
                self.assertIn(f"\\fB{option.names[-1]}\\fR", page)

    def test_the_commands_page_has_each_option_of_a_command_and_no_other(self):
        page = {}
        for section in (ROOT / "docs/commands.md").read_text().split("\n## ")[1:]:
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", section))
            page.update(dict.fromkeys(section.partition("\n")[0].split(", "), options))
        everywhere = page["For every command"] | page["tenon"] | {"--help", "--version"}
        known = {option.names[-1] for command in self.root.walk() for option in command.options}
        self.assertLessEqual(set.union(*page.values()), known)
        for command in self.root.walk():
            told = everywhere | page[" ".join(command.words[:2])]
            self.assertLessEqual({option.names[-1] for option in command.options}, told, command.words)

    @unittest.skipUnless(shutil.which("groff"), "no groff on this machine")
    def test_the_man_page_is_formatted_without_a_warning(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", DOCUMENTS / "tenon.1"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")

    def test_other_shells_read_their_completions(self):
        for shell, name in (("zsh", "_tenon"), ("fish", "tenon.fish")):
            text = (DOCUMENTS / name).read_text()
            for command in self.root.walk():
                for option in command.options:
                    self.assertIn(option.names[-1].lstrip("-"), text)
            if not shutil.which(shell):
                print(f"not tried in {shell}: it is not on this machine")
                continue
            subprocess.run([shell, "-n", DOCUMENTS / name], check=True)


if __name__ == "__main__":
    unittest.main()
