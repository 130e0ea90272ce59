#!/usr/bin/env python3
"""Writes completions of tenon's commands for a shell: completions.py bash|zsh|fish TENON > FILE

They know the commands, their options, and the values of options that have a few. Everything else is completed as a file name.
"""
import shlex
import sys

import command_help


def _names(options):
    return [name for option in options for name in option.names]


def _valued(command):
    """(names, choices) of the options that take a value."""
    return [(option.names, option.choices) for option in command.options if option.takes_value]


# A line a name: names of files may hold blanks.
_BASH_FILES = 'mapfile -t COMPREPLY < <(compgen -f -- "$current")'


def bash(root):
    lines = ["# Completions of tenon's commands.", "_tenon() {", '  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}',
             '  local command="tenon" word i', "  for ((i = 1; i < COMP_CWORD; i++)); do", "    word=${COMP_WORDS[i]}", '    case "$command $word" in']
    commands = [command for command in root.walk() if command is not root]
    lines.append("      " + " | ".join(shlex.quote(" ".join(command.words)) for command in commands) + ') command="$command $word" ;;')
    lines += ["    esac", "  done", '  case "$command" in']
    for command in root.walk():
        lines.append(f"    {shlex.quote(' '.join(command.words))})")
        lines.append('      case "$before" in')
        for names, choices in _valued(command):
            words = f'COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$current"))' if choices else _BASH_FILES
            lines.append(f"        {' | '.join(names)}) {words}; return ;;")
        lines.append("      esac")
        words = _names(command.options) + [below.words[-1] for below in command.commands]
        words += [choice for positional in command.positionals for choice in positional.choices]
        lines.append(f'      COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$current")) ;;')
    lines += ["  esac", "  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || " + _BASH_FILES, "}",
              "complete -o filenames -F _tenon tenon"]
    return "\n".join(lines) + "\n"


def _zsh_quoted(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def _zsh_function(command):
    return "_" + "_".join(command.words).replace("-", "_")


def zsh(root):
    lines = ["#compdef tenon", "# Completions of tenon's commands.", ""]
    for command in root.walk():
        lines.append(f"{_zsh_function(command)}() {{")
        lines.append("  local line state")
        lines.append("  _arguments -C \\")
        for option in command.options:
            value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files" if option.takes_value else ""
            lines += [f"    '{name}[{_zsh_quoted(option.about)}]{value}' \\" for name in option.names]
        if command.commands:
            lines.append("    '1: :->command' '*:: :->rest'")
            lines.append('  case "$state" in')
            described = " ".join(f"'{below.words[-1]}:{_zsh_quoted(below.about)}'" for below in command.commands)
            lines.append(f"    command) local -a commands=({described}); _describe command commands ;;")
            lines.append('    rest) case "$line[1]" in')
            lines += [f"      {below.words[-1]}) {_zsh_function(below)} ;;" for below in command.commands]
            lines += ["    esac ;;", "  esac"]
        else:
            choices = [choice for positional in command.positionals for choice in positional.choices]
            lines.append(f"    '*: :_files'" if not choices else f"    '1: :({' '.join(choices)})' '*: :_files'")
        lines += ["}", ""]
    lines.append('_tenon "$@"')
    return "\n".join(lines) + "\n"


def _fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(root):
    lines = ["# Completions of tenon's commands.", ""]
    for command in root.walk():
        seen = [f"__fish_seen_subcommand_from {word}" for word in command.words[1:]]
        below = " ".join(child.words[-1] for child in command.commands)
        not_below = f"not __fish_seen_subcommand_from {below}" if below else ""
        where = "; and ".join(seen + ([not_below] if not_below else [])) or "true"
        for child in command.commands:
            lines.append(f"complete -c tenon -f -n {_fish_quoted(where)} -a {child.words[-1]} -d {_fish_quoted(child.about)}")
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = f" -x -a {_fish_quoted(' '.join(option.choices))}" if option.choices else " -r -F" if option.takes_value else ""
            lines.append(f"complete -c tenon -n {_fish_quoted(where)} {names}{value} -d {_fish_quoted(option.about)}")
        for positional in command.positionals:
            if positional.choices:
                lines.append(f"complete -c tenon -n {_fish_quoted(where)} -a {_fish_quoted(' '.join(positional.choices))}")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}

if __name__ == "__main__":
    sys.stdout.write(SHELLS[sys.argv[1]](command_help.read(sys.argv[2])))
