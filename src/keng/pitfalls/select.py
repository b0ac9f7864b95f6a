"""Which pitfalls are meant by names, groups and `all`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keng import pitfalls
from keng._util.texts import sentence
from keng.model import Pitfall


class Wrong(Exception):  # noqa: N818
    """What is wrong with a choice, in one line; `word` is none of the `known` ones."""

    def __init__(self, says: str, word: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(says)
        self.word = word
        self.known = tuple(known)


def meant(words: Iterable[str], every: Sequence[Pitfall]) -> set[str]:
    """The names of the pitfalls that are meant, of these. Raises Wrong for a word that means none at
    all."""
    found: set[str] = set()
    groups = pitfalls.groups()
    for word in words:
        those = {p.name for p in every if word in ("all", p.name, p.group, *p.aliases)}
        names = pitfalls.names()
        if not those and word not in (*names, *groups, *pitfalls.aliases()):
            known = [*names, *groups, "all"]
            raise Wrong(sentence("no_pitfall_or_group", word=word), word, known)
        found |= those
    return found


def listed(texts: Iterable[str]) -> tuple[str, ...]:
    """Words that are given with commas between."""
    return tuple(word.strip() for text in texts for word in text.split(",") if word.strip())
