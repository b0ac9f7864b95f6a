"""What of a program nothing in it comes to: the functions and classes that nobody says the name of."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from keng.source.project.files import PACKAGE, Files
from keng.source.project.imports import bound_by

PACKAGED = ("setup.py", "setup.cfg", "pyproject.toml")
"""Files of what others install, whose functions are there for them."""
DEFINES = re.compile(rb"(?m)^(?:async[ \t]+def|def|class)[ \t]+(\w+)")
STANDS_AT_THE_TOP = re.compile(rb"(?m)^(?![#)\]}\s])(?!(?:async[ \t]+def|def|class)\b).")
IMPORTS = re.compile(rb"(?m)^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*\)|(?:\\\n|[^\n])*)")
RUNS = re.compile(rb"(?m)^(?:if[ \t]+__name__\b|(?:for|while|with)\b|\w[\w.]*\()")
"""At the top of a file that does more than to define."""
MAIN = re.compile(rb"(?m)^if[ \t]+__name__[ \t]*==")
IS_PROGRAM = re.compile(
    rb"argparse|sys\.argv|\bclick\b|\bfire\b|hydra|absl|\.save\(|DataLoader|yaml|json"
)
"""In a file that does something of use where it is run, and is no module with a trial below it."""
LOOKS_UP = re.compile(
    rb"""\bgetattr\((?P<of>\w+)[\w.]*,[ \t]*(?!["'])|\b(?P<in>\w+)\.__dict__|\bglobals\(\)|(?<![.\w])eval\("""
)
"""Where a name that is put together at run time may stand for a function or class of a module."""
LOADS_BY_NAME = re.compile(
    rb"import_module\(|__import__\(|pkgutil|\b(?:import|from) hydra|importlib\.util"
)
"""In a program that comes to files which no statement imports, or to classes that its configuration names."""
TRIAL = b"__main__"
"""The block that runs only where its file is a program, if it tries the file's definitions out."""
Named = tuple[str, bytes]
"""A definition: its file and its name."""


class Block(NamedTuple):
    """What begins at a place at the top of a file: a definition by its name, other statements without one."""

    start: int
    name: bytes


class Uses:
    """Which functions and classes at the top of files a program comes to, by what its files say. Where the
    text leaves it open, they are used."""

    def __init__(self, files: Files, members: Sequence[str]) -> None:
        self._files = files
        self._members = members
        self._blocks: dict[str, list[Block]] = {}
        self._looking: dict[str, bool] = {}
        self._known: dict[Named, bool] = {}

    def is_used(self, path: str, name: bytes) -> bool:
        """Whether a statement at the top of a file, or a definition that is used, says a name."""
        seen = set[Named]()
        used = self._is_reached((path, name), seen)
        if not used:
            self._known.update(dict.fromkeys(seen, False))
        return used

    def _is_reached(self, named: Named, seen: set[Named]) -> bool:
        """`seen` are those asked for on the way here: what only they say is not used yet."""
        if named in self._known or named in seen:
            return self._known.get(named, False)
        seen.add(named)
        if self._is_used(*named, seen):
            self._known[named] = True
            return True
        return False

    def is_open(self, path: str) -> bool:
        """Whether a file that no other imports may be imported from elsewhere or by its name: it only
        defines, and no file of the project runs without it."""
        if self._files.importers(path) or runs(self._files.text(path)):
            return False
        return not self._has_program or self._loads_by_name

    @cached_property
    def _has_program(self) -> bool:
        """Whether a file of the project that is run imports others of it."""
        return any(
            runs(self._files.text(member)) and self._files.imports(member)
            for member in self._members
        )

    @cached_property
    def _loads_by_name(self) -> bool:
        return any(loads_by_name(self._files.text(member)) for member in self._members)

    def _is_used(self, path: str, name: bytes, seen: set[Named]) -> bool:
        importers = self._files.importers(path)
        if _is_packaged(path) and not name.startswith(b"_"):
            return True  # those who install it may use it
        if any(map(self._looks_up, (path, *importers))) or self.is_open(path):
            return True
        own = [file for file in importers if not self._defines(file, name)]
        return any(
            not block or (block not in (name, TRIAL) and self._is_reached((file, block), seen))
            for file in (path, *own)
            for block in self._mentions(file, name)
        )

    def _looks_up(self, file: str) -> bool:
        """Whether a file asks a module that it imports for a name that is put together at run time."""
        if file not in self._looking:
            text = self._files.text(file)
            found = {match["of"] or match["in"] for match in LOOKS_UP.finditer(text)}
            imported = self._files.names_imported(file) if found else ()
            modules = {bound_by(each).encode() for each in imported}
            self._looking[file] = None in found or not found.isdisjoint(modules)
        return self._looking[file]

    def _defines(self, file: str, name: bytes) -> bool:
        return any(block.name == name for block in self._blocks_of(file))

    def _mentions(self, file: str, name: bytes) -> Iterator[bytes]:
        """The blocks of a file in which a name is said. Neither a comment nor an import uses what it names,
        but one under another name may."""
        text = self._files.text(file)
        imports = [match.span() for match in IMPORTS.finditer(text)] if name in text else []
        for found in re.finditer(rb"\b%s\b" % re.escape(name), text):
            at = bisect_right(imports, (found.start(), len(text))) - 1
            imported = at >= 0 and found.start() < imports[at][1]
            handed_on = file.endswith(PACKAGE) and self.is_open(file)
            if imported and (handed_on or re.match(rb"[ \t]+as\b", text[found.end() :])):
                yield b""
            elif not imported and not _is_comment(text, found.start()):
                yield self._block_at(file, found.start())

    def _block_at(self, file: str, place: int) -> bytes:
        blocks = self._blocks_of(file)
        at = bisect_right(blocks, place, key=lambda block: block.start) - 1
        return blocks[at].name if at >= 0 else b""

    def _blocks_of(self, file: str) -> list[Block]:
        if file not in self._blocks:
            self._blocks[file] = list(self._found_blocks(file))
        return self._blocks[file]

    def _found_blocks(self, file: str) -> Iterator[Block]:
        """The blocks of a file, in order. What is decorated may be registered and belongs to the file."""
        text = self._files.text(file)
        trial = bool(self._files.importers(file)) and not IS_PROGRAM.search(text)
        found = [(match.start(), match[1]) for match in DEFINES.finditer(text)]
        found += [(match.start(), b"") for match in STANDS_AT_THE_TOP.finditer(text)]
        decorated = False
        for start, name in sorted(found):
            tried = trial and MAIN.match(text, start)
            yield Block(start, TRIAL if tried else b"" if decorated else name)
            decorated = text.startswith(b"@", start)


def runs(text: bytes) -> bool:
    """Whether a file does more than to define."""
    return RUNS.search(text) is not None


def loads_by_name(text: bytes) -> bool:
    """Whether a file comes to others that it does not import by a statement, or hands names to what does."""
    return LOADS_BY_NAME.search(text) is not None


def _is_comment(text: bytes, place: int) -> bool:
    return b"#" in text[text.rfind(b"\n", 0, place) + 1 : place]


def _is_packaged(path: str) -> bool:
    """Whether a folder above a file says how it is installed."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        if any(os.path.isfile(os.path.join(folder, name)) for name in PACKAGED):
            return True
        above = os.path.dirname(folder)
        if above == folder or os.path.isdir(os.path.join(folder, ".git")):
            return False
        folder = above
