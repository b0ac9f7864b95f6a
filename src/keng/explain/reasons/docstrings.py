"""The sentence about a parameter in a library's own docstring: NumPy, Google, Sphinx and torch styles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc

from keng.explain.reasons.levels import Level
from keng.explain.reasons.source import FUNCTIONS, UNPARSED, Source

LONGEST = 160
MOST_LINES = 8
ROLES = re.compile(r":\w+:`~?\.?([^`]*)`|``([^`]*)``")
ENDS = re.compile(r"(?<=[^.\s])(?<!e\.g)(?<!i\.e)(?<!etc)\.(?:\s|$)")
OPENING = re.compile(r"\s*[rRuU]?(?P<quotes>\"\"\"|''')(?P<text>.*)$", re.DOTALL)


def documentation_of(level: Level, parameter: str, called: str) -> str:
    """What the docstring of the function or class that the user called says of a parameter: its first
    sentence; "" if it says nothing."""
    found = (sentence(text, parameter) for text in _docstrings(level, called))
    return next((text for text in found if text), "")


def _docstrings(level: Level, called: str) -> Iterator[str]:
    source, function = level.source, level.function
    if source is None or function is None:
        return
    if isinstance(function, FUNCTIONS[:2]):
        yield ast.get_docstring(function) or ""
    for name in dict.fromkeys((level.owner, called)):
        if name and source.class_line(name):
            yield _class_docstring(source, name)
            yield _assigned_docstring(source, name)


def _class_docstring(source: Source, name: str) -> str:
    """The text below the header of a class, without the class being parsed."""
    first, end = source.class_lines(name)
    at = first
    while at < end and not source.line(at).endswith(":"):
        at += 1
    while at + 1 < end and not source.line(at + 1):
        at += 1
    return _quoted("".join(source.lines[at : end - 1]))


def _quoted(text: str) -> str:
    opening = OPENING.match(text)
    if opening is None:
        return ""
    return cleandoc(opening["text"].partition(opening["quotes"])[0])


def _assigned_docstring(source: Source, name: str) -> str:
    """`Adam.__doc__ = r'''...''' + ...`, as torch's optimizers have it: the texts that are in it."""
    wanted = re.compile(rf"{re.escape(name)}\.__doc__\s*=")
    line = next((n for n, text in enumerate(source.lines) if wanted.match(text)), None)
    if line is None:
        return ""
    for end in range(line + 1, min(line + 200, len(source.lines)) + 1):
        text = "".join(source.lines[line:end])
        if end < len(source.lines) and source.lines[end].startswith((" ", "\t", ")", "\n")):
            continue
        try:
            tree = ast.parse(text)
        except UNPARSED:
            continue
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        return cleandoc("".join(text for text in texts if isinstance(text, str)))
    return ""


def sentence(docstring: str, parameter: str) -> str:
    """The first sentence about a parameter."""
    lines = cleandoc(docstring).splitlines() if docstring else []
    for number, line in enumerate(lines):
        head = _head(line, parameter)
        if head is None:
            continue
        indent, rest = head
        body = _body(lines[number + 1 :], indent)
        text = _joined(rest, body)
        if text:
            return text
    return ""


def _head(line: str, parameter: str) -> tuple[int, str] | None:
    """The indent of a line that begins the entry of a parameter, and what it says itself."""
    name = rf"`{{0,2}}(?:\w+, ?)*\*{{0,2}}{re.escape(parameter)}(?:, ?\w+)*`{{0,2}}"
    google = re.match(
        rf"(\s*)[-*]?\s*(?::param(?: \w+)? )?{name}\s*(\((?:[^()]|\([^()]*\))*\))?\s*:(.*)$", line
    )
    if google is not None:
        return len(google[1]), google[3].strip()
    numpy = re.match(rf"(\s*){name} ?:(.*)$", line)
    return (len(numpy[1]), numpy[2].strip()) if numpy is not None else None


def _body(lines: list[str], indent: int) -> list[str]:
    body: list[str] = []
    for line in lines[:MOST_LINES]:
        if not line.strip():
            if body:
                break
            continue
        if len(line) - len(line.lstrip()) <= indent:
            break
        body.append(line.strip())
    return body


def _joined(rest: str, body: list[str]) -> str:
    """The first sentence. In NumPy's style the line of the parameter holds its type, not a sentence."""
    types = (
        bool(body)
        and rest
        and not re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,} ", rest)
        and not rest.endswith(".")
    )
    is_type = types and re.match(r"[{\w'\"`]", rest) and not rest.endswith(("(", ","))
    text = " ".join(body) if is_type else " ".join([rest, *body])
    text = ROLES.sub(lambda found: found[1] or found[2], text).strip()
    text = ENDS.split(text, maxsplit=1)[0].strip()
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 3].rsplit(' ', 1)[0]}..."
    return text if len(text) > 3 else ""
