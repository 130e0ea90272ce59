#!/usr/bin/env python3
"""The module rule of docs/architecture.md, checked on every #include of a source tree.

Prints each wrong edge as `file:line: from -> to: why` and exits 1 if there is one. Usage: include_rule.py ROOT
"""

import pathlib
import re
import sys

SOURCE_FOLDERS = ["protocol", "include", "constraint", "model", "server", "examples", "tests"]

# Which top-level folders a folder may include, itself apart.
MAY_INCLUDE = {
    "protocol": set(),
    "include": set(),
    "constraint": {"include"},
    "model": set(),
    "server": {"protocol", "include", "constraint", "model"},
    "examples": {"include"},
    "tests": {"protocol", "include", "constraint", "model", "server"},
}

# Inside these folders includes go one way: a room may include itself and the rooms left of it. None: the
# files that stand in the folder itself.
ORDER = {
    "constraint": ["base", "automata", "grammar", "grammar_file", "characters", "lex", "lexical_context", "lr",
                   "language", "reading", "right", "gap", "closing", "quotient", "mask", "cache", "library"],
    "model": [None, "kernels", "file", "text", "inference", "sampling"],
    "server": ["files", "models", "request", "settings", "languages", "syntax", "region", "context", "decode", "complete", "remote",
               "scheduling", "documents", "client", "offers", "session", "lsp", "daemon",
               "invocation", "bench", "eval", "cli"],
}

# Room -> its face: the only header of the room that files outside the room may include. A room that is
# not in the table has no face: any of its headers may be included.
FACES = {
    "constraint/base": "constraint/base/base.h",
    "constraint/automata": "constraint/automata/automata.h",
    "constraint/grammar": "constraint/grammar/grammar.h",
    "constraint/grammar_file": "constraint/grammar_file/reader.h",
    "constraint/characters": "constraint/characters/characters.h",
    "constraint/lex": "constraint/lex/lex.h",
    "constraint/lexical_context": "constraint/lexical_context/lexical_context.h",
    "constraint/lr": "constraint/lr/lr.h",
    "constraint/language": "constraint/language/language.h",
    "constraint/reading": "constraint/reading/reading.h",
    "constraint/right": "constraint/right/right_context.h",
    "constraint/gap": "constraint/gap/gap.h",
    "constraint/closing": "constraint/closing/closing.h",
    "constraint/quotient": "constraint/quotient/quotient.h",
    "constraint/mask": "constraint/mask/mask.h",
    "constraint/cache": "constraint/cache/cache.h",
    "model/kernels": "model/kernels/kernels.h",
    "model/file": "model/file/file.h",
    "model/text": "model/text/text.h",
    "model/inference": "model/inference/inference.h",
    "model/sampling": "model/sampling/sampling.h",
}

# The kind of id that constraint/ and model/ share: both write token ids, and so name this header of include/ alone.
TOKEN_ID = "include/tenon/token_id.h"
KNOW_TOKEN_IDS = {"constraint", "model"}

# server/ uses the engine as every user of the library does, through include/tenon. These print the engine's
# stages or measure its parts.
INSIDE_THE_ENGINE = ("server/bench/", "server/cli/stage_dump.cpp")

# Tests may look behind a face: they test a room's parts.
BEHIND_FACES = {"tests"}

# Headers that cost 20 s and 1 GB a file: in the sources of model/ (any room) and nowhere else, never in a header.
HEAVY = re.compile(r"^(torch|ATen|c10|caffe2|oneapi|dnnl|mkldnn)[/._]")

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def part_of(path):
    """('constraint', 'lex') for constraint/lex/lexer.h; ('server', None) for server/main.cpp."""
    parts = path.split("/")
    return parts[0], parts[1] if len(parts) > 2 else None


def passed_face(source, target):
    """The face of the room of `target` that `source` should include instead, or None."""
    room = "/".join(target.split("/")[:2])
    face = FACES.get(room)
    inside = source.startswith(room + "/") or source.split("/")[0] in BEHIND_FACES
    return None if face is None or inside or target == face else face


def why_wrong(source, target, quoted, root):
    """The reason that `source` must not include `target`, or None."""
    if HEAVY.match(target):
        if source.startswith("model/") and source.endswith(".cpp"):
            return None
        return "libtorch and oneDNN are included by model/**/*.cpp only"
    if target.startswith("tenon/"):  # the public headers, as a user of the library names them
        target, quoted = "include/" + target, True
    if not quoted:
        return None
    if not (root / target).is_file():
        return "no such file: includes are written from the repository's root"
    source_folder, source_part = part_of(source)
    target_folder, target_part = part_of(target)
    if target == TOKEN_ID and source_folder in KNOW_TOKEN_IDS:
        return None
    if (source_folder, target_folder) == ("constraint", "include") and source_part != "library":
        return f"of constraint/ only library/ knows include/, but for {TOKEN_ID}"
    if source_folder != target_folder and target_folder not in MAY_INCLUDE.get(source_folder, set()):
        return f"{source_folder}/ may not include {target_folder}/"
    if (source_folder, target_folder) == ("server", "constraint") and not source.startswith(INSIDE_THE_ENGINE):
        return "server/ uses the engine through include/tenon"
    order = ORDER.get(source_folder, []) if source_folder == target_folder else []
    if source_part in order and target_part in order and order.index(target_part) > order.index(source_part):
        rooms = [part or f"{source_folder}/*.h" for part in order]
        return f"inside {source_folder}/ includes go one way: " + " <- ".join(rooms)
    face = passed_face(source, target)
    if face:
        return f"{target_folder}/{target_part}/ is a room with a face: include {face}"
    return None


def wrong_edges(root):
    """Every wrong edge below `root` as a printable line, sorted by file and line."""
    found = []
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp"}:
                continue
            source = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                reason = why_wrong(source, match[2], match[1] == '"', root)
                if reason:
                    found.append(f"{source}:{number}: {source} -> {match[2]}: {reason}")
    return found


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1])
    if not (root / "CMakeLists.txt").is_file():
        print(f"include_rule.py: {root} is no source tree of tenon (it has no CMakeLists.txt)", file=sys.stderr)
        return 2
    found = wrong_edges(root)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
