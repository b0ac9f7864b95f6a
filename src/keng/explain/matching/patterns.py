"""Which patterns of the catalogue a text matches. Each pattern is known by a rare word that it cannot
do without, so that those that cannot match cost nothing, and each sees only a short piece of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache as once
from functools import partial
from typing import Any, NamedTuple

from keng.explain.matching.literals import literals
from keng.explain.reading import fragments
from keng.model import Explainer, Pitfall

WORD = re.compile(r"\w{3,40}")
INNER = re.compile(r"(?<=\W)\w{3,40}(?=\W)")
"""Words of a literal that stand whole in it: at its ends they may continue in the text."""

BEFORE, AFTER = 500, 3000
"""How much of a long text, around the literal, a pattern is shown."""


class Match(NamedTuple):
    pitfall: Pitfall
    explainer: Explainer
    groups: dict[str, str]


class Entry(NamedTuple):
    """One explainer: the name of its pitfall, its place there, and a text that a match of it holds."""

    pitfall: str
    nth: int
    literal: str


Table = dict[str, list[Iterable[Any]]]
"""What entries are made of, by a word of their literal, the rarest one; under "" those that have no such
word. Of a few alone entries are made, as that costs more than to read all of them."""


def table_of(pitfalls: Iterable[Pitfall]) -> Table:
    entries = [
        Entry(pitfall.name, nth, literal)
        for pitfall in pitfalls
        for nth, explainer in enumerate(pitfall.explainers)
        for literal in literals(explainer.pattern)
    ]
    often = Counter(word for entry in entries for word in set(WORD.findall(entry.literal)))
    table: Table = {}
    for entry in entries:
        words = INNER.findall(entry.literal)
        rarest = min(words, key=lambda word: (often[word], -len(word)), default="")
        table.setdefault(rarest, []).append(tuple(entry))
    return table


class Patterns:
    """`unit` gives a pitfall by its name; it is asked only for those whose words are in a text.
    `messages` are those of the pages, for texts that no pattern matches."""

    def __init__(
        self,
        table: Table,
        unit: Callable[[str], Pitfall],
        messages: Callable[[], fragments.Table],
    ) -> None:
        self._table = table
        self.unit = unit
        self.messages = once(messages)

    def matches(self, text: str) -> Iterator[Match]:
        """`text` has every run of white space as one space. One match at most of each pattern."""
        done: set[tuple[str, int]] = set()
        for name, nth, literal in self.possible(text):
            if (name, nth) not in done and (found := self._match(name, nth, literal, text)):
                done.add((name, nth))
                yield found

    def _match(self, name: str, nth: int, literal: str, text: str) -> Match | None:
        pitfall = self.unit(name)
        explainer = pitfall.explainers[nth]
        for piece in _pieces(text, literal):
            found = explainer.pattern.search(piece)
            if found is not None:
                groups = {name: value or "" for name, value in found.groupdict().items()}
                return Match(pitfall, explainer, groups)
        return None

    def possible(self, text: str) -> list[Entry]:
        """The entries whose literal is in the text, in the order of the catalogue."""
        words = {"", *WORD.findall(text)}
        known = [Entry(*each) for word in self._table.keys() & words for each in self._table[word]]
        return sorted(entry for entry in known if entry.literal in text)


def patterns_of(pitfalls: Iterable[Pitfall]) -> Patterns:
    units = {pitfall.name: pitfall for pitfall in pitfalls}
    return Patterns(
        table_of(units.values()),
        units.__getitem__,
        partial(fragments.table_of, units.values()),
    )


def _pieces(text: str, literal: str) -> Iterator[str]:
    """Around the first and the last place of the literal; the end of the text where there is none."""
    if len(text) <= BEFORE + AFTER:
        yield text
        return
    first, last = text.find(literal), text.rfind(literal)
    for at in dict.fromkeys((first, last)):
        yield text[max(0, at - BEFORE) : at + AFTER]
