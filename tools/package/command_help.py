"""The commands of tenon, read from what `--help` prints, for the man page and the completions of shells.

Example: the lines

    --scope TEXT:{argument,line}=block
                                how far the completion may go

become Option(["--scope"], takes_value=True, choices=["argument", "line"], about="how far the completion may go").
"""
import dataclasses
import re
import subprocess

ABOUT_COLUMN = 30  # of an option's or a command's description


@dataclasses.dataclass
class Option:
    names: list  # as ["-h", "--help"]; of a positional argument its one name
    takes_value: bool
    choices: list  # of its value; empty: any
    about: str


@dataclasses.dataclass
class Command:
    words: list  # as ["tenon", "model", "list"]
    about: str
    usage: str
    footer: str
    options: list = dataclasses.field(default_factory=list)
    positionals: list = dataclasses.field(default_factory=list)
    commands: list = dataclasses.field(default_factory=list)

    def walk(self):
        yield self
        for command in self.commands:
            yield from command.walk()


def _split(line):
    """An entry's head, and its description where that begins on the same line: where the head leaves room before the column."""
    head, about = line[:ABOUT_COLUMN], line[ABOUT_COLUMN:]
    whole = head.count("[") == head.count("]") and head.count("{") == head.count("}") and not head.endswith(" in ")
    if about and head.endswith(" ") and whole:
        return head.strip(), about.strip()
    return line.strip(), ""


def _entries(lines):
    """(head, description) of each entry of a section; a description may go on in further lines."""
    entries = []
    for line in lines:
        if re.match(r"  \S", line):
            entries.append(list(_split(line)))
        elif line.strip() and entries:
            entries[-1][1] = (entries[-1][1] + " " + line.strip()).strip()
    return [tuple(entry) for entry in entries]


def _option(head, about):
    name, _, value = head.partition(" ")
    choices = re.match(r"TEXT:\{([^}]*)\}", value)
    takes_value = bool(re.match(r"(TEXT|INT|UINT|FLOAT)\b", value))
    return Option(name.split(","), takes_value, choices.group(1).split(",") if choices else [], about)


def parse(words, text):
    """The command of one help text, without its commands' own; and the names of these."""
    before, _, rest = text.partition("Usage: ")
    usage, _, rest = rest.partition("\n")
    sections = {"": []}
    name = ""
    for line in rest.splitlines():
        if re.fullmatch(r"(Positionals|Options|Subcommands):", line):
            name = line[:-1]
        elif name and line and not line.startswith(" "):
            name = ""  # the footer
        sections.setdefault(name, []).append(line)
    about = " ".join(before.split())
    command = Command(words, about, usage.strip(), "\n".join(sections[""]).strip())
    command.options = [_option(*entry) for entry in _entries(sections.get("Options", []))]
    command.positionals = [_option(*entry) for entry in _entries(sections.get("Positionals", []))]
    return command, [head for head, _ in _entries(sections.get("Subcommands", []))]


def read(program, words=("tenon",)):
    """The command of these words and all below it, asked of the program."""
    asked = subprocess.run([program, *words[1:], "--help"], capture_output=True, text=True, check=True, timeout=60)
    command, names = parse(list(words), asked.stdout)
    command.commands = [read(program, (*words, name)) for name in names]
    return command
