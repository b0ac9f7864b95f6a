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
CHECKED = ("guard", "ladder")
OF_TABLES = ("column", "column_near", "text_columns")
EVIDENCE = (*CHECKED, *OF_TABLES, "division", "key", "index", "operand")
"""Kinds that add something to a cause that is known."""

MOST_SOURCES = 3
LONGEST_PATH = 56
PRIVATE = re.compile(r"\b_[a-z]\w*")
ORDER = {"argument": 0, "set": 0, "derived": 1, "alike": 1, "default": 2, "assigned": 3}
"""Of what a value comes from, that which tells the user most first."""


def headline(reason: Reason, words: Words) -> str:
    """The reason in one sentence."""
    if reason.kind in CHECKED:
        return words(f"reason_{reason.kind}", what=_checked(reason, words))
    limit = reason.outer.text if reason.outer is not None else ""
    key = "key_only" if reason.kind == "key" and not limit else reason.kind
    return words(
        f"reason_{key}",
        about=reason.about,
        by=reason.raised_by,
        said=reason.conditions[0].text if reason.conditions else "",
        limit=limit,
        value=reason.values[0].value if reason.values else "",
        place=_inside(reason.where),
    )


def _checked(reason: Reason, words: Words) -> str:
    """The conditions of a guard, and the values of the names in them."""
    parts = [_condition(each, words, reason.kind) for each in reason.conditions]
    text = (words.comma if reason.kind == "ladder" else words("reason_and")).join(parts)
    values = [_value(each, words) for each in reason.values if _tells(each, reason)]
    return f"{text}{words.colon}{words.comma.join(values)}" if values else text


def _condition(condition: Condition, words: Words, kind: str = "") -> str:
    if kind == "ladder" or (condition.holds and COMPARES.search(condition.text)):
        return f"`{condition.text}`"
    return words("reason_true" if condition.holds else "reason_false", what=condition.text)


def _tells(traced: Traced, reason: Reason) -> bool:
    """Whether the value is not in a condition already: `x is None`, or `flag` is true."""
    said = {each.text for each in (*reason.conditions, *filter(None, [reason.outer]))}
    alone = traced.name in said and traced.value in ("True", "False")
    equal = {f"{traced.name} {sign} {traced.value}" for sign in ("is", "==")}
    return bool(traced.value) and not alone and not equal & said


def _value(traced: Traced, words: Words) -> str:
    return words("reason_value", name=traced.name, value=traced.value)


def place_of(reason: Reason) -> Span | None:
    """The line of the user's that gave the value to a function."""
    return next((each.where for each in _traced(reason) if each.how != "assigned"), None)


def _traced(reason: Reason) -> list[Traced]:
    """Those of the check itself first."""
    found = [each for each in reason.values if each.how and each.where is not None]
    said = " ".join(each.text for each in reason.conditions)
    return sorted(found, key=lambda each: (each.name not in said, ORDER.get(each.how, 9)))


def sources(reason: Reason, seen: Span | None, words: Words) -> list[str]:
    """Where the values come from, one sentence each. `seen` is the place that the screen shows already: a
    path is printed once."""
    said: list[str] = []
    for each in _traced(reason):
        text = words(f"reason_from_{each.how}", name=each.name, text=each.text or each.name)
        said.append(text + at(each.where, seen, words))
        seen = (
            each.where
            if seen is None or each.where is None or each.where.path != seen.path
            else seen
        )
    return list(dict.fromkeys(said))


def at(where: Span | None, seen: Span | None, words: Words) -> str:
    """The place in brackets, as far as it differs from the one that is shown."""
    if where is None or not where.path or (seen is not None and where[:2] == seen[:2]):
        return ""
    same = seen is not None and where.path == seen.path
    return words("reason_at", place=words("reason_line", line=where.line) if same else place(where))


