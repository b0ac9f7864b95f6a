"""Why an error was raised: the guard with its values, what the user passed, what is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keng.model import Accepted, Condition, Reason, Span, Traced
from keng.report.findings import place
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

COMPARES = re.compile(r" (?:[=!<>]=|[<>]|(?:not )?in|is(?: not)?) ")
INSTALLED = re.compile(r"^.*[/\\](?:site|dist)-packages[/\\]")
GIVEN = ("argument", "set")
EVIDENCE = ("guard", "ladder", "division", "key")
"""Kinds that add something to a cause that is known."""

MOST_SOURCES = 3


def headline(reason: Reason, words: Words) -> str:
    """The reason in one sentence."""
    if reason.kind in ("guard", "ladder"):
        return _guard(reason, words)
    values = {
        "about": reason.about,
        "by": reason.raised_by,
        "said": reason.conditions[0].text if reason.conditions else "",
        "limit": reason.outer.text if reason.outer is not None else "",
        "value": reason.values[0].value if reason.values else "",
        "place": _inside(reason.where),
    }
    key = f"reason_{reason.kind}"
    if reason.kind in ("key", "index") and not values["limit"]:
        key = "reason_key_only"
    return words(key, **values)


def _guard(reason: Reason, words: Words) -> str:
    parts = [_condition(each, words, reason.kind) for each in reason.conditions]
    joint = words.comma if reason.kind == "ladder" else words("reason_and")
    key = f"reason_{reason.kind}" if reason.sure else f"reason_{reason.kind}_read"
    text = words(key, what=joint.join(parts), n=len(parts))
    values = [_value(each, words) for each in reason.values if each.value]
    return f"{text}{words.colon}{words.comma.join(values)}" if values else text


def _condition(condition: Condition, words: Words, kind: str) -> str:
    if kind == "ladder" or (condition.holds and COMPARES.search(condition.text)):
        return f"`{condition.text}`"
    return words("reason_true" if condition.holds else "reason_false", what=condition.text)


def _value(traced: Traced, words: Words) -> str:
    return words("reason_value", name=traced.name, value=traced.value)


def place_of(reason: Reason) -> Span | None:
    """The line of the user's that gave the value."""
    kinds = (GIVEN, ("alike", "default"), ("assigned",))
    found = (v.where for how in kinds for v in reason.values if v.how in how and v.where)
    return next(found, None)


def paragraphs(reason: Reason, words: Words, width: int) -> list[Line]:
    """What is below the headline: sources of the values, what is accepted, the documentation, the check."""
    lines: list[Line] = []
    for text in sources(reason, words)[:MOST_SOURCES]:
        lines += paragraph(text, width, [Piece("  ")])[:2]
    for key, text in _labelled(reason, words):
        lines += paragraph(text, width, [Piece(f"  {words(key)}{words.colon}", "dim")])[:2]
    return lines


def _labelled(reason: Reason, words: Words) -> Iterator[tuple[str, str]]:
    if reason.accepted and reason.kind != "stated":
        yield "reason_accepted", accepted(reason, words)
    if reason.documented is not None:
        told = reason.documented
        yield "reason_documented", words("reason_quote", name=told.parameter, text=told.sentence)
    if reason.kind in ("guard", "ladder") and reason.outer is not None:
        yield "reason_only_if", _condition(reason.outer, words, "guard")
    if reason.kind in ("guard", "ladder", "match", "search"):
        by = words("reason_in", by=reason.raised_by) if reason.raised_by else ""
        yield "reason_check", f"{_inside(reason.where)}{by}"


def evidence(reason: Reason, words: Words, width: int) -> list[Line]:
    """Below a cause that is known: the check, where its values come from, what it accepts."""
    told = sources(reason, words)
    if reason.kind not in EVIDENCE or not (told or any(v.value for v in reason.values)):
        return []
    head = [Piece(f"  {words('reason_check')}{words.colon}", "dim")]
    lines = paragraph(headline(reason, words), width, head)[:2]
    lines += paragraph(words.semicolon.join(told[:2]), width, [Piece("  ")])[:2] if told else []
    if reason.accepted:
        head = [Piece(f"  {words('reason_accepted')}{words.colon}", "dim")]
        lines += paragraph(accepted(reason, words), width, head)[:1]
    return lines


def sources(reason: Reason, words: Words) -> list[str]:
    """Where the values come from: those that the user gave first, of one call together."""
    order = {"argument": 0, "set": 0, "alike": 1, "default": 1, "assigned": 2}
    told = [each for each in reason.values if each.how and each.where is not None]
    told.sort(key=lambda each: order.get(each.how, 3))
    return list(dict.fromkeys(_source(each, words) for each in told))


def _source(traced: Traced, words: Words) -> str:
    at = place(traced.where) if traced.where is not None else ""
    passed = traced.text in ("", traced.name) and traced.how == "argument"
    key = "reason_from_passed" if passed else f"reason_from_{traced.how}"
    return words(key, name=traced.name, text=traced.text, place=at)


def accepted(reason: Reason, words: Words) -> str:
    return words("reason_or").join(_accepted(each, words) for each in reason.accepted)


def _accepted(each: Accepted, words: Words) -> str:
    text = words(f"accepted_{each.bound}", what=each.what, limit=each.limit)
    if not each.near:
        return text
    return text + words("accepted_near", values=words("reason_or").join(each.near))


def _inside(where: Span) -> str:
    """A place; in an installed library by its path in there."""
    return INSTALLED.sub("", where.path) + f":{where.line}" if INSTALLED.match(where.path) else place(where)
