"""What a regular expression says in plain words: texts that every match holds, and all that may be said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

try:
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as parser

MOST_TEXTS = 64
"""Of one pattern, with all its alternatives."""

OPEN = "\n"
"""Marks where a pattern accepts anything."""


def literals(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Texts of which every match holds one, as long as may be; the empty one where that is not clear."""
    if pattern.flags & re.IGNORECASE:
        return ("",)
    return _needles(parser.parse(pattern.pattern, pattern.flags))


def _needles(parsed: Any) -> tuple[str, ...]:
    """Of all that is in a row and of all alternatives, the one whose shortest is longest."""
    choices: list[tuple[str, ...]] = [(run,) for run in _runs(parsed)]
    for operator, argument in parsed:
        if operator is parser.BRANCH:
            choices.append(tuple(text for each in argument[1] for text in _needles(each)))
        elif operator is parser.SUBPATTERN and not argument[1]:
            choices.append(_needles(argument[3]))
    return max(choices, key=lambda texts: min(map(len, texts)))


def _runs(parsed: Any) -> list[str]:
    runs = [""]
    for char in _required(parsed):
        if char:
            runs[-1] += char
        else:
            runs.append("")
    return runs


def _required(parsed: Any) -> Iterator[str]:
    """The characters that follow each other; an empty text where the row ends."""
    for operator, argument in parsed:
        if operator is parser.LITERAL:
            yield chr(argument)
        elif operator is parser.SUBPATTERN and not argument[1]:
            yield from _required(argument[3])
        else:
            yield ""


def texts(pattern: re.Pattern[str]) -> list[str]:
    """What a pattern says, each of its alternatives for itself; numbers are left out."""
    return _texts(parser.parse(pattern.pattern, pattern.flags))


def _texts(parsed: Any) -> list[str]:
    choices = [_choices(operator, argument) for operator, argument in parsed]
    return ["".join(parts) for parts in islice(product(*choices), MOST_TEXTS)]


def _choices(operator: Any, argument: Any) -> list[str]:
    if operator is parser.LITERAL:
        return [chr(argument)]
    if operator is parser.SUBPATTERN:
        return _texts(argument[3])
    if operator is parser.BRANCH:
        return [text for each in argument[1] for text in _texts(each)]
    if operator in (parser.MAX_REPEAT, parser.MIN_REPEAT):
        least, most, inner = argument
        return ["", *_texts(inner)] if (least, most) == (0, 1) else _several(inner)
    return [" "] if operator is parser.AT else [OPEN]


def _several(inner: Any) -> list[str]:
    """Numbers are noise in a message too."""
    noise = all(operator is parser.IN and all(map(_is_noise, found)) for operator, found in inner)
    return [" "] if noise else [OPEN]


def _is_noise(member: Any) -> bool:
    kind, value = member
    if kind is parser.LITERAL:
        return not chr(value).isalpha()
    return value in (parser.CATEGORY_DIGIT, parser.CATEGORY_SPACE)
