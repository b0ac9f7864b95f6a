"""Source from the numbered lines that a notebook shows around the line that failed."""

from __future__ import annotations

import ast
import re
import warnings

from keng.explain.frame import Frame
from keng.explain.reasons.source import UNPARSED, Source

MOST_TRIED = 60
FEWEST = 3
NAME = re.compile(r"[\w.]*?(?P<name>\w+)$")


def excerpt_of(frame: Frame) -> Source | None:
    """A file that has only these lines, below a head of their function; None if they do not parse. A block
    that begins above the lines, or ends below them, is cut."""
    lines = dict(frame.around)
    numbers = sorted(lines)
    if len(numbers) < FEWEST or numbers[0] < 2 or frame.line not in lines:
        return None
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        return None
    tried = 0
    for last in range(numbers[-1], frame.line - 1, -1):
        for first in range(numbers[0], frame.line + 1):
            tried += 1
            inside = [lines[n].rstrip() for n in range(first, last + 1)]
            if tried > MOST_TRIED:
                return None
            text = _function(frame, inside)
            if text is not None:
                blank = ["\n"] * (first - 2)
                return Source(frame.path, [*blank, *(f"{line}\n" for line in text)], False)
    return None


def _function(frame: Frame, inside: list[str]) -> list[str] | None:
    """The lines as the body of a function, if Python can read it."""
    indents = [len(line) - len(line.lstrip()) for line in inside if line.strip()]
    if not indents or min(indents) < 1:
        return None
    body = [line[min(indents) :] for line in inside]
    found = NAME.search(frame.function.strip())
    name = found["name"] if found is not None else "shown"
    for takes in dict.fromkeys((_parameters(frame.parameters), "()")):
        text = [f"def {name}{takes}:", *(f"    {line}" if line else "" for line in body)]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse("\n".join(text))
        except UNPARSED:
            continue
        return text
    return None


def _parameters(head: str) -> str:
    """`(self, x, **kwargs)`, without what IPython prints of defaults."""
    names = re.findall(r"\*{0,2}[A-Za-z_]\w*", head.partition(")")[0])
    return f"({', '.join(dict.fromkeys(names))})"
