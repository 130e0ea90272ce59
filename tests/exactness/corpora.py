"""Where texts come from: files of a folder, small whole texts cut from them, the probes, the parsers' own test suites."""
import ast
import json
import pathlib
import re
import subprocess
import textwrap
import warnings

warnings.simplefilter("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = {"python": (".py", ".pyi"), "go": (".go",), "json": (".json",), "jsonc": (".jsonc", ".json"), "sql": (".sql",), "java": (".java",), "javascript": (".js", ".mjs", ".cjs"),
            "typescript": (".ts", ".mts", ".cts"), "typescriptreact": (".tsx",), "javascriptreact": (".jsx",)}
LARGEST_BYTES = 2_000_000


def files(language, folders, count, rng):
    """Files of the language under `folders`: all, sorted, or `count` of them drawn at random."""
    found = sorted({path for folder in folders for path in pathlib.Path(folder).rglob("*")
                    if path.suffix in SUFFIXES[language] and path.is_file() and path.stat().st_size <= LARGEST_BYTES})
    return found if not count or count >= len(found) else sorted(rng.sample(found, count))


def text_of(language, path, rng):
    """The bytes of a file. One of plain JSON read as JSON with comments gets some, and commas before closing brackets."""
    text = path.read_bytes()
    if language != "jsonc" or path.suffix != ".json":
        return text
    pieces = re.findall(rb'"(?:[^"\\\n]|\\.)*"|[^"]+?(?=[\[\]{},:"]|\Z)|.', text, re.S)
    dressed = []
    for piece in pieces:
        if piece in b"]}" and dressed and not dressed[-1].strip().endswith((b"[", b"{")) and rng.random() < 0.5:
            dressed.append(b",")
        dressed.append(piece)
        if rng.random() < 0.05:
            dressed.append(rng.choice([b"/* \"a\" */", b"// a\n", b"/**/", b"//\r\n"]))
    return b"".join(dressed)


def probes(language):
    path = ROOT / "tests" / "data" / "probes" / f"{language}.json"
    return json.loads(path.read_text()) if path.exists() else []


def _python_units(text, rng):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.split("\n")
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.end_lineno - n.lineno < 12]
    return [textwrap.dedent("\n".join(lines[n.lineno - 1:n.end_lineno])) + "\n" for n in rng.sample(nodes, min(8, len(nodes)))]


def _go_units(text, rng):
    found = re.findall(r"^(?:func|var|const|type)\b.*?(?:^[})].*?$|(?=^\S|\Z))", text, re.S | re.M)
    found = [unit for unit in found if unit.count("\n") < 25]
    return ["package p\n" + unit.rstrip("\n") + "\n" for unit in rng.sample(found, min(8, len(found)))]


def _javascript_units(text, rng):
    found = re.findall(r"^[ ]{0,2}(?:async function|function|class|var|let|const|if|for|while|try|switch|return|export|import|[\w.]+\()\b.*?(?:^[ ]{0,2}[})\]].*?$|(?=^\S|\Z))",
                       text, re.S | re.M)
    found = [unit for unit in found if unit.count("\n") < 25 and len(unit) < 1500]
    return [textwrap.dedent(unit) + "\n" for unit in rng.sample(found, min(12, len(found)))]


def _typescript_units(text, rng):
    found = re.findall(r"^[ ]{0,2}(?:(?:export|declare|abstract|async|public|private|protected|static|readonly) )*(?:function|class|interface|type|enum|namespace|var|let|const|if|for"
                       r"|while|try|switch|return|import|export|[\w.]+\()\b.*?(?:^[ ]{0,2}[})\]].*?$|(?=^\S|\Z))", text, re.S | re.M)
    found = [unit for unit in found if unit.count("\n") < 25 and len(unit) < 1500]
    return [textwrap.dedent(unit) + "\n" for unit in rng.sample(found, min(12, len(found)))]


def _json_units(text, rng):
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    parts, front = [], [value]
    while front and len(parts) < 3000:
        part = front.pop()
        parts.append(part)
        front += part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    texts = [json.dumps(part, indent=rng.choice([None, 1, 2])) for part in rng.sample(parts, min(20, len(parts)))]
    return [unit for unit in texts if len(unit) < 1500]


