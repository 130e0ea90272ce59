"""The leg `regions`: gaps in files that are broken elsewhere.

A valid file is taken, a text is cut out of it (the gap), and the file is broken somewhere else. Asked is what a completion would be asked:
does a region around the gap (server/region) let something be written, and does what is written there make the file worse? Written are the
shortest text that closes the gap and a random one. Counted:

  earlier error            the real parser's first error comes earlier than in the file before the text was written, and than with the text
                           that was cut out (an error that a parser meets late may be told at an early place: a bracket that is never closed)
  more error nodes         tree-sitter's tree has more errors than before (needs PyPI's tree-sitter and tree-sitter-LANGUAGE); such a text
                           is offered to nobody (server/complete/region_guard.h)
  tree-sitter's own        of those: put into the unbroken file the text adds errors to tree-sitter's tree, though every real parser takes it
  earlier error, offered   the first error comes earlier, and the tree has no more errors
  earlier than the true    the first error comes earlier than with the text that was cut out
  invalid where unbroken   the text is not valid in the file as it was before it was broken

The last two are stricter than any promise: a random text need not be as good as a person's.
"""
import collections
import importlib
import random
import re

from mutations import TOKENS

LEAST_BYTES, MOST_BYTES = 500, 60000
SHOWN = 10

HALF_TYPED = {
    "python": ["x = foo(", "def f(", "if a and", "class", "for x in", "y = [1, 2", "return (", 's = "abc', "from x import (", "@", 'doc = """half'],
    "go": ["x := foo(", "func f(", "if a &&", "type T struct {", "for i := range", "y := []int{1, 2", "return (", 's := "abc', "switch x {", "var", "s := `half"],
    "json": ['"a": [', '"a": {', "[1, 2", '"abc', "{"],
    "jsonc": ['"a": [', '"a": {', "[1, 2", '"abc', "/* half"],
    "java": ["int x = foo(", "void f(", "if (a &&", "class T {", "for (int i : ", "int[] y = {1, 2", "return (", 's = "abc', "switch (x) {", "import", "@A("],
    "javascript": ["let x = foo(", "function f(", "if (a &&", "class T {", "for (const i of ", "y = [1, 2", "return (", 's = "abc', "switch (x) {", "x => {", "s = `half"],
    "typescript": ["let x: Map<", "function f(a: ", "if (a &&", "class T {", "for (const i of ", "y = [1, 2", "return (", 's = "abc', "interface A {", "type A = {", "s = `half"],
    "sql": ["select (", "insert into t values (1,", "create table t (", "select 'abc", "where"],
}
ELEMENTS = ["<ul>", "<a b={", "{c(", "</b>", "<>"]
for _language, _base in (("javascriptreact", "javascript"), ("typescriptreact", "typescript")):
    HALF_TYPED[_language] = HALF_TYPED[_base] + ELEMENTS
# PyPI's tree-sitter: languages whose package, or whose function in the package, has another name.
PACKAGES = {"jsonc": "json", "javascriptreact": "javascript", "typescriptreact": "typescript"}
FUNCTIONS = {"typescriptreact": "language_tsx"}


def _line_starts(text):
    return [0] + [match.end() for match in re.finditer(r"\n", text)]


def _outside(places, cut):
    """Places that are not in the lines of the cut."""
    return [place for place in places if not cut[0] <= place <= cut[1]]


def break_file(language, text, lines_of_cut, rng):
    """(kind, offset, removed, inserted): one edit outside of the lines of the cut."""
    kind = rng.choice(["delete", "double", "truncate", "conflict", "half-typed", "unclosed"])
    if kind in ("delete", "double", "unclosed"):
        tokens = [m for m in TOKENS[language].finditer(text) if m.group().strip() and not lines_of_cut[0] <= m.start() <= lines_of_cut[1]]
        if kind == "unclosed":
            tokens = [m for m in tokens if m.group()[-1] in ")]}\"'`"]
        if not tokens:
            return None
        token = rng.choice(tokens)
        if kind == "double":
            return kind, token.end(), 0, token.group()
        if kind == "unclosed" and len(token.group()) > 1:  # a string's end
            return kind, token.end() - 1, 1, ""
        return kind, token.start(), token.end() - token.start(), ""
    starts = _outside(_line_starts(text), lines_of_cut)
    if not starts:
        return None
    place = rng.choice(starts)
    if kind == "truncate":
        if place <= lines_of_cut[1]:
            return None
        return kind, place, len(text) - place, ""
    if kind == "conflict":
        return kind, place, 0, "<<<<<<< HEAD\n=======\n>>>>>>> branch\n"
    indentation = re.match(r"[ \t]*", text[place:]).group()
    return kind, place, 0, indentation + rng.choice(HALF_TYPED[language]) + "\n"


