"""Source files, parsed a function at a time: the files of libraries are too large to parse whole."""

from __future__ import annotations

import ast
import linecache
import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, TypeAlias

from keng.explain.ownership.paths import is_user

LARGEST_FILE = 3_000_000
LARGEST_WHOLE = 400_000
"""Bytes of a file that is parsed whole: the user's, and a module's own lines."""
MOST_FILES = 5
"""Library files read for one error."""
MOST_USER_FILES = 8
MOST_ENDS = 40
"""Lines tried as the end of a function."""
HEADER = re.compile(r"(?P<indent>[ \t]*)(?:async[ \t]+)?(?P<kind>def|class)[ \t]+(?P<name>\w+)")
FIELD = re.compile(r"[ \t]+(?!else\b|try\b|finally\b)(\w+)[ \t]*:(?!=)")
CLOSING = (")", "]", "}", "#")
UNPARSED = (SyntaxError, ValueError, RecursionError, MemoryError)

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Header(NamedTuple):
    """The first line of a function or class."""

    line: int
    indent: int
    kind: str
    name: str


class Tree:
    """A parsed file or function. Line and column numbers are those of the file."""

    def __init__(self, root: ast.AST) -> None:
        self.root = root
        self.nodes = list(ast.walk(root))
        self.parents = {c: node for node in self.nodes for c in ast.iter_child_nodes(node)}

    def at(self, line: int) -> list[ast.AST]:
        """The nodes that span a line, outer ones first."""
        return [node for node in self.nodes if _spans(node, line)]

    def function(self, node: ast.AST | None) -> Function | None:
        """The innermost function around a node, which may be the node itself."""
        while node is not None and not isinstance(node, FUNCTIONS):
            node = self.parents.get(node)
        return node

    def statement(self, node: ast.AST) -> ast.stmt | None:
        at: ast.AST | None = node
        while at is not None and not isinstance(at, ast.stmt):
            at = self.parents.get(at)
        return at


