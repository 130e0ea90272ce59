"""The comparisons of a grammar with real parsers. Each returns a report: counts, and the differences with a smallest example."""
import collections
import json
import random
import re
import subprocess

import broken_files
from mutations import KINDS, TOKENS, mutate, shrink
import corpora

CHUNK = 500
SHOWN = 10
LARGEST_FOR_GAPS = 60000  # bytes of a file that gaps are cut in
LONGEST_WRITTEN = 160  # bytes of a middle whose beginnings are asked about
MOST_BEGINNINGS = 12
WALKS_A_GAP = 2
MOST_WALK_TOKENS = 200
WALK_TOKENS = {"jsonc": 400}  # most of them go into comments, each of which is one terminal
LEAST_TOKENS = 12  # of a text that walks begin in
MOST_LEFT_OUT = 4  # invalid mutants of a kind, for each that is wanted
MOST_EDITS = 4  # to come from a text to a new one


class Differences:
    """Texts on which tenon and the jury differ, by what kind of difference; shrunk while it stays one."""

    def __init__(self, context):
        self._context = context
        self._texts = collections.defaultdict(list)

    def add(self, what, text, where=""):
        self._texts[what].append((text, where))

    def count(self, what):
        return len(self._texts[what])

    def report(self, shrunk=True):
        shown = {}
        for what, found in self._texts.items():
            found.sort(key=lambda pair: len(pair[0]))
            shown[what] = [{"text": self._shrunk(what, text) if shrunk else text, "where": where} for text, where in found[:SHOWN]]
        return {"counts": {what: len(found) for what, found in self._texts.items()}, "examples": shown}

    def _shrunk(self, what, text):
        if len(text) > 6000:
            return text
        try:
            text.encode().decode()
            return shrink(self._context.language, text, lambda t: what in verdict_kinds(self._context, [t.encode()])[0])
        except (UnicodeError, RuntimeError):
            return text


def verdict_kinds(context, texts, recorded=None):
    """For each text the kinds of difference between tenon and the jury. `recorded`: verdicts to use where a parser cannot tell."""
    real = context.jury.ask(texts)
    for verdicts, more in zip(real, recorded or []):
        verdicts.update({name: more[name] for name, verdict in verdicts.items() if verdict is None and name in more})
    accepted = context.tenon.check(texts)
    written = context.tenon.check(texts, emit=True)
    found = []
    for verdicts, accept, write in zip(real, accepted, written):
        kinds = []
        wanted = context.jury.accepts(verdicts)
        if wanted is not None and accept["valid"] != wanted:
            kinds.append("false accept" if accept["valid"] else "false reject")
        if write["valid"] and context.jury.may_write(verdicts) is False:
            kinds.append("false accept in emission")
        if write["valid"] and not accept["valid"]:
            kinds.append("emitted but not accepted")
        found.append(kinds)
    return found


def chunks(items):
    for begin in range(0, len(items), CHUNK):
        yield items[begin:begin + CHUNK]