def _sql_units(text, rng):
    found = [unit.strip() + ";\n" for unit in re.split(r";\s*\n", text) if unit.strip() and len(unit) < 1500]
    return rng.sample(found, min(8, len(found)))


def _java_units(text, rng):
    """Members of classes: from a line at one indentation to its end there."""
    found = re.findall(r"^( {4}(?=[\w@<]).*?(?:^ {4}\}[^\n]*|;))$", text, re.S | re.M)
    found = [unit for unit in found if unit.count("\n") < 25]
    return ["class A {\n" + unit + "\n}\n" for unit in rng.sample(found, min(8, len(found)))]


UNITS = {"python": _python_units, "go": _go_units, "json": _json_units, "jsonc": _json_units, "sql": _sql_units, "java": _java_units, "javascript": _javascript_units,
         "typescript": _typescript_units, "typescriptreact": _typescript_units, "javascriptreact": _javascript_units}


def units(language, folders, count, rng):
    """Small texts, most of them valid: pieces of files, and the probes."""
    found = [probe["text"] for probe in probes("sqlite" if language == "sql" else language)]
    if language == "jsonc":
        found = [probe["text"] for probe in probes("json")] + JSONC_CASES
    paths = files(language, folders, 0, rng)
    rng.shuffle(paths)
    for path in paths:
        if len(found) >= count:
            break
        try:
            found += UNITS[language](path.read_bytes().decode("utf-8"), rng)
        except UnicodeDecodeError:
            continue
    return [unit for unit in dict.fromkeys(found) if unit.strip() and len(unit) < 4000 and "\0" not in unit]


JSONC_CASES = ["// a\n{}", "{} // a", "/* a */ [1, /* b */ 2]", "[1,]", "{\"a\": 1,}", "[,]", "{,}", "[1,,]", "/**/1", "/* a", "// a", "{//\n}", "1 /", "[1 // a\n, 2]",
               "{\"a\" /**/ : /**/ 1}", "'a'", "{a: 1}", "/* /* */ */ 1", "1 /**", "//\r1", "//\u20281", "# a\n1"]


def suites(language, pythons):
    """Cases of the parsers' own tests on this machine: (name, text)."""
    if language == "python":
        for version, program in pythons.items():
            yield from _cpython_cases(version, program)
    elif language == "go":
        yield from _go_cases()
    elif language == "jsonc":
        yield from ((f"case {i}", case.encode()) for i, case in enumerate(JSONC_CASES))


def _cpython_cases(version, program):
    """Each doctest of test_syntax, and each string that the tests hand to compile."""
    where = subprocess.run([program, "-c", "import os; print(os.path.dirname(os.__file__))"], capture_output=True, text=True).stdout.strip()
    for name in ("test_syntax", "test_fstring", "test_patma", "test_grammar", "test_named_expressions", "test_type_params", "test_exception_group"):
        path = pathlib.Path(where) / "test" / f"{name}.py"
        if not path.exists():
            continue
        text = path.read_text("utf-8")
        lines, case = [], []
        for line in text.split("\n"):
            match = re.match(r"\s*(?:>>>|\.\.\.) ?(.*)", line)
            if match and line.lstrip().startswith(">>>") and case:
                lines.append("\n".join(case) + "\n")
                case = []
            if match:
                case.append(match.group(1))
            elif case:
                lines.append("\n".join(case) + "\n")
                case = []
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue  # newer than the Python that runs this
        strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for i, case in enumerate(dict.fromkeys(lines + strings)):
            try:
                yield f"{version} {name} {i}", textwrap.dedent(case).encode()
            except UnicodeEncodeError:
                continue


def _go_cases():
    root = pathlib.Path(subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True).stdout.strip())
    for path in sorted((root / "src").glob("*/**/testdata/**/*.go")) + sorted((root / "test").rglob("*.go")):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes()
    short = root / "src" / "go" / "parser" / "short_test.go"
    if short.exists():
        for i, (raw, quoted) in enumerate(re.findall(r"^\t(?:`([^`]*)`|(\"(?:[^\"\\]|\\.)*\"))", short.read_text(), re.M)):
            text = raw if raw else json.loads(quoted)
            yield f"short_test {i}", re.sub(r"/\* ERROR .*? \*/", "", text).encode()
