"""A layer of Code: extensions in C++ and CUDA, in files of their own or as texts given to load_inline,
and how they are built."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.model import Edit, Fix, Hit
from keng.source.native import NATIVE_ENDS, Token, tokens
from keng.source.outdated import Outdated
from keng.tables.removed_cxx_symbols import TOLD

BUILDERS = tuple(
    f"torch.utils.cpp_extension.{name}"
    for name in ("CppExtension", "CUDAExtension", "load", "load_inline", "SyclExtension")
)
SOURCES = ("cpp_sources", "cuda_sources")
ASKED_FOR = re.compile(
    rb"|".join([rb"AT_DISPATCH_", rb"\bTHC?/", rb"\bdata\s*<", *(name.encode() for name in TOLD)])
)


class Call(NamedTuple):
    """A name of a native source with what stands in the parentheses behind it."""

    name: Token
    inside: tuple[Token, ...]
    end: int


class Extensions(Outdated):
    @property
    def is_native(self) -> bool:
        return self.path.lower().endswith(NATIVE_ENDS)

    @cached_property
    def native(self) -> list[list[Token]]:
        """The tokens of the file where it is C++ or CUDA; in Python those of each text that
        load_inline compiles and that is written without escapes. Most headers hold no word that is
        asked for, and none of theirs is told apart."""
        if self.is_native:
            return [list(tokens(self.data))] if ASKED_FOR.search(self.data) else []
        spans = [self._inside(text) for text in self._inline_texts()]
        return [list(tokens(self.data, *span)) for span in spans if span]

    def _inline_texts(self) -> Iterator[ast.Constant]:
        for call in self.calls_to("torch.utils.cpp_extension.load_inline"):
            given = [self.argument(call, name, n) for n, name in enumerate(SOURCES, 1)]
            for value in given:
                ways = value.elts if isinstance(value, ast.List) else [value]
                for way in ways:
                    text = self._constant(way)
                    if text is not None and text in self.parent:
                        yield text

    def _constant(self, node: ast.expr | None) -> ast.Constant | None:
        if isinstance(node, ast.Name):
            node = self.assigned(node)
        return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

    def _inside(self, text: ast.Constant) -> tuple[int, int] | None:
        """The byte range between the quotes of a string that reads as it is written."""
        start, end = self.bounds(text)
        inner = str(text.value).replace("\n", self.newline).encode()
        at = self.data.find(inner, start, end)
        return (at, at + len(inner)) if inner and at >= 0 else None

    def native_names(self) -> Iterator[tuple[list[Token], int, Token]]:
        """Each name of the native sources, with the row that it stands in and its number there."""
        for row in self.native:
            for n, token in enumerate(row):
                if token.kind == "name":
                    yield row, n, token

    def macros(self) -> set[str]:
        """The names that the native sources define themselves."""
        return {
            row[n + 2].text
            for row in self.native
            for n in range(len(row) - 2)
            if row[n].text == "#" and row[n + 1].text == "define"
        }

    def native_calls(self, beginning: str) -> Iterator[Call]:
        """Calls of functions and macros whose names begin so."""
        for row, n, token in self.native_names():
            if token.text.startswith(beginning) and n + 1 < len(row) and row[n + 1].text == "(":
                close = closing(row, n + 1)
                yield Call(token, tuple(row[n + 2 : close]), row[close].end)

    def included(self) -> Iterator[tuple[str, int, int]]:
        """The headers that are included, with their place between the brackets or quotes."""
        for row in self.native:
            for n in range(len(row) - 2):
                if row[n].text != "#" or row[n + 1].text != "include":
                    continue
                if row[n + 2].kind == "text":
                    yield row[n + 2].text.strip('"'), row[n + 2].start + 1, row[n + 2].end - 1
                elif row[n + 2].text == "<":
                    close = next((t for t in row[n + 3 :] if t.text == ">"), None)
                    if close is not None:
                        start = row[n + 2].end
                        yield self.data[start : close.start].decode(), start, close.start

    def typed_data(self) -> Iterator[Token]:
        """The `data` of each `.data<T>()`."""
        for row, n, token in self.native_names():
            after = [t.text for t in row[n + 1 : n + 2]]
            if token.text == "data" and after == ["<"] and n and row[n - 1].text in (".", "->"):
                close = next((m for m in range(n + 2, len(row)) if row[m].text == ">"), len(row))
                if [t.text for t in row[close + 1 : close + 3]] == ["(", ")"]:
                    yield token

    def types_dispatched(self) -> Iterator[Token]:
        """The `type` of each `x.type()` that an AT_DISPATCH macro is given as its type."""
        for call in self.native_calls("AT_DISPATCH_"):
            texts = [t.text for t in call.inside]
            for n in range(1, len(texts) - 2):
                if texts[n - 1] in (".", "->") and texts[n : n + 4] == ["type", "(", ")", ","]:
                    yield call.inside[n]

    def native_hit(self, start: int, end: int, says: str, now: str = "", sure: bool = True) -> Hit:
        """A hit on a byte range of the file, with a fix that writes `now` there."""
        fix = Fix(f"Write {now}", (Edit(start, end, now),), "unsafe") if now else None
        return Hit(says, self.source.span(start, end), {}, fix, sure)

    def build_flags(self) -> Iterator[tuple[ast.Constant, str]]:
        """The texts `-std=...` among the compiler's arguments of extensions, and the standard."""
        for call in self.calls_to(*BUILDERS):
            for text in self._arguments_of(call):
                if isinstance(text.value, str) and text.value.startswith(("-std=", "/std:")):
                    yield text, text.value[5:].strip()

    def _arguments_of(self, call: ast.Call) -> Iterator[ast.Constant]:
        for keyword in call.keywords:
            node: ast.expr | None = keyword.value
            if isinstance(node, ast.Name):
                node = self.assigned(node)
            yield from (n for n in ast.walk(node) if isinstance(n, ast.Constant)) if node else ()


def closing(row: list[Token], opening: int) -> int:
    """The number of the sign that closes a parenthesis; the last one where nothing does."""
    depth = 0
    for n in range(opening, len(row)):
        depth += {"(": 1, ")": -1}.get(row[n].text, 0)
        if depth == 0:
            return n
    return len(row) - 1