def break_near(text, lines_of_cut, lines, rng):
    """(kind, offset, removed, inserted): one bracket or quote taken out of the `lines` lines above the cut."""
    begin = lines_of_cut[0]
    for _ in range(lines):
        begin = text.rfind("\n", 0, max(begin - 1, 0)) + 1
    places = [begin + m.start() for m in re.finditer(r"[()\[\]{}\"']", text[begin : lines_of_cut[0]])]
    return ("near", rng.choice(places), 1, "") if places else None


def break_line_above(text, lines_of_cut, rng):
    """(kind, offset, removed, inserted): the line above the cut's, which is as deep, ends within its bracket, as while it is typed."""
    end = lines_of_cut[0] - 1
    begin = text.rfind("\n", 0, max(end, 0)) + 1
    above, here = text[begin : max(end, 0)], text[lines_of_cut[0] : lines_of_cut[1]]
    depth = len(above) - len(above.lstrip())
    bracket = re.search(r"[(\[].", above)
    if not bracket or depth != len(here) - len(here.lstrip()) or not re.match(r"\w", here.lstrip()):
        return None
    place = begin + rng.randrange(bracket.end(), len(above) + 1)
    return ("line above", place, end - place, "") if place < end else None


def cut_of(text, rng):
    """A stretch of the text as `tenon eval gaps` cuts it: the tail of a line, a part of a line, whole lines."""
    starts = _line_starts(text)
    for _ in range(20):
        begin = rng.choice(starts)
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        line = text[begin:end]
        if len(line.strip()) < 6:
            continue
        kind = rng.choice(["tail", "inside", "lines"])
        first = begin + len(line) - len(line.lstrip())
        if kind == "tail":
            return rng.randrange(first, end), end
        if kind == "inside":
            a = rng.randrange(first, end)
            return a, min(end, a + rng.randrange(1, 20))
        last = end
        for _ in range(rng.randrange(0, 3)):
            following = text.find("\n", last + 1)
            if following < 0:
                break
            last = following
        return first, last
    return None


class ErrorNodes:
    """Counts the errors of tree-sitter's trees."""

    def __init__(self, language):
        try:
            library = importlib.import_module("tree_sitter")
            module = importlib.import_module("tree_sitter_" + PACKAGES.get(language, language))
            language_of = getattr(module, FUNCTIONS.get(language, "language"), None) or getattr(module, "language_" + language)  # one may hold several
            self._parser = library.Parser(library.Language(language_of()))
        except ImportError:
            self._parser = None

    def __bool__(self):
        return self._parser is not None

    def count(self, text):
        cursor = self._parser.parse(text.encode()).walk()
        errors = 0
        while True:
            node = cursor.node
            errors += node.is_error or node.is_missing
            if node.has_error and cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return errors


class Gap:
    def __init__(self, path, text, cut, edit):
        self.path, self.text, self.cut = path, text, cut
        self.kind, at, removed, inserted = edit
        self.broken = text[:at] + inserted + text[at + removed:]
        shift = len(inserted) - removed if at < cut[0] else 0
        self.broken_cut = (cut[0] + shift, cut[1] + shift)

    def earlier(self, place, middle, other_place, other_middle):
        """Does the first error come earlier with `middle` than with the other one? Places behind the gap count from its end."""
        if place is None or other_place is None:
            return False
        end = len(self.broken[: self.broken_cut[0]].encode())
        if other_place > end:
            other_place += len(middle.encode()) - len(other_middle.encode())
        return place < other_place

    def with_middle(self, middle, broken):
        text, (begin, end) = (self.broken, self.broken_cut) if broken else (self.text, self.cut)
        return text[:begin] + middle + text[end:]


def bytes_cut(text, cut):
    begin = len(text[: cut[0]].encode())
    return begin, begin + len(text[cut[0] : cut[1]].encode())