def precision(context, count, least_valid):
    """Mutants in equal shares by kind. Of the invalid ones some are left out where fewer than `least_valid` of a kind would be valid, and
    texts that had a valid mutant are drawn more often. A kind that still has too few in MOST_LEFT_OUT times its share, as few texts of JSON
    can be cut short and stay valid, is filled up with what was left out, as far as `least_valid` of all mutants are valid."""
    rng = random.Random(context.seed)
    units = corpora.units(context.language, context.corpus, count // 20 + 200, rng)
    if context.sentences.exists() and (context.language == "sql" or not context.corpus):
        units += [sentence["text"] for sentence in _sentences(context, 2000)[0] if len(sentence["text"]) < 300]
    valid_units = [unit for unit, verdicts in zip(units, context.jury.ask([unit.encode() for unit in units])) if context.jury.accepts(verdicts)]
    if not valid_units:
        return {"skipped": "no valid text to edit; name a folder with --corpus"}
    pool = [token for unit in valid_units for token in TOKENS[context.language].findall(unit) if not token.isspace()]
    differences = Differences(context)
    totals = {kind: collections.Counter() for kind in KINDS}
    left_out = {kind: [] for kind in KINDS}
    seen = set(valid_units)
    want = count // len(KINDS)

    def ask_tenon(kind, texts):
        for text, kinds in zip(texts, verdict_kinds(context, [text.encode() for text in texts])):
            for what in kinds:
                differences.add(what, text, kind)

    for kind in KINDS:
        stale = 0
        tally = totals[kind]
        fruitful = []
        while tally["mutants"] < want and stale < 40 and tally["left out"] < MOST_LEFT_OUT * want:
            mutants = {}
            behind = fruitful and tally["valid"] < least_valid * tally["mutants"]
            for _ in range(min(CHUNK, 2 * (want - tally["mutants"]) + 20)):
                unit = rng.choice(fruitful if behind and rng.random() < 0.8 else valid_units)
                text = _unseen(context.language, unit, kind, pool, rng, seen)
                if text is not None:
                    seen.add(text)
                    mutants[text] = unit
            stale = 0 if mutants else stale + 1
            real = context.jury.ask([text.encode() for text in mutants])
            kept = []
            for text, verdicts in zip(mutants, real):
                valid = context.jury.accepts(verdicts)
                if valid:
                    fruitful.append(mutants[text])
                if tally["mutants"] >= want:
                    break
                if not valid and tally["valid"] < least_valid * tally["mutants"]:
                    tally["left out"] += 1
                    if len(left_out[kind]) < want:
                        left_out[kind].append((text, valid))
                    continue
                tally["mutants"] += 1
                tally["valid"] += valid is True
                tally["undecided"] += valid is None
                kept.append(text)
            ask_tenon(kind, kept)
    for kind, tally in totals.items():
        room = int(sum(t["valid"] for t in totals.values()) / least_valid) - sum(t["mutants"] for t in totals.values()) if least_valid else want
        added = left_out[kind][:max(0, min(want - tally["mutants"], room))]
        tally["mutants"] += len(added)
        tally["left out"] -= len(added)
        tally["undecided"] += sum(valid is None for _, valid in added)
        for batch in chunks([text for text, _ in added]):
            ask_tenon(kind, batch)
    mutants = sum(tally["mutants"] for tally in totals.values())
    return {"mutants": mutants, "valid": sum(t["valid"] for t in totals.values()), "undecided": sum(t["undecided"] for t in totals.values()),
            "by_kind": {kind: dict(tally) for kind, tally in totals.items()}, **differences.report()}


def _unseen(language, unit, kind, pool, rng, seen):
    """`unit` after an edit of the kind, or after as few of them as lead to a text that is new; None where MOST_EDITS do not."""
    text = unit
    for _ in range(MOST_EDITS):
        text = mutate(language, text, kind, pool, rng)
        if text not in seen:
            return text
    return None


def recall(context, count, cuts):
    """Whole files, and `cuts` gaps in each: the text that was cut out must be a way to close the gap."""
    rng = random.Random(context.seed)
    paths = corpora.files(context.language, context.corpus, count, rng)
    differences = Differences(context)
    tally = collections.Counter(files=len(paths))
    missed_emission = []
    for batch in chunks(paths):
        texts = [corpora.text_of(context.language, path, rng) for path in batch]
        real = context.jury.ask(texts)
        accepted = context.tenon.check(texts)
        writable = context.tenon.check(texts, emit=True)
        gaps = []
        for path, text, verdicts, accept, write in zip(batch, texts, real, accepted, writable):
            wanted = context.jury.accepts(verdicts)
            tally["bytes"] += len(text)
            tally["undecided"] += wanted is None
            tally["valid"] += wanted is True
            tally["accepted"] += wanted is True and accept["valid"]
            if wanted is not None and wanted != accept["valid"]:
                what = "false reject" if wanted else "false accept"
                differences.add(what, text.decode("utf-8", "replace"), f"{path}:{accept['line']}:{accept['column']}: {accept['message']}")
            everywhere = context.jury.may_write(verdicts)
            tally["valid everywhere"] += everywhere is True
            tally["emitted"] += everywhere is True and write["valid"]
            if everywhere and not write["valid"]:
                missed_emission.append(write["message"])
            if write["valid"] and everywhere is False:
                differences.add("false accept in emission", text.decode("utf-8", "replace"), str(path))
            if wanted and accept["valid"] and len(text) <= LARGEST_FOR_GAPS and _is_utf8(text):
                gaps += [(path, text, cut) for cut in _cuts(text, cuts, rng)]
        if gaps:
            answers = context.tenon.gaps([(text, begin, end, text[begin:end]) for _, text, (begin, end) in gaps])
            for (path, text, (begin, end)), answer in zip(gaps, answers):
                tally["cuts"] += 1
                tally["cuts viable"] += answer["viable"]
                tally["cuts member"] += answer["member"]
                if not answer["viable"] or not answer["member"]:
                    differences.add("cut not viable" if not answer["viable"] else "cut not a member", text[begin:end].decode(), f"{path}:{begin}-{end}")
    report = differences.report()
    common = collections.Counter(message.split(" is never written")[0] if "never written" in message else message.split(";")[0] for message in missed_emission)
    return {**tally, **report, "never emitted because": dict(common.most_common(SHOWN))}


def regions(context, count, cuts):
    """`cuts` gaps in each of `count` files, which are broken elsewhere."""
    paths = corpora.files(context.language, context.corpus, count, random.Random(context.seed))
    return broken_files.regions(context, paths, cuts)


def seams(context, count, cuts):
    """`cuts` gaps in each file that begin before a string or comment, in its line, and end inside it: what is right of the gap is its rest."""
    return _put_in(context, count, lambda text, rng: _cuts_into_strings(context.language, text, cuts, rng))


def pieces(context, count, cuts):
    """`cuts` gaps of each kind in each file, where people write: the head of a construct, whose body is right of the gap, the rest of a line, a
    piece inside a line, words of it, whole lines, a line that closes brackets."""
    return _put_in(context, count, lambda text, rng: cuts_of_pieces(context.language, text, cuts, rng))


def beginnings(context, count, cuts):
    """The gaps of `pieces` whose true middle closes them within the cursor's block. A model writes that middle token by token, so each of its
    beginnings must be viable there, which is known by a closing text."""
    rng = random.Random(context.seed)
    tally = collections.Counter()
    differences = Differences(context)
    within = {"emit": True, "scope": "block"}
    for batch in chunks(corpora.files(context.language, context.corpus, count, rng)):
        gaps = []
        for path in batch:
            text = corpora.text_of(context.language, path, rng)
            if len(text) <= LARGEST_FOR_GAPS and _is_utf8(text):
                gaps += [(path, text, begin, end) for begin, end, _ in cuts_of_pieces(context.language, text, cuts, rng) if end - begin <= LONGEST_WRITTEN]
        answers = context.tenon.gaps([(text, begin, end, text[begin:end]) for _, text, begin, end in gaps], **within)
        asked = []
        for (path, text, begin, end), answer in zip(gaps, answers):
            tally["gaps"] += 1
            tally["in the block"] += answer["member"]
            if answer["member"]:
                places = {match.end() for match in re.finditer(rb"\w+|[^\w\s]|\s+", text[begin:end])} | {rng.randrange(max(1, end - begin)) for _ in range(3)}
                places = {_character_at(text, begin + place) for place in places} - {begin, end}
                asked += [(path, text, begin, end, place) for place in rng.sample(sorted(places), min(MOST_BEGINNINGS, len(places)))]
        answers = context.tenon.gaps([(text, begin, end, text[begin:place]) for _, text, begin, end, place in asked], **within)
        for (path, text, begin, end, place), answer in zip(asked, answers):
            tally["beginnings"] += 1
            if not answer["viable"]:
                differences.add("beginning not viable", text[begin:place].decode(), f"{path}:{begin}-{end}: of {text[begin:end].decode()!r}")
    return {**tally, **differences.report()}


def _put_in(context, count, cuts_of):
    """Gaps in each file, asked as a completion is. Put in are the shortest closing text and a random one. `cuts_of` gives the gaps of a text,
    each with its kind."""
    rng = random.Random(context.seed)
    tally = collections.Counter()
    differences = Differences(context)
    by_kind = collections.defaultdict(collections.Counter)
    for batch in chunks(corpora.files(context.language, context.corpus, count, rng)):
        texts = [corpora.text_of(context.language, path, rng) for path in batch]
        gaps = []
        for path, text, verdicts in zip(batch, texts, context.jury.ask(texts)):
            if context.jury.may_write(verdicts) and len(text) <= LARGEST_FOR_GAPS and _is_utf8(text):
                gaps += [(path, text, *cut) for cut in cuts_of(text, rng)]
        asked = [(text, begin, end, b"") for _, text, begin, end, _ in gaps]
        more = {"region": True, "emit": True, "close": True, "sample": 1, "max_tokens": 40, "seed": context.seed}
        written = []
        for (path, text, begin, end, kind), answer in zip(gaps, context.tenon.gaps(asked, **more)):
            how = "nothing" if "closing" not in answer else "a region" if "region" in answer else f"the file, seam {answer.get('seam', 'closed')}"
            tally["gaps"] += 1
            by_kind[kind].update(["gaps", f"answered by {how}"])
            if how.startswith("the file"):
                written += [(path, text[:begin], middle, text[end:], kind) for middle in [answer["closing"], *answer.get("samples", [])]]
        real = context.jury.ask([left + middle.encode() + right for _, left, middle, right, _ in written])
        for (path, left, middle, right, kind), verdicts in zip(written, real):
            tally["texts"] += 1
            if context.jury.may_write(verdicts) is False:
                by_kind[kind]["refused"] += 1
                differences.add("false accept in emission", (left + middle.encode() + right).decode(), f"{path}:{len(left)}: {middle!r}")
    return {**tally, "by_kind": {kind: dict(counts) for kind, counts in by_kind.items()}, **differences.report()}


def cuts_of_pieces(language, text, count, rng):
    opens = rb":" if language == "python" else rb"[{(\[]"
    lines = [match.span() for match in re.finditer(rb"[^\s][^\r\n]*", text)]
    heads = [(begin, end) for begin, end in lines if re.fullmatch(opens, text[end - 1:end])]
    closers = [(begin, end) for begin, end in lines if re.match(rb"[)\]}]", text[begin:end])]
    found = [(begin, end, "head") for begin, end in rng.sample(heads, min(count, len(heads)))]
    found += [(begin, end, "closer") for begin, end in rng.sample(closers, min(count, len(closers)))]
    for begin, end in rng.sample(lines, min(count, len(lines))):
        found.append((rng.randrange(begin, end), end, "tail"))
        found.append((*sorted(rng.randrange(begin, end) for _ in range(2)), "inside"))
        words = [match.span() for match in re.finditer(rb"\w+|[^\w\s]", text[begin:end])]
        first = rng.randrange(len(words))
        found.append((begin + words[first][0], begin + words[min(len(words) - 1, first + rng.randrange(4))][1], "words"))
        last = min(len(lines) - 1, lines.index((begin, end)) + rng.randrange(3))
        found.append((begin, lines[last][1], "lines"))
    return [(*(_character_at(text, at) for at in (begin, end)), kind) for begin, end, kind in found]


def _character_at(text, at):
    """The beginning of the character that the byte is part of."""
    while at < len(text) and text[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _cuts_into_strings(language, text, count, rng):
    """Gaps from the beginning of a string or comment, or from up to 20 bytes before it in its line, to a place inside it; with the kind."""
    found, begin = [], 0
    for token in TOKENS[language].findall(text.decode()):
        end = begin + len(token.encode())
        quoted = re.match(r"""[a-zA-Z]{0,2}["'`]|//|/\*""" + {"python": "|#", "sql": "|--"}.get(language, ""), token)
        if quoted and len(token) > quoted.end() + 1:
            kind = "string" if quoted.group()[-1] in "\"'`" else "comment"
            found.append((begin, begin + len(quoted.group()), end, kind))
        begin = end
    cuts = []
    for begin, inside, end, kind in rng.sample(found, min(count, len(found))):
        line = text.rfind(b"\n", 0, begin) + 1
        first = begin if rng.random() < 0.5 else max(line, begin - rng.randrange(20))
        places = [at for at in range(inside, end) if text[at] & 0xC0 != 0x80]
        while text[first] & 0xC0 == 0x80:
            first -= 1
        cuts.append((first, rng.choice(places), kind))
    return cuts


def emission(context, count, cuts):
    """What could be written of real files: whole ones, and `cuts` gaps in each that end with their line. Only files that every parser takes."""
    rng = random.Random(context.seed)
    differences = Differences(context)
    tally = collections.Counter()
    missed = collections.Counter()
    for batch in chunks(corpora.files(context.language, context.corpus, count, rng)):
        texts = [corpora.text_of(context.language, path, rng) for path in batch]
        everywhere = [verdicts for verdicts in zip(batch, texts, context.jury.ask(texts)) if context.jury.may_write(verdicts[2])]
        gaps = []
        for (path, text, _), write in zip(everywhere, context.tenon.check([text for _, text, _ in everywhere], emit=True)):
            tally["files"] += 1
            tally["files written"] += write["valid"]
            if not write["valid"]:
                missed[_reason(write["message"])] += 1
            if len(text) <= LARGEST_FOR_GAPS and _is_utf8(text):
                gaps += [(path, text, cut) for cut in _line_cuts(text, cuts, rng)]
        for (path, text, (begin, end)), answer in zip(gaps, context.tenon.gaps([(t, b, e, t[b:e]) for _, t, (b, e) in gaps], emit=True)):
            tally["line cuts"] += 1
            tally["line cuts written"] += answer["member"]
            if not answer["member"]:
                differences.add("line cut not written", text[begin:end].decode(), f"{path}:{begin}-{end}")
    shares = {f"{what} written, %": round(100 * tally[f"{what} written"] / max(tally[what], 1), 2) for what in ("files", "line cuts")}
    return {**tally, **shares, **differences.report(shrunk=False), "never emitted because": dict(missed.most_common(SHOWN))}


def _is_utf8(text):
    try:
        return bool(text.decode())
    except UnicodeDecodeError:
        return False


def _reason(message):
    """A message without what is particular to one place."""
    if "is never written" in message:
        return re.sub(r"\w+", "a", message.split(" is never written")[0])[:12] + " is never written"
    return message.split(";")[0]


def _line_cuts(text, count, rng):
    """Gaps from a place within a line, or its first sign, to the line's end."""
    lines = [match.span() for match in re.finditer(rb"[^\r\n]*[^\s][^\r\n]*", text)]
    found = []
    for begin, end in rng.sample(lines, min(count, len(lines))):
        first = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
        at = first if rng.random() < 0.5 else rng.randrange(first, end)
        while at > first and text[at] & 0xC0 == 0x80:
            at -= 1
        found.append((at, end))
    return found


def _long_cuts(text, count, rng):
    """Gaps of any length."""
    found = []
    for _ in range(count):
        ends = [rng.randrange(len(text) + 1) for _ in range(2)]
        found.append(tuple(sorted(at + next(n for n in range(4) if text[at + n:at + n + 1] < b"\x80" or text[at + n] >= 0xC0) for at in ends)))
    return found


def _token_cuts(language):
    """Gaps from the border of a token to another not far behind it. Others lie within a string or a name, which bounds what can be written."""
    def cuts(text, count, rng):
        borders = [0]
        for token in TOKENS[language].findall(text.decode()):
            borders.append(borders[-1] + len(token.encode()))
        found = []
        for _ in range(count):
            at = rng.randrange(len(borders))
            found.append((borders[at], borders[min(len(borders) - 1, at + rng.choice([0, 0, 1, 2, 5, 20]))]))
        return found
    return cuts


def walks(context, count, tokens):
    """Random walks through what tenon may write, from gaps in small valid texts until they close; the real parsers must take them all.
    Given text may hold newer forms, and beside a middle it may become one. Where the newest parser is not there, a text that
    could be written as a whole before the walk, and not behind it, counts as one that became so."""
    rng = random.Random(context.seed)
    units = [unit.encode() for unit in corpora.units(context.language, context.corpus, 400, rng) if len(unit) < 1500]
    if context.sentences.exists():
        units += [sentence["text"].encode() for sentence in _sentences(context, 600)[0] if len(sentence["text"]) < 600]
    units = [unit for unit, verdicts in zip(units, context.jury.ask(units)) if context.jury.may_write(verdicts)]
    if not context.jury.refusal_is_final():
        units = [unit for unit in units if _written(context, unit)]
    # Next to nothing can be written beside a text of few tokens, as a number alone.
    units = [unit for unit in units if len(TOKENS[context.language].findall(unit.decode())) >= LEAST_TOKENS] or units
    if not units:
        return {"skipped": "no valid text to open gaps in; name a folder with --corpus"}
    differences = Differences(context)
    tally = collections.Counter()
    texts, lengths = set(), []
    while tally["walks"] < count and tally["gaps"] < 4 * count + 100:
        asked = []
        for unit in rng.choices(units, k=min(50, count)):
            cut = rng.choice([_line_cuts, _cuts, _long_cuts] + 5 * [_token_cuts(context.language)])
            begin, end = cut(unit, 1, rng)[0]
            asked.append((unit, begin, end, b""))
        try:
            answers = context.tenon.gaps(asked, sample=WALKS_A_GAP, max_tokens=rng.randrange(tokens // 3, tokens + 1), seed=rng.randrange(1 << 30))
        except RuntimeError as error:  # no vocabulary
            return {"skipped": str(error)[-200:]}
        written = []
        for (unit, begin, end, _), answer in zip(asked, answers):
            tally["gaps"] += 1
            tally["gaps that nothing closes"] += not answer["viable"]
            tally["gaps with too few tokens"] += bool(answer.get("infeasible"))
            written += [(unit[:begin], sample, unit[end:]) for sample in answer.get("samples") or []]
        real = context.jury.ask([left + sample.encode() + right for left, sample, right in written])
        for (left, sample, right), verdicts in zip(written, real):
            tally["walks"] += 1
            tally["characters"] += len(sample)
            lengths.append(sum(not token.isspace() for token in TOKENS[context.language].findall(sample)))
            texts.add((left, sample, right))
            text = left + sample.encode() + right
            if context.jury.may_write(verdicts) is False:
                newer = context.jury.accepts(verdicts) is not False or (not context.jury.refusal_is_final() and not _written(context, text))
                differences.add("given text read as a newer form" if newer else "false accept in emission", text.decode(), f"walk: {sample!r}")
    return {**tally, "distinct": len(texts), "median terminals": sorted(lengths)[len(lengths) // 2] if lengths else 0, **differences.report()}


def _written(context, text):
    return context.tenon.check([text], emit=True)[0]["valid"]


def _cuts(text, count, rng):
    found = []
    for _ in range(count):
        begin = rng.randrange(len(text) + 1)
        end = min(len(text), begin + rng.choice([0, 1, 2, 5, 20, 100]))
        while begin < len(text) and text[begin] & 0xC0 == 0x80:
            begin += 1
        while end < len(text) and text[end] & 0xC0 == 0x80:
            end += 1
        found.append((begin, max(begin, end)))
    return found


def _sentences(context, count):
    done = subprocess.run([context.sentences, context.grammar, str(count), str(context.seed)], capture_output=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[:-1], lines[-1]


def generation(context, count):
    """Random sentences of the emit grammar, through every rule of it; the real parsers must take them all."""
    if not context.sentences.exists():
        return {"skipped": f"{context.sentences} is not built (target exactness_sentences)"}
    sentences, summary = _sentences(context, count)
    differences = Differences(context)
    for batch in chunks(sentences):
        texts = [sentence["text"].encode() for sentence in batch]
        for sentence, verdicts in zip(batch, context.jury.ask(texts)):
            if context.jury.may_write(verdicts) is False:
                differences.add("false accept in emission", sentence["text"], f"rule {sentence['rule']}")
    lengths = sorted(sentence["terminals"] for sentence in sentences)
    distinct = len({sentence["text"] for sentence in sentences})
    return {"sentences": len(sentences), "distinct": distinct, "median terminals": lengths[len(lengths) // 2] if lengths else 0,
            "rules": summary["rules"], "rules below 20 uses": summary["rare"], **differences.report()}


def suites(context, most):
    """The probes and the parsers' own test cases, of these at most `most`."""
    differences = Differences(context)
    tally = collections.Counter()
    cases = [(f"probe {probe['name']}", probe["text"].encode(), probe["valid"])
             for probe in corpora.probes("sqlite" if context.language == "sql" else context.language)]
    theirs = [(name, text, {}) for name, text in corpora.suites(context.language, context.pythons)]
    cases += theirs if most is None or most >= len(theirs) else random.Random(context.seed).sample(theirs, most)
    for batch in chunks(cases):
        texts = [text for _, text, _ in batch]
        found = verdict_kinds(context, texts, [recorded for _, _, recorded in batch])
        for (name, text, _), verdicts, kinds in zip(batch, context.jury.ask(texts), found):
            tally["cases"] += 1
            tally["valid"] += context.jury.accepts(verdicts) is True
            tally["undecided"] += context.jury.accepts(verdicts) is None
            for what in kinds:
                if name in context.known:
                    tally["known differences"] += 1
                else:
                    differences.add(what, text.decode("utf-8", "replace"), name)
    return {**tally, **differences.report()}