def _spans(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", None)
    return first is not None and first <= line <= (getattr(node, "end_lineno", None) or first)


class Source:
    """One file. `user` tells whether it is the user's."""

    def __init__(self, path: str, lines: list[str], user: bool) -> None:
        self.path = path
        self.lines = lines
        self.user = user
        self._trees: dict[int, Tree | None] = {}

    def line(self, number: int) -> str:
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""

    def tree(self, line: int) -> Tree | None:
        """The outermost function around a line, or the whole file."""
        if self.user:
            return self.whole
        functions = [h for h in self.headers(line) if h.kind == "def"]
        if not functions:
            return self.whole
        header = functions[-1]
        if header.line not in self._trees:
            self._trees[header.line] = self._parsed(header)
        tree = self._trees[header.line]
        return tree if tree is not None and tree.at(line) else self.whole

    @cached_property
    def whole(self) -> Tree | None:
        if sum(map(len, self.lines)) > LARGEST_WHOLE:
            return None
        return _parse("".join(self.lines), 0)

    def headers(self, line: int) -> list[Header]:
        """The functions and classes around a line, innermost first, told by indentation."""
        found: list[Header] = []
        lowest = 10_000
        for number in range(min(line, len(self.lines)), 0, -1):
            text = self.lines[number - 1]
            stripped = text.lstrip()
            indent = len(text) - len(stripped)
            if not stripped or stripped.startswith(CLOSING) or indent >= lowest:
                continue
            lowest = indent
            header = HEADER.match(text)
            if header is not None:
                found.append(Header(number, indent, header["kind"], header["name"]))
            if lowest == 0:
                break
        return found

    def owner(self, line: int) -> str:
        """The class whose method holds a line."""
        kinds = self.headers(line)
        after = next((n for n, h in enumerate(kinds) if h.kind == "class"), None)
        return kinds[after].name if after is not None else ""

    def class_line(self, name: str) -> int:
        """The line of a class of that name; 0 if there is none."""
        wanted = re.compile(rf"[ \t]*class[ \t]+{re.escape(name)}\b")
        found = (n for n, text in enumerate(self.lines, 1) if wanted.match(text))
        return next(found, 0)

    def class_lines(self, name: str) -> tuple[int, int]:
        """The first line of a class and the first one below it."""
        first = self.class_line(name)
        if not first:
            return 0, 0
        indent = _indent(self.lines[first - 1])
        return first, next(self._ends(first, indent), len(self.lines) + 1)

    def method(self, owner: str, name: str) -> tuple[Tree, ast.FunctionDef] | None:
        """A method of a class of this file, parsed."""
        first, end = self.class_lines(owner)
        wanted = re.compile(rf"[ \t]+def[ \t]+{re.escape(name)}\b")
        for number in range(first + 1, end) if first else ():
            if wanted.match(self.lines[number - 1]):
                tree = self.tree(number)
                for node in tree.at(number) if tree is not None else ():
                    if isinstance(node, ast.FunctionDef) and node.name == name:
                        return tree, node  # type: ignore[return-value]
        return None

    def fields(self, owner: str) -> list[str]:
        """The attributes that a class annotates in its body, as dataclasses do, in order."""
        first, end = self.class_lines(owner)
        inside = [text for text in self.lines[first : end - 1] if text.strip()] if first else []
        indent = min((_indent(text) for text in inside), default=0)
        found = (FIELD.match(text) for text in inside if _indent(text) == indent)
        return [field[1] for field in found if field is not None]

    def bases(self, owner: str) -> list[str]:
        """The last names of the base classes of a class, as its header has them on its first line."""
        first = self.class_line(owner)
        listed = re.search(r"\(([^()]*)\)", self.lines[first - 1]) if first else None
        names = [part.strip().rpartition(".")[2] for part in listed[1].split(",")] if listed else []
        return [name for name in names if name.isidentifier()]

    def _ends(self, first: int, indent: int) -> Iterator[int]:
        """Lines that may be the first one below a block, nearest first; the last is below the file."""
        for number in range(first + 1, len(self.lines) + 1):
            text = self.lines[number - 1]
            stripped = text.lstrip()
            if stripped and _indent(text) <= indent and not stripped.startswith(CLOSING):
                yield number
        yield len(self.lines) + 1

    def _parsed(self, header: Header) -> Tree | None:
        first = header.line
        while first > 1 and self.line(first - 1).startswith("@"):
            first -= 1
        for tried, end in enumerate(self._ends(header.line, header.indent)):
            text = "".join(self.lines[first - 1 : end - 1])
            tree = _parse(
                text if header.indent == 0 else f"if 1:\n{text}", first - 1 - bool(header.indent)
            )
            if tree is not None:
                return tree
            if tried > MOST_ENDS:
                break
        return None


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _parse(text: str, above: int) -> Tree | None:
    """Parses a text that has so many lines of the file above it."""
    try:
        root = ast.parse(text)
        ast.increment_lineno(root, above)
        return Tree(root)
    except UNPARSED:
        return None


class Sources:
    """The files of one error, each read once, and not more than a few."""

    def __init__(self) -> None:
        self._known: dict[str, Source | None] = {}

    def read(self, path: str) -> Source | None:
        if path not in self._known:
            user = is_user(path)
            read = sum(s is not None and s.user == user for s in self._known.values())
            if read >= (MOST_USER_FILES if user else MOST_FILES):
                return None
            self._known[path] = _read(path, user)
        return self._known[path]

    def all(self) -> list[Source]:
        return [source for source in self._known.values() if source is not None]

    def users(self) -> list[Source]:
        """The user's files that were read."""
        return [source for source in self.all() if source.user]


def _is_small_file(path: str) -> bool:
    """Whether it is Python's and no device or pipe, which a text may name."""
    plain = path.endswith((".py", ".pyw")) and os.path.isfile(path)
    return plain and os.path.getsize(path) <= LARGEST_FILE


def _read(path: str, user: bool) -> Source | None:
    """A file, or the cell of a notebook, which only `linecache` knows."""
    try:
        cell = path.startswith("<") and path in linecache.cache
        if not cell and not _is_small_file(path):
            return None
        linecache.checkcache(path)
        lines = linecache.getlines(path)
    except (OSError, ValueError, MemoryError):
        return None
    return Source(path, lines, user) if lines else None
