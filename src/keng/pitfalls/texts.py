"""The texts of pitfalls: what text.toml says for the id and the values of a message."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from string import Formatter
from typing import Any

from keng.model import CatalogError, Facet, Hit, Message
from keng.pitfalls.index import index


@lru_cache(maxsize=256)
def texts_of(name: str) -> dict[str, dict[str, str]]:
    """By id: the sentence in "en" and "zh", and the advice "do"."""
    texts: dict[str, dict[str, str]] = index().details(name)["texts"]
    return texts


def filled(name: str, message: Message, lang: str = "en", other: Callable[[str], str] = str) -> str:
    """The sentence of a pitfall in a language; `other` says plain values in that language. Raises CatalogError for an id
    that text.toml does not have."""
    text = texts_of(name).get(message.id, {}).get(lang)
    if text is None:
        raise CatalogError(f"{name}/text.toml:1: no {lang} text with the id {message.id!r}")
    parts = []
    for before, hole, _, _ in Formatter().parse(text):
        parts.append(before)
        if hole is None:
            continue
        value = message.values[hole]
        if isinstance(value, Message):
            parts.append(filled(name, value, lang, other))
        else:  # code, in back-quotes, is no sentence
            parts.append(str(value) if "".join(parts).count("`") % 2 else other(str(value)))
    return "".join(parts)


def has_text(name: str, id: str, lang: str) -> bool:
    return lang in texts_of(name).get(id, {})


def in_english(name: str, hit: Hit) -> Hit:
    """The hit of a rule with the English of its messages filled in."""
    says, fix = hit.says, hit.fix
    if isinstance(says, Message):
        hit = hit._replace(says=Message(says.id, says.values, filled(name, says)))
    if fix is not None and isinstance(fix.title, Message):
        title = Message(fix.title.id, fix.title.values, filled(name, fix.title))
        hit = hit._replace(fix=fix._replace(title=title))
    return hit


def speaking(name: str, rule: Facet) -> Facet:
    """The rule of a pitfall, whose hits have their English. `map` puts no frame of keng between a rule for a running
    program and that program, whose frames it asks about."""

    in_words = partial(in_english, name)

    def spoken(given: Any) -> Any:
        return map(in_words, rule(given))

    spoken.__name__ = rule.__name__
    spoken.__module__ = rule.__module__
    return spoken
