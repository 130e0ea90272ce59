"""Gaps: a piece cut out of a text, as an editor's cursor would stand in it."""

import math

# How often each kind of gap is drawn.
KINDS = {"tail": 0.30, "inline": 0.24, "line": 0.14, "lines": 0.18, "span": 0.14}
MIN_LINE, MAX_LINE = 6, 160  # characters of a line that is worth learning
MAX_MIDDLE = 500
LEFT, RIGHT = (100, 1000), (30, 500)  # the lengths of both contexts, in characters
WITHOUT_RIGHT = 0.08  # of the gaps end their file


def log_uniform(rng, low, high):
    return int(math.exp(rng.uniform(math.log(low), math.log(high))))


def middle_at(rng, text, kind):
    """[begin, end) of a middle of that kind somewhere in the text; None: there is none at the place that was drawn."""
    at = rng.randrange(len(text))
    if kind == "span":
        return at, min(len(text), at + log_uniform(rng, 4, 250))
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    line = text[begin:end]
    indent = len(line) - len(line.lstrip())
    if kind == "lines":
        for _ in range(rng.randint(1, 5)):
            further = text.find("\n", end + 1)
            end = len(text) if further < 0 else further
        return begin + (indent if rng.random() < 0.7 else 0), end
    if len(line.strip()) < MIN_LINE or len(line) > MAX_LINE:
        return None
    if kind == "line":
        return begin + (indent if rng.random() < 0.7 else 0), end
    cursor = begin + rng.randrange(indent, len(line) - 2)
    if kind == "inline" and end > cursor + 1:
        end = rng.randrange(cursor + 1, end + 1)
    return cursor, end


def cut(rng, text, kind, left=LEFT, right=RIGHT):
    """(left context, middle, right context), or None where the text has no such gap."""
    for _ in range(20):
        place = middle_at(rng, text, kind)
        if place is None:
            continue
        begin, end = place
        if not text[begin:end].strip() or end - begin > MAX_MIDDLE:
            continue
        start = max(0, begin - log_uniform(rng, *left))
        if start > 0:  # contexts begin at a line
            line = text.find("\n", start, begin)
            start = line + 1 if line >= 0 else start
        shown = "" if rng.random() < WITHOUT_RIGHT else text[end : end + log_uniform(rng, *right)]
        return text[start:begin], text[begin:end], shown
    return None
