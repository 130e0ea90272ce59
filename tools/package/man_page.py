#!/usr/bin/env python3
"""Writes tenon(1) from what the program says of its commands: man_page.py TENON VERSION > tenon.1"""
import sys

import command_help

INTRODUCTION = """.TH TENON 1 "" "tenon %(version)s" "User Commands"
.SH NAME
tenon \\- code completions that parse, from a local model
.SH SYNOPSIS
.B tenon
[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR]
.SH DESCRIPTION
tenon is a language server (LSP). It splits the text at the cursor, lets a local model write what stands between both sides, and offers
only what the grammar of the language takes there: left context, completion and right context parse together.
.PP
Without a command it serves on standard input and output, as editors start it. All editors of a user share one process with the model,
which is started when the first of them needs it and ends some minutes after the last.
.PP
.nf
    tenon complete app.py --at 12:8     complete once and show it in its place
    tenon doctor                        what is installed, what is wrong and what to do
.fi
"""

ENDING = """.SH FILES
.TP
.I $XDG_CONFIG_HOME/tenon/config.toml
Settings of the user.
.TP
.I $XDG_DATA_HOME/tenon/models
Installed models.
.TP
.I $XDG_CACHE_HOME/tenon
Compiled languages; may be deleted at any time.
.TP
.I $XDG_STATE_HOME/tenon
The daemon's log.
.TP
.I $XDG_RUNTIME_DIR/tenon
Sockets of the daemon.
.SH ENVIRONMENT
.B XDG_CONFIG_HOME
(~/.config),
.B XDG_DATA_HOME
(~/.local/share),
.B XDG_CACHE_HOME
(~/.cache),
.B XDG_STATE_HOME
(~/.local/state) and
.B XDG_RUNTIME_DIR
say where these folders lie.
.SH EXIT STATUS
0: done. 1: failed, or not valid. 2: wrong usage.
"""


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.splitlines())


def _entry(option):
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.names)
    value = "|".join(map(escaped, option.choices)) if option.choices else "\\fIVALUE\\fR" if option.takes_value else ""
    return f".TP\n{names} {value}".rstrip() + f"\n{escaped(option.about)}\n"


def page(root, version):
    text = INTRODUCTION % {"version": version} + ".SH OPTIONS\n"
    text += "".join(_entry(option) for option in root.options)
    text += ".SH COMMANDS\n"
    for command in root.walk():
        if command is root:
            continue
        names = " ".join(command.words[1:])
        arguments = " ".join(f"\\fI{escaped(positional.names[0])}\\fR" for positional in command.positionals)
        text += f'.SS "{escaped(names)}"\n.B tenon {escaped(names)}\n{arguments}\n.br\n{escaped(command.about)}\n'
        text += "".join(_entry(option) for option in command.positionals)
        text += "".join(_entry(option) for option in command.options if "--help" not in option.names)
        if command.footer:
            text += f".PP\n{escaped(command.footer)}\n"
    return text + ENDING


if __name__ == "__main__":
    sys.stdout.write(page(command_help.read(sys.argv[1]), sys.argv[2]))
