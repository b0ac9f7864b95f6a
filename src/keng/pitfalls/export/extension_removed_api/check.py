"""Source code: an extension in C++ or CUDA uses what PyTorch no longer has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Edit, Fix, Hit, Hits, Severity, say
from keng.rules import finds
from keng.source import Code
from keng.source.code import once_per_file
from keng.source.native.tokens import Token, tokens
from keng.tables.removed_cxx_symbols import HEADERS, TOLD

SOURCES = ("cpp_sources", "cuda_sources")
ASKED_FOR = re.compile(
    rb"|".join([rb"AT_DISPATCH_", rb"\bTHC?/", rb"\bdata\s*<", *(name.encode() for name in TOLD)])
)


class Call(NamedTuple):
    """A name of a native source with what is in the parentheses behind it."""

    name: Token
    inside: tuple[Token, ...]
    end: int


@finds(fixes=True)
def gone_name(code: Code) -> Hits:
    defined = _macros(code)
    for _, _, token in _native_names(code):
        old = TOLD.get(token.text)
        if old is not None and token.text not in defined:
            says = say("name-outdated", name=token.text, new=old.new)
            if old.gone and not old.new:
                says = say("state-removed", name=token.text)
            elif old.gone:
                says = say("name-removed", name=token.text, new=old.new)
            level = _level(code) if old.gone else "hint"
            yield _native_hit(code, token.start, token.end, says, old.written, old.gone, level)


@finds(fixes=True)
def gone_header(code: Code) -> Hits:
    for header, start, end in _included(code):
        if header.startswith(("THC/", "TH/")):
            now, says = HEADERS.get(header, ""), say("unknown-header-removed", header=header)
            if now:
                says = say("header-removed", header=header, new=now.removeprefix("= "))
            new = now[2:] if now.startswith("= ") else ""
            yield _native_hit(code, start, end, says, new, level=_level(code))


@finds(fixes=True)
def type_in_place_of_scalar_type(code: Code) -> Hits:
    for token in _types_dispatched(code):
        says = say("scalar-type-needed")
        yield _native_hit(code, token.start, token.end, says, "scalar_type")


@finds(fixes=True)
def typed_data(code: Code) -> Hits:
    for token in _typed_data(code):
        says = say("data-of-tensor")
        yield _native_hit(code, token.start, token.end, says, "data_ptr", level="hint")


def _level(code: Code) -> Severity | None:
    """What went with THC is a hint where the program may not use a torch without it."""
    return None if code.torch_may_be("1.11") else "hint"


@once_per_file
def _native(code: Code) -> list[list[Token]]:
    """The tokens of the file where it is C++ or CUDA; in Python those of each text that
    load_inline compiles and that is written without escapes. Most headers hold no word that is
    asked for, and none of theirs is distinguished."""
    if code.tree.is_native:
        return [list(tokens(code.tree.data))] if ASKED_FOR.search(code.tree.data) else []
    spans = [_inside(code, text) for text in _inline_texts(code)]
    return [list(tokens(code.tree.data, *span)) for span in spans if span]


def _inline_texts(code: Code) -> Iterator[ast.Constant]:
    for call in code.calls.calls_to("torch.utils.cpp_extension.load_inline"):
        given = [code.calls.argument(call, name, n) for n, name in enumerate(SOURCES, 1)]
        for value in given:
            ways = value.elts if isinstance(value, ast.List) else [value]
            for way in ways:
                text = _constant(code, way)
                if text is not None and text in code.tree.parent:
                    yield text


def _constant(code: Code, node: ast.expr | None) -> ast.Constant | None:
    if isinstance(node, ast.Name):
        node = code.flow.assigned_value(node)
    return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _inside(code: Code, text: ast.Constant) -> tuple[int, int] | None:
    """The byte range between the quotes of a string that reads as it is written."""
    start, end = code.tree.bounds(text)
    inner = str(text.value).replace("\n", code.edits.newline).encode()
    at = code.tree.data.find(inner, start, end)
    return (at, at + len(inner)) if inner and at >= 0 else None


def _native_names(code: Code) -> Iterator[tuple[list[Token], int, Token]]:
    """Each name of the native sources, with the row that it stands in and its number there."""
    for row in _native(code):
        for n, token in enumerate(row):
            if token.kind == "name":
                yield row, n, token


def _macros(code: Code) -> set[str]:
    """The names that the native sources define themselves."""
    return {
        row[n + 2].text
        for row in _native(code)
        for n in range(len(row) - 2)
        if row[n].text == "#" and row[n + 1].text == "define"
    }


def _native_calls(code: Code, beginning: str) -> Iterator[Call]:
    """Calls of functions and macros whose names begin so."""
    for row, n, token in _native_names(code):
        if token.text.startswith(beginning) and n + 1 < len(row) and row[n + 1].text == "(":
            close = _closing(row, n + 1)
            yield Call(token, tuple(row[n + 2 : close]), row[close].end)


def _included(code: Code) -> Iterator[tuple[str, int, int]]:
    """The headers that are included, with their place between the brackets or quotes."""
    for row in _native(code):
        for n in range(len(row) - 2):
            if row[n].text != "#" or row[n + 1].text != "include":
                continue
            if row[n + 2].kind == "text":
                yield row[n + 2].text.strip('"'), row[n + 2].start + 1, row[n + 2].end - 1
            elif row[n + 2].text == "<":
                close = next((t for t in row[n + 3 :] if t.text == ">"), None)
                if close is not None:
                    start = row[n + 2].end
                    yield code.tree.data[start : close.start].decode(), start, close.start


def _typed_data(code: Code) -> Iterator[Token]:
    """The `data` of each `.data<T>()`."""
    for row, n, token in _native_names(code):
        after = [t.text for t in row[n + 1 : n + 2]]
        if token.text == "data" and after == ["<"] and n and row[n - 1].text in (".", "->"):
            close = next((m for m in range(n + 2, len(row)) if row[m].text == ">"), len(row))
            if [t.text for t in row[close + 1 : close + 3]] == ["(", ")"]:
                yield token


def _types_dispatched(code: Code) -> Iterator[Token]:
    """The `type` of each `x.type()` that an AT_DISPATCH macro is given as its type."""
    for call in _native_calls(code, "AT_DISPATCH_"):
        texts = [t.text for t in call.inside]
        for n in range(1, len(texts) - 2):
            if texts[n - 1] in (".", "->") and texts[n : n + 4] == ["type", "(", ")", ","]:
                yield call.inside[n]


def _native_hit(
    code: Code,
    start: int,
    end: int,
    says: str,
    now: str = "",
    sure: bool = True,
    level: Severity | None = None,
) -> Hit:
    """A hit on a byte range of the file, with a fix that writes `now` there."""
    fix = Fix(say("write-new", new=now), (Edit(start, end, now),), "unsafe") if now else None
    return Hit(says, code.source.span(start, end), {}, fix, sure, level, once=True)


def _closing(row: list[Token], opening: int) -> int:
    """The number of the sign that closes a parenthesis; the last one where nothing does."""
    depth = 0
    for n in range(opening, len(row)):
        depth += {"(": 1, ")": -1}.get(row[n].text, 0)
        if depth == 0:
            return n
    return len(row) - 1
