"""Which patterns of the catalogue a text matches. Each pattern is known by a word that it cannot do
without, so that those that cannot match cost nothing, and each sees only a short piece of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from keng.model import Explainer, Pitfall

try:
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as parser

WORD = re.compile(r"\w{3,40}")
INNER = re.compile(r"(?<=\W)\w{3,40}(?=\W)")
"""Words of a literal that stand whole in it: at its ends they may go on in the text."""

BEFORE, AFTER = 500, 3000
"""How much of a long text, around the literal, a pattern is shown."""


class Match(NamedTuple):
    pitfall: Pitfall
    explainer: Explainer
    groups: dict[str, str]
    shown: str


class Entry(NamedTuple):
    pitfall: Pitfall
    explainer: Explainer
    literal: str


class Patterns:
    def __init__(self, pitfalls: Iterable[Pitfall]) -> None:
        self._by_word: dict[str, list[Entry]] = {}
        self._others: list[Entry] = []
        for pitfall in pitfalls:
            for explainer in pitfall.explainers:
                literal = longest_literal(explainer.pattern)
                words = INNER.findall(literal)
                entry = Entry(pitfall, explainer, literal)
                homes = self._by_word.setdefault(max(words, key=len), []) if words else self._others
                homes.append(entry)

    def matches(self, text: str) -> Iterator[Match]:
        """`text` has every run of white space as one space. One match at most of each pattern."""
        for pitfall, explainer, literal in self._possible(text):
            for piece in _pieces(text, literal):
                found = explainer.pattern.search(piece)
                if found is not None:
                    groups = {name: value or "" for name, value in found.groupdict().items()}
                    yield Match(pitfall, explainer, groups, piece)
                    break

    def _possible(self, text: str) -> Iterator[Entry]:
        if self._by_word:
            words = set(WORD.findall(text))
            for word in self._by_word.keys() & words:
                yield from (entry for entry in self._by_word[word] if entry.literal in text)
        yield from (entry for entry in self._others if entry.literal in text)


def _pieces(text: str, literal: str) -> Iterator[str]:
    """Around the first and the last place of the literal; the end of the text where there is none."""
    if len(text) <= BEFORE + AFTER:
        yield text
        return
    first, last = text.find(literal), text.rfind(literal)
    for at in dict.fromkeys((first, last)):
        yield text[max(0, at - BEFORE) : at + AFTER]


def longest_literal(pattern: re.Pattern[str]) -> str:
    """The longest run of characters that every match must hold; nothing where that is not clear."""
    if pattern.flags & re.IGNORECASE:
        return ""
    runs = [""]
    for char in _required(parser.parse(pattern.pattern, pattern.flags)):
        if char:
            runs[-1] += char
        else:
            runs.append("")
    return max(runs, key=len)


def _required(parsed: Any) -> Iterator[str]:
    """The characters that stand in a row; an empty text where the row ends."""
    for operator, argument in parsed:
        if operator is parser.LITERAL:
            yield chr(argument)
        elif operator is parser.SUBPATTERN and not argument[1]:
            yield from _required(argument[3])
        else:
            yield ""
