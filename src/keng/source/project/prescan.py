"""What the text of a file tells before it is parsed: the modules it imports, and what it calls.

Whatever looks like a call or an import is treated as one, in comments and texts too: this chooses the
files that are worth a parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NO_NAME = re.compile(r"#[^\n]*|[()\\]")
BINDS = re.compile(rb"import\b[ \t]*(\((?:[^)#]|#[^\n]*)*|(?:[^\r\n\\]|\\\r?\n)*)")
"""All that is behind an `import`, over several lines too."""
BEFORE_CALLS = bytes(
    c if chr(c).isalnum() or c in b"_." or c > 127 else 10 if chr(c) == "(" else 32
    for c in range(256)
)
"""Leaves dotted names, ends a line at each opening parenthesis, and puts blanks for the rest."""
INHERITS = re.compile(rb"class[ \t]+\w+[ \t]*\(([^()]*)")
DEFINES = (
    re.compile(rb"def[ \t\\\r\n]+([\w\x80-\xff]+)"),
    re.compile(rb"class[ \t\\\r\n]+([\w\x80-\xff]+)"),
)
RENAMES = re.compile(rb"[ \t]as[ \t\\\r\n]+([\w\x80-\xff]+)")
REGISTERS = re.compile(rb"@[\w.]*?(\w+)\.register")
PUNCTUATION = bytes.maketrans(b"(),.", b"    ")


class Import(NamedTuple):
    """`from module import name as bound`, `import module as bound`, where `name` is empty."""

    module: str
    name: str
    bound: str


class Called(NamedTuple):
    """What looks like a call: `model.head.parameters()` has the root `model` and the name `parameters`;
    the root of `f()` is None, that of `f().g()` is not known: b""."""

    root: bytes | None
    name: bytes


def imports(data: bytes) -> Iterator[Import]:
    """What a file imports, wherever in it."""
    for match in BINDS.finditer(data):
        start = match.start()
        before = data[data.rfind(b"\n", 0, start) + 1 : start].split()
        if not before or (before[0] == b"from" and len(before) == 2):
            module = before[1].decode("utf-8", "replace") if before else ""
            for name, bound in _listed(match[1].decode("utf-8", "replace")):
                yield Import(module, name, bound) if module else Import(name, "", bound)


def _listed(names: str) -> Iterator[tuple[str, str]]:
    """`a as b, c` -> (a, b), (c, c)."""
    for each in NO_NAME.sub(" ", names).split(","):
        if words := each.split():
            yield words[0], words[-1]


def bound(data: bytes) -> set[bytes]:
    """The names that imports bind, and other words near them; b"*" where all of a module is imported."""
    statements = b" ".join(BINDS.findall(data))
    stars = {b"*"} if b"*" in statements else set()
    return stars.union(statements.translate(PUNCTUATION).split())


def calls(data: bytes) -> Iterator[Called]:
    *lines, _ = data.translate(BEFORE_CALLS).split(b"\n")
    for word in {line.rpartition(b" ")[2] for line in lines} - {b""}:
        before, dot, name = word.rpartition(b".")
        yield Called(before.partition(b".")[0] if dot else None, name)


def inherited(data: bytes) -> set[bytes]:
    """The last names of what the classes of a file inherit from."""
    bases = b",".join(INHERITS.findall(data)).split(b",")
    return {base.rpartition(b".")[2].strip() for base in bases}


def defined(data: bytes) -> set[bytes]:
    """The names under which a file may have functions and classes: of definitions and of imports."""
    return {name for pattern in (*DEFINES, RENAMES) for name in pattern.findall(data)}


def registries(data: bytes) -> set[bytes]:
    """The names of the objects that classes or functions of a file are registered with."""
    return set(REGISTERS.findall(data))