def details(reason: Reason, seen: Span | None, words: Words, width: int) -> Iterator[Line]:
    """What is below the headline: sources of the values, what is accepted, documentation, the check."""
    for text in sources(reason, seen, words)[:MOST_SOURCES]:
        yield from cut(paragraph(text, width, [Piece("  ")]), 2)
    for key, text in _labelled(reason, seen, words):
        head = [Piece(f"  {words(key)}{words.colon}", "dim")]
        yield from cut(paragraph(text, width, head), 2)


def _labelled(reason: Reason, seen: Span | None, words: Words) -> Iterator[tuple[str, str]]:
    if reason.accepted:
        yield "reason_accepted", accepted(reason, words)
    if reason.documented is not None:
        told = reason.documented
        yield "reason_documented", words("reason_quote", name=told.parameter, text=told.sentence)
    if reason.kind in CHECKED and reason.outer is not None:
        yield "reason_only_if", _condition(reason.outer, words)
    if reason.kind in (*CHECKED, "match", "search"):
        by = words("reason_in", by=reason.raised_by) if reason.raised_by else ""
        here = (
            ""
            if reason.live or reason.excerpt or not INSTALLED.match(reason.where.path)
            else words("reason_installed")
        )
        same = seen is not None and seen.path == reason.where.path
        at = words("reason_line", line=reason.where.line) if same else _inside(reason.where)
        yield "reason_check", f"{at}{by}{here}"


def evidence(reason: Reason, seen: Span | None, words: Words, width: int) -> Iterator[Line]:
    """Below a cause that is known: the check, where its values come from, what it accepts."""
    told = sources(reason, seen, words)
    known = told or reason.kind in OF_TABLES or any(each.value for each in reason.values)
    if reason.kind not in EVIDENCE or not known:
        return
    said = _checked(reason, words) if reason.kind in CHECKED else headline(reason, words)
    said = "" if reason.kind == "operand" else said
    if not told and PRIVATE.search(said):
        return  # the state of a library's object, which its user neither sees nor gives
    given = words.semicolon.join(told[:2])
    limits = accepted(reason, words) if reason.accepted else ""
    for key, text in (("check", said), ("given", given), ("accepted", limits)):
        if text:
            head = [Piece(f"  {words(f'reason_{key}')}{words.colon}", "dim")]
            yield from cut(paragraph(text, width, head), 2)


def accepted(reason: Reason, words: Words) -> str:
    return words("reason_or").join(_accepted(each, words) for each in reason.accepted)


def _accepted(each: Accepted, words: Words) -> str:
    text = words(f"accepted_{each.bound}", what=each.what, limit=each.limit)
    if not each.near:
        return text
    return text + words("accepted_near", values=words("reason_or").join(each.near))


def _inside(where: Span) -> str:
    """A place; in an installed library by its path in there, a long one by its ends."""
    if INSTALLED.match(where.path) is None:
        return place(where)
    path = INSTALLED.sub("", where.path)
    parts = re.split(r"[/\\]", path)
    if len(path) > LONGEST_PATH and len(parts) > 3:
        path = "/".join([parts[0], "...", parts[-1]])
    return f"{path}:{where.line}"


def absent(reason: Reason, words: Words) -> str:
    """Which library has the line that raised an error, if it is not here as the traceback shows it."""
    if reason.kind != "absent" or INSTALLED.match(reason.where.path) is None:
        return ""
    inside = _inside(reason.where)
    library = re.split(r"[/\\]", inside)[0].removesuffix(".py")
    return words("reason_absent", place=inside, library=library.partition(":")[0])


def tells_more(reason: Reason) -> bool:
    """Whether values or what they come from are known, which the traceback does not show."""
    told = any(each.how in ORDER for each in reason.values)
    return told or any(_tells(each, reason) for each in reason.values)


def cut(lines: list[Line], most: int) -> list[Line]:
    """The first lines; that more was said is shown in place of the last words."""
    if len(lines) <= most or most < 1:
        return lines[: max(most, 0)]
    *before, last = lines[most - 1]
    kept = last.text[:-4].rpartition(" ")[0] or last.text
    return [*lines[: most - 1], [*before, Piece(f"{kept} ...", last.style)]]
