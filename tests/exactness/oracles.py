"""Which real parsers decide for which language, and how they are found on this machine."""
import ctypes.util
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from resident import Oracle

HERE = pathlib.Path(__file__).resolve().parent
NEWEST_SQLITE = (3, 53)  # up to whose forms the grammar accepts
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13")
VARIANTS_OF_TYPESCRIPT = {"typescript": "ts", "typescriptreact": "tsx", "javascriptreact": "jsx"}  # language: what the parsers are told


def python_interpreters(named):
    """{version: interpreter} of those named, on the PATH and under pyenv."""
    candidates = list(named) + [f"python{version}" for version in PYTHONS]
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    candidates += sorted(str(path) for path in pyenv.glob("*/bin/python")) if pyenv.is_dir() else []
    found = {}
    for candidate in candidates:
        program = shutil.which(candidate)
        if not program:
            continue
        done = subprocess.run([program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True)
        version = done.stdout.strip()
        if done.returncode == 0 and version in PYTHONS and version not in found:
            found[version] = program
    return found


def cache_folder():
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tenon" / "exactness"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def go_oracle():
    """The program of oracle_go.go, built once a Go version. Returns (path, parsers) or a sentence that says why not."""
    go = shutil.which("go")
    if not go:
        return "no `go` on the PATH"
    root = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True).stdout.strip()
    version = subprocess.run([go, "version"], capture_output=True, text=True).stdout
    source = HERE / "oracle_go.go"
    program = cache_folder() / ("go-" + hashlib.sha256((version + source.read_text()).encode()).hexdigest()[:16])
    if not program.exists():
        inside = f"{root}/src/cmd/compile/internal/tenon_oracle"
        overlay = cache_folder() / "overlay.json"
        overlay.write_text(json.dumps({"Replace": {f"{inside}/main.go": str(source)}}))
        built = subprocess.run([go, "build", "-overlay", overlay, "-o", program, "cmd/compile/internal/tenon_oracle"],
                               capture_output=True, text=True, env={**os.environ, "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"},
                               cwd=cache_folder())
        if built.returncode != 0:
            return f"the Go oracle does not build: {built.stderr.strip()[:300]}"
    return program


def open_oracles(language, args, say):
    """The oracles of a language; says aloud which are not there."""
    oracles = []
    if language == "python":
        found = python_interpreters(args.python)
        for version in PYTHONS:
            if version in found:
                oracles.append(Oracle([version], [found[version], HERE / "oracle_python.py"]))
            else:
                say(f"skipped: no CPython {version} on this machine (name one with --python)")
    elif language == "go":
        program = go_oracle()
        if isinstance(program, str):
            say(f"skipped: {program}")
        else:
            oracles.append(Oracle(["goparser", "gc"], [program]))
    elif language == "java":
        java = shutil.which("java")
        if not java or not shutil.which("javac"):
            say("skipped: no JDK on the PATH")
        else:
            oracles.append(Oracle(["javac"], [java, HERE / "oracle_java.java"]))
    elif language == "javascript":
        node = shutil.which("node")
        if not node:
            say("skipped: no `node` on the PATH")
        else:
            oracles.append(Oracle(["node"], [node, "--experimental-vm-modules", "--no-warnings", HERE / "oracle_javascript.js"]))
    elif language in VARIANTS_OF_TYPESCRIPT:
        node = shutil.which("node")
        if not node:
            say("skipped: no `node` on the PATH")
        elif subprocess.run([node, "-e", "require('typescript').createSourceFile; require('@babel/parser')"], capture_output=True, cwd=HERE).returncode != 0:
            say("skipped: node finds no packages typescript and @babel/parser (npm install typescript@5.9 @babel/parser@7, NODE_PATH)")
        else:
            oracles.append(Oracle(["typescript", "babel"], [node, HERE / "oracle_typescript.js", VARIANTS_OF_TYPESCRIPT[language]]))
    elif language in ("json", "jsonc"):
        node = shutil.which("node")
        if not node:
            say("skipped: no `node` on the PATH")
        elif language == "json":
            oracles.append(Oracle(["node"], [node, HERE / "oracle_json.js"]))
        else:
            oracles.append(Oracle(["stripped"], [node, HERE / "oracle_jsonc.js"]))
            if subprocess.run([node, "-e", "require('jsonc-parser')"], capture_output=True, cwd=HERE).returncode != 0:
                say("skipped: node finds no package jsonc-parser (npm install jsonc-parser, NODE_PATH)")
            else:
                oracles.append(Oracle(["jsonc-parser"], [node, HERE / "oracle_json.js", "jsonc"]))
    elif language == "sql":
        libraries = list(args.sqlite)
        if ctypes.util.find_library("sqlite3"):
            libraries.append(ctypes.util.find_library("sqlite3"))
        else:
            say("skipped: no libsqlite3 on this machine (name one with --sqlite)")
        for library in libraries:
            ask = "import ctypes,sys; f=ctypes.CDLL(sys.argv[1]).sqlite3_libversion; f.restype=ctypes.c_char_p; print(f().decode())"
            version = subprocess.run([sys.executable, "-c", ask, library], capture_output=True, text=True).stdout.strip()
            if version and version not in [name for oracle in oracles for name in oracle.parsers]:
                oracles.append(Oracle([version], [sys.executable, HERE / "oracle_sqlite.py", library]))
    return oracles


def json_first_error(text):
    """The byte of the first error in a text of JSON; its size where there is none."""
    def refuse(name):
        raise ValueError(name)

    try:
        json.loads(text.decode(), parse_constant=refuse)
        return len(text)
    except json.JSONDecodeError as error:
        return len(text.decode()[: error.pos].encode())
    except (ValueError, RecursionError):
        return None


class Jury:
    """All oracles of a language, and what their verdicts mean together."""

    def __init__(self, language, args, say):
        self._language = language
        self._oracles = open_oracles(language, args, say)
        self.parsers = [name for oracle in self._oracles for name in oracle.parsers]

    def __bool__(self):
        return bool(self._oracles)

    def refusal_is_final(self):
        """False where a text may be valid for a parser of the language that this machine lacks: forms that SQLite took in later."""
        return self._language != "sql" or any(tuple(map(int, version.split("."))) >= NEWEST_SQLITE for version in self.parsers)

    def ask(self, texts):
        texts = list(texts)
        merged = [{} for _ in texts]
        for oracle in self._oracles:
            for verdicts, more in zip(merged, oracle.verdicts(texts)):
                verdicts.update(more)
        return merged

    def first_errors(self, texts):
        """For each text the byte of its first error, by the newest parser; None where that does not say. JSON's is told by Python."""
        if self._language == "json":
            return [json_first_error(text) for text in texts]
        return self._oracles[-1].first_errors(list(texts))

    def accepts(self, verdicts):
        """True: to be accepted. False: to be refused. None: the parsers disagree or cannot tell."""
        values = list(verdicts.values())
        if self._language in ("go", "jsonc"):
            return values[0] if len(set(values)) == 1 else None
        if self._language == "sql" or self._language in VARIANTS_OF_TYPESCRIPT:
            return True if True in values else None if None in values else False
        return values[-1]

    def may_write(self, verdicts):
        """Every parser takes it (True), one refuses it (False), or one cannot tell (None)."""
        values = verdicts.values()
        return False if False in values else None if None in values else True

    def close(self):
        for oracle in self._oracles:
            oracle.close()