def make_gaps(context, paths, count, rng, breaks=None):
    """`breaks(text, lines of the cut, rng)`: how a file is broken; else as break_file does."""
    gaps = []
    for path in paths:
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if not LEAST_BYTES <= len(text) <= MOST_BYTES or "\r" in text:
            continue
        if not context.jury.accepts(context.jury.ask([text.encode()])[0]):
            continue
        for _ in range(count):
            cut = cut_of(text, rng)
            if cut is None:
                continue
            lines = (text.rfind("\n", 0, cut[0]) + 1, max(cut[1], text.find("\n", cut[1])))
            edit = breaks(text, lines, rng) if breaks else break_file(context.language, text, lines, rng)
            if edit:
                gaps.append(Gap(path, text, cut, edit))
    return gaps


def regions(context, paths, count, samples=1, tokens=40):
    """`count` gaps in each file of `paths`."""
    rng = random.Random(context.seed)
    tally = collections.Counter()
    by_kind = collections.defaultdict(collections.Counter)
    examples = collections.defaultdict(list)
    gaps = make_gaps(context, paths, count, rng)
    wholes = context.jury.ask([gap.with_middle(gap.text[gap.cut[0] : gap.cut[1]], True).encode() for gap in gaps])
    gaps = [gap for gap, verdict in zip(gaps, wholes) if context.jury.accepts(verdict) is False]  # really broken
    nodes = ErrorNodes(context.language)
    # As a completion is asked for: by the accepted language alone, a sign that ends a file early would close every gap.
    more = {"region": True, "emit": True, "close": True, "sample": samples, "max_tokens": tokens}
    before = context.tenon.gaps([(g.text.encode(), *bytes_cut(g.text, g.cut), b"") for g in gaps], emit=True, close=True)
    after = [context.tenon.gaps([(g.broken.encode(), *bytes_cut(g.broken, g.broken_cut), b"")], seed=rng.randrange(1 << 30), **more)[0] for g in gaps]
    for gap, whole, answer in zip(gaps, before, after):
        if "closing" not in whole:
            continue
        found = by_kind[gap.kind]
        for counts in (tally, found):
            counts["gaps"] += 1
            counts["answered"] += "closing" in answer
            counts["by a region"] += "closing" in answer and "region" in answer
        if "closing" not in answer:
            examples["not answered"].append(_example(gap, "", answer))
            continue
        middles = [answer["closing"], *answer.get("samples", [])]
        true_middle = gap.text[gap.cut[0] : gap.cut[1]]
        verdicts = context.jury.ask([gap.with_middle(middle, False).encode() for middle in middles])
        places = context.jury.first_errors([gap.with_middle(middle, True).encode() for middle in ["", true_middle, *middles]])
        nodes_before = nodes.count(gap.with_middle("", True)) if nodes else 0
        tally["true texts with more error nodes"] += bool(nodes) and nodes.count(gap.with_middle(true_middle, True)) > nodes_before
        for middle, verdict, place in zip(middles, verdicts, places[2:]):
            kinds = []
            than_true = gap.earlier(place, middle, places[1], true_middle)
            if than_true and gap.earlier(place, middle, places[0], ""):
                kinds.append("earlier error")
            if nodes and nodes.count(gap.with_middle(middle, True)) > nodes_before:
                kinds.append("more error nodes")
                if context.jury.may_write(verdict) and nodes.count(gap.with_middle(middle, False)) > nodes.count(gap.text):
                    kinds.append("tree-sitter's own")
            elif nodes and "earlier error" in kinds:
                kinds.append("earlier error, offered")
            if than_true:
                kinds.append("earlier than the true")
            if not context.jury.may_write(verdict):
                kinds.append("invalid where unbroken")
            for counts in (tally, found):
                counts["texts"] += 1
                for kind in kinds:
                    counts[kind] += 1
            for kind in kinds:
                examples[kind].append(_example(gap, middle, answer))
    return {**tally, "by_kind": {kind: dict(counts) for kind, counts in sorted(by_kind.items())},
            "counts": {what: len(found) for what, found in examples.items()},
            "examples": {what: rng.sample(found, min(SHOWN, len(found))) for what, found in examples.items()}}


def _example(gap, middle, answer):
    begin, end = gap.broken_cut
    region = answer.get("region")
    judged = "in the file" if region is None else f"in {region['at']} between {region['before'][-80:]!r} and {region['after']!r}"
    return {"text": gap.broken[max(0, begin - 160) : begin] + "⟦" + middle + "⟧" + gap.broken[end : end + 120],
            "where": f"{gap.path}: {gap.kind}, {judged}"}
