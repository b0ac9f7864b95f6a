"""The parsed files of one project, and what was found out about each."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from keng.model import Skipped
from keng.source.native.tokens import NATIVE_ENDS, SPEAKS_OF_TORCH
from keng.source.project import torch_version as versions
from keng.source.project.files import FOREIGN, Files, Said
from keng.source.project.imports import Imports
from keng.source.project.prescan import bound, calls, inherited, registries
from keng.source.project.torch_reach import TorchReach
from keng.source.text import Source, parse
from keng.source.tree import FUNCTIONS, Definition, Tree

S = TypeVar("S")
EVERYWHERE = frozenset({"__init__", "forward", "__call__", "main", "__getitem__", "__len__"})
"""Names of functions that say nothing about who calls them from another file."""
MANY_FUNCTIONS, MANY_METHODS = 30, 8
"""Files. What is called in more of them is called with all sorts of things, so that nothing is known of a
function by its callers; to read them all would be to read most of a large project for each file. Of a
method, less tells whether it is meant at all."""
MANY_HEIRS = 4
"""Files. A class that more of them inherit from says little about any one of its instances."""
SMALL = 8000
"""Bytes of a file that is parsed without a word of torch in it."""


class Callers(NamedTuple):
    """Name -> the files in which a function of that name may be called, being imported there under one of
    some names, itself or its module, and the files in which a method may be."""

    functions: dict[bytes, dict[str, list[str]]]
    methods: dict[bytes, list[str]]


class Trees:
    """Parses files once, and keeps one object of each subject for each of them. `members` are the files in
    which callers are looked for; `torch` gives the versions that a file's configuration names."""

    def __init__(
        self,
        roots: Iterable[str | Path],
        members: Iterable[str | Path] = (),
        torch: Callable[[str], str] = lambda path: "",
    ) -> None:
        self.members = [str(file) for file in members]
        self.files = Files(roots, self.members)
        self.reach = TorchReach(self.files)
        self.imports = Imports(self.files)
        self._torch = torch
        self._stated: dict[tuple[str, str], versions.Specifiers] = {}
        self._required: versions.Known = {}
        self.steps = 0  # from value to value, at this moment
        self._trees: dict[str, Tree | Skipped] = {}
        self.names: dict[tuple[str, str], str] = {}  # outlive the trees
        self.registered: dict[str, list[Definition]] = {}
        self.held = 0  # bytes of source whose trees are held

    def ask(self, subject: Callable[[Tree, Trees], S], tree: Tree) -> S:
        """The one object of a subject for a file."""
        subjects = tree.subjects
        if subject not in subjects:
            subjects[subject] = subject(tree, self)
        known: S = subjects[subject]
        return known

    def read(self, path: str | Path, text: str | None = None) -> Tree | Skipped:
        """The tree of a file, or why it cannot be read. A file that does not reach torch is not parsed:
        its tree is empty and says `relevant` False."""
        key = str(path)
        if text is not None:
            self.files.override(key, text)
        if key not in self._trees:
            source = self.files.source(key)
            self._trees[key] = source if isinstance(source, Skipped) else self._parsed(source)
        return self._trees[key]

    def read_whole(self, path: str, text: str) -> Tree | Skipped:
        """The tree of a text that replaces what is in a file, also where it does not reach torch."""
        self.files.override(path, text)
        source = self.files.source(path)
        root = source if isinstance(source, Skipped) else parse(source)
        if isinstance(source, Skipped) or isinstance(root, Skipped):
            return cast("Skipped", root)
        tree = self._trees[path] = Tree(source, root, self.files.module_name(path))
        return tree

    def clear(self) -> None:
        """Lets go of everything that was parsed; what is asked for again is parsed again."""
        for tree in self._trees.values():
            if isinstance(tree, Tree):
                # Answers lead from file to file and back: without this, nothing is freed before a collection.
                for subject in tree.subjects.values():
                    getattr(subject, "__dict__", {}).clear()
                vars(tree).clear()
        self._trees.clear()
        self.registered.clear()
        self.held = 0

    def _parsed(self, source: Source) -> Tree | Skipped:
        if source.path.lower().endswith(NATIVE_ENDS):
            name = os.path.splitext(os.path.basename(source.path))[0]
            speaks = SPEAKS_OF_TORCH.search(source.data) is not None
            return Tree(source, ast.Module([], []), name, relevant=speaks)
        name = self.files.module_name(source.path)
        if not self.reach.reaches_torch(source.path):
            return Tree(source, ast.Module([], []), name, relevant=False)
        self.held += len(source.data)
        root = parse(source)
        return root if isinstance(root, Skipped) else Tree(source, root, name)

    def definer(self, file: str) -> Tree | Skipped:
        """The tree of a file that another one imports something from. One without the word torch is parsed
        for that as well where it is small and has classes, such as a meter that is given losses."""
        tree = self.read(file)
        if isinstance(tree, Tree) and not tree.relevant and _may_hold_a_meter(tree):
            root = parse(tree.source)
            if not isinstance(root, Skipped):
                self._trees[file] = Tree(tree.source, root, tree.module, relevant=False)
                self.held += len(tree.data)
        return self._trees[file]

    def files_of_subclasses(self, name: str) -> list[str]:
        files = self._inheriting.get(name.encode(), [])
        return files if len(files) <= MANY_HEIRS else []

    def subclasses_contain(self, word: Said, tree: Tree) -> bool:
        """Whether a word occurs where a class of a file is inherited from, or behind that."""
        homes = (self.files_of_subclasses(owner.name) for owner in tree.nodes(ast.ClassDef))
        return any(self.files.contains(word, file) for files in homes for file in files)

    def registering(self, registry: str) -> Iterator[Tree]:
        """The files that register classes with a registry, by its dotted name; none where there are many."""
        name = registry.rpartition(".")[2].encode()
        files = self._files_registering.get(name, [])
        for file in files if len(files) <= MANY_METHODS else ():
            if isinstance(tree := self.read(file), Tree):
                yield tree

    @cached_property
    def _files_registering(self) -> dict[bytes, list[str]]:
        return self._files_by(registries)

    @cached_property
    def _inheriting(self) -> dict[bytes, list[str]]:
        """Name -> the files in which a class inherits from one of that name."""
        return self._files_by(inherited)

    def _files_by(self, names: Callable[[bytes], Iterable[bytes]]) -> dict[bytes, list[str]]:
        found: dict[bytes, list[str]] = {}
        for file in self._programs:
            for name in names(self.files.text(file)):
                found.setdefault(name, []).append(file)
        return found

    def calling(self, function: Definition) -> Iterator[Tree]:
        """The file of a function, and the others that may call it."""
        yield function.tree
        for file in self._worth_a_look(function):
            other = file != function.tree.path and self._may_mean(function, file)
            tree = self.read(file) if other else None
            if isinstance(tree, Tree):
                yield tree

    def _may_mean(self, function: Definition, file: str) -> bool:
        """Whether a file may call a function by what it imports, or on whatever object, if a method."""
        tree, last = function.tree, function.name
        if tree.enclosing(function.node, ast.ClassDef) is not None:
            return True
        names = self._calling.functions[last.encode()][file]
        return any(self.imports.may_stand_for(tree.path, last, name, file) for name in names)

    def has_many_callers(self, function: Definition) -> bool:
        """Whether more files call a function than are checked: `Types.callers` lacks some of them then."""
        return len(self._worth_a_look(function)) < len(self._files_saying(function)[0])

    def _worth_a_look(self, function: Definition) -> list[str]:
        """Those of the files that may call a function of which one speaks of torch, it or its caller:
        without that it would follow callers through all of a library that uses torch among others."""
        files, most = self._files_saying(function)
        if len(files) > most:
            return []
        if self.reach.says_torch(function.tree.path):
            return files
        return [file for file in files if self.reach.says_torch(file)]

    def _files_saying(self, function: Definition) -> tuple[list[str], int]:
        """The files that may call a function, and how many of them at most are worth a look."""
        if function.name in EVERYWHERE:
            return [], 0
        home = function.tree.enclosing(function.node, ast.ClassDef, *FUNCTIONS)
        if isinstance(home, FUNCTIONS):
            return [], 0  # only this one sees it
        name = function.name.encode()
        if home is None:
            return list(self._calling.functions.get(name, ())), MANY_FUNCTIONS
        return self._calling.methods.get(name, []), MANY_METHODS

    def home_of(self, node: ast.AST) -> Tree | None:
        """The file, of those that were read, that a node is in."""
        trees = (tree for tree in self._trees.values() if isinstance(tree, Tree))
        return next((tree for tree in trees if node in tree.parent), None)

    def learn_callers(self) -> None:
        """Reads all files for what they call and define."""
        _ = self._calling
        for path in self.members:
            self.files.survey(path)

    @cached_property
    def _calling(self) -> Callers:
        found = Callers({}, {})
        for file in self._programs:
            modules = {each.module for each in self.files.names_imported(file)}
            foreign = {module.encode() for module in modules & FOREIGN}
            _add_calls(found, file, self.files.text(file), foreign)
        return found

    @cached_property
    def _programs(self) -> list[str]:
        """The files of Python that have torch in their sight."""
        python = (file for file in self.members if not file.lower().endswith(NATIVE_ENDS))
        return [file for file in python if self.reach.reaches_torch(file)]

    def torch_at_least(self, version: str, path: str) -> bool | None:
        """See `Code.torch_at_least`."""
        oldest = versions.oldest(self.stated_torch(path))
        return None if oldest is None else versions.at_least(oldest, version)

    def stated_torch(self, path: str) -> versions.Specifiers:
        """The versions that a file is written for, as far as anything tells."""
        key = (os.path.dirname(os.path.abspath(path)), self._torch(path))
        if key not in self._stated:
            self._stated[key] = versions.stated(*key, self._required)
        return self._stated[key]


def _may_hold_a_meter(tree: Tree) -> bool:
    unparsed = not tree.is_native and not tree.root.body
    return unparsed and len(tree.data) < SMALL and b"\nclass " in b"\n" + tree.data


def _add_calls(found: Callers, file: str, data: bytes, foreign: set[bytes]) -> None:
    names = bound(data) - foreign
    methods = set()
    for root, name in calls(data):
        if root is not None:
            methods.add(name)
        via = name if root is None else root
        if b"*" in names or via in names:
            files = found.functions.setdefault(name, {})
            files.setdefault(file, []).append(via.decode("utf-8", "replace"))
    for name in methods:
        found.methods.setdefault(name, []).append(file)
