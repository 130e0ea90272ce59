"""The files to learn from: readable, not generated, not minified, each once."""

import hashlib
import re
from pathlib import Path

# How often a language is drawn, and its files.
LANGUAGES = {
    "python": (0.52, ("*.py",)),
    "go": (0.15, ("*.go",)),
    "javascript": (0.15, ("*.js", "*.mjs", "*.ts")),
    "rust": (0.10, ("*.rs",)),
    "java": (0.08, ("*.java",)),
}
GENERATED = re.compile(r"code generated|do not edit|auto-?generated|@generated", re.I)
VENDORED = re.compile(r"/(dist|node_modules|_vendor|vendor|testdata|bundles|locales?|unicode)(/|$)")
MIN_CHARACTERS, MAX_CHARACTERS = 400, 120_000
MAX_LINE, MAX_MEAN_LINE = 400, 70
WEIGHT_OF_TESTS = 0.4  # they repeat themselves


def is_worth_reading(path, text):
    if VENDORED.search(str(path)) or ".min." in path.name or path.name.endswith(".d.ts") or "tables" in path.name:
        return False
    if not MIN_CHARACTERS < len(text) < MAX_CHARACTERS or GENERATED.search(text[:2000]) or "\r" in text:
        return False
    lines = text.split("\n")
    return max(map(len, lines)) <= MAX_LINE and len(text) / len(lines) <= MAX_MEAN_LINE


def load(folder):
    """language -> [(name, text, weight)]; a language without files is left out."""
    found, seen = {}, set()
    for language, (_, patterns) in LANGUAGES.items():
        files = []
        for path in sorted(path for pattern in patterns for path in (Path(folder) / language).rglob(pattern)):
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            digest = hashlib.md5(text.encode()).digest()
            if digest in seen or not is_worth_reading(path, text):
                continue
            seen.add(digest)
            weight = len(text) ** 0.5 * (WEIGHT_OF_TESTS if "test" in str(path).lower() else 1)
            files.append((path.name, text, weight))
        if files:
            found[language] = files
    return found
