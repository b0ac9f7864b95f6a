"""Which pitfalls a message may speak of."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from keng.model import Explainer, Pitfall

if sys.version_info >= (3, 11):
    from re import _parser as sre  # type: ignore[attr-defined]
else:
    import sre_parse as sre


class Match(NamedTuple):
    pitfall: Pitfall
    explainer: Explainer
    groups: dict[str, str]


def matching(message: str, pitfalls: Iterable[Pitfall]) -> Iterator[Match]:
    """The patterns that a message meets, line breaks and runs of white space taken as one space. A
    pattern is run only where the longest word that it must find is there."""
    message = " ".join(message.split())
    for pitfall in pitfalls:
        for explainer in pitfall.explainers:
            if literal(explainer.pattern.pattern) in message:
                found = explainer.pattern.search(message)
                if found is not None:
                    yield Match(
                        pitfall, explainer, {k: v or "" for k, v in found.groupdict().items()}
                    )
                    break


@cache
def literal(pattern: str) -> str:
    """The longest text that every match of a pattern holds."""
    runs, run = [""], ""
    for op, value in _flat(sre.parse(pattern)):
        if op == "literal":
            run += chr(value)
        else:
            runs.append(run)
            run = ""
    return max([*runs, run], key=len)


def _flat(parsed: Any) -> Iterator[tuple[str, Any]]:
    """The operations of a pattern, plain groups opened."""
    for op, value in parsed:
        name = str(op).lower()
        if name == "subpattern" and not value[1] and not value[2]:
            yield from _flat(value[3])
        else:
            yield name, value
