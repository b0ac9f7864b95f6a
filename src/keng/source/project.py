"""The files of one project, read when asked for, and names followed from file to file."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, cast

from keng.model import Blind
from keng.source import versions
from keng.source.code import Code
from keng.source.files import FOREIGN
from keng.source.glances import bound, calls, inherited, registries
from keng.source.index import FUNCTIONS
from keng.source.leading import Leading
from keng.source.names import Definition
from keng.source.native import NATIVE_ENDS, SPEAKS_OF_TORCH
from keng.source.text import Source, parse

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
DEEPEST = 8
"""Re-exports followed before giving up."""


class Found(NamedTuple):
    """Where a dotted name of the project leads: its public name, and the definition if it is one."""

    dotted: str
    definition: Definition | None = None


class Callers(NamedTuple):
    """Name -> the files in which a function of that name may be called, being imported there under one of
    some names, itself or its module, and the files in which a method may be."""

    functions: dict[bytes, dict[str, list[str]]]
    methods: dict[bytes, list[str]]


class Project(Leading):
    """Parses files once. `files` are those in which callers are looked for; `torch` tells the versions
    that a file's configuration names."""

    def __init__(
        self,
        *roots: str | Path,
        files: Iterable[str | Path] = (),
        torch: Callable[[str], str] = lambda path: "",
    ) -> None:
        super().__init__(roots)
        self.files = [str(file) for file in files]
        self._torch = torch
        self._oldest: dict[tuple[str, str], versions.Version | None] = {}
        self.steps = 0  # from value to value, at this moment
        self._codes: dict[str, Code | Blind] = {}
        self._named: dict[tuple[str, str], str] = {}
        self._calls: dict[tuple[int, str], list[ast.Call]] = {}
        self._heirs: dict[ast.AST, list[Definition]] = {}
        self._registered: dict[str, list[Definition]] = {}
        self.held = 0  # bytes of source whose trees are held

    def read(self, path: str | Path, text: str | None = None) -> Code | Blind:
        """The code of a file, or why it cannot be read. A file out of torch's sight is not parsed:
        its Code is empty and says `relevant` False."""
        key = str(path)
        if text is not None:
            self.give(key, text)
        if key not in self._codes:
            source = self.source(key)
            self._codes[key] = source if isinstance(source, Blind) else self._parsed(source)
        return self._codes[key]

    def forget(self) -> None:
        """Lets go of everything that was parsed; what is asked for again is parsed again."""
        for code in self._codes.values():
            if isinstance(code, Code):
                vars(code).clear()  # what was found out of files leads from one to another and back
        self._codes.clear()
        self._calls.clear()
        self._heirs.clear()
        self._registered.clear()
        self.held = 0

    def _parsed(self, source: Source) -> Code | Blind:
        if source.path.lower().endswith(NATIVE_ENDS):
            name = os.path.splitext(os.path.basename(source.path))[0]
            speaks = SPEAKS_OF_TORCH.search(source.data) is not None
            return Code(source, ast.Module([], []), self, name, relevant=speaks)
        name = self.module_name(source.path)
        if not self.sees_torch(source.path):
            return Code(source, ast.Module([], []), self, name, relevant=False)
        self.held += len(source.data)
        tree = parse(source)
        return tree if isinstance(tree, Blind) else Code(source, tree, self, name)

    def follow(self, dotted: str, code: Code, depth: int = 0) -> Found | None:
        """A dotted name as `code` may write it, followed through the project's files; None where it
        does not lead into the project."""
        file, names = self._leads_into(dotted, code.path)
        there = self._holder(file) if file else None
        return self._inside(there, names, dotted, depth) if isinstance(there, Code) else None

    def _holder(self, file: str) -> Code | Blind:
        """A file that another one takes something from. One that never says torch is parsed for that as
        well where it may hold but a class or two, such as a meter that is given losses."""
        code = self.read(file)
        if isinstance(code, Code) and not code.relevant and _may_hold_a_meter(code):
            tree = parse(code.source)
            if not isinstance(tree, Blind):
                self._codes[file] = Code(code.source, tree, self, code.module, relevant=False)
                self.held += len(code.data)
        return self._codes[file]

    def _leads_into(self, dotted: str, path: str) -> tuple[str, list[str]]:
        """The other file that defines or imports what a dotted name of a file means, and the names that
        lead on from there; no file where that is not the project's."""
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            file = self.file_of(".".join(parts[:length]), path)
            if file is not None and file != path:
                return file, parts[length:]
        return "", []

    def _inside(self, there: Code, names: list[str], dotted: str, depth: int) -> Found | None:
        bound = there.scopes[there.tree].bindings.get(names[0], [])
        if len(bound) != 1 or depth > DEEPEST:
            return Found(dotted) if bound else None
        binding = bound[0]
        rest = names[1:]
        if binding.how == "import":
            target = ".".join([binding.dotted, *rest])
            return self.follow(target, there, depth + 1) or Found(target)
        if binding.how in ("def", "class"):
            node = there.member(cast(ast.ClassDef, binding.node), rest)
            return Found(dotted, Definition(there, node)) if node is not None else Found(dotted)
        if (
            binding.how == "assign"
            and not binding.path
            and isinstance(binding.value, (ast.Name, ast.Attribute))
        ):
            return Found(".".join([there.resolve(binding.value) or dotted, *rest]))
        return Found(dotted)

    def public(self, dotted: str, code: Code) -> str:
        """A dotted name with the project's own re-exports followed to where they lead."""
        if dotted.startswith(("torch", "numpy")):
            return dotted
        return self.name_of(dotted, code) or dotted

    def name_of(self, dotted: str, code: Code) -> str:
        """The name of what `follow` finds, "" where it finds nothing. It outlives the trees, so that no
        file is parsed again for its names alone."""
        file, _ = self._leads_into(dotted, code.path)
        if file and (file, dotted) not in self._named:
            found = self.follow(dotted, code)
            self._named[file, dotted] = found.dotted if found else ""
        return self._named.get((file, dotted), "")

    def calls_of(self, function: Definition) -> Iterator[tuple[Code, ast.Call]]:
        """The calls of a function or method in the files of the project, and those of its class where it
        is a constructor."""
        for code in self._codes_saying(function):
            for call in self._calls_in(code, function):
                yield code, call
        owner = function.code.parent.get(function.node)
        if function.name == "__init__" and isinstance(owner, ast.ClassDef):
            yield from self._makings(Definition(function.code, owner))

    def _makings(self, owner: Definition, depth: int = DEEPEST) -> Iterator[tuple[Code, ast.Call]]:
        """The calls that the constructor of a class gets its arguments from: those of the class, of
        heirs that have no other or hand on what theirs is given, and what the others call it with."""
        yield from self.calls_of(owner)
        for heir in self.heirs(owner) if depth else ():
            upward = heir.code.constructs_parent(heir.node)
            if upward is None:
                yield from self._makings(heir, depth - 1)
            else:
                yield from ((heir.code, call) for call in upward)

    def heirs(self, owner: Definition) -> list[Definition]:
        """The classes of the project that inherit from one directly; none where there are many."""
        if owner.node not in self._heirs:
            self._heirs[owner.node] = list(self._heirs_of(owner))
        return self._heirs[owner.node]

    def _heirs_of(self, owner: Definition) -> Iterator[Definition]:
        home = owner.code.path
        for file in dict.fromkeys([home, *self._homes_of_heirs(owner.name)]):
            if isinstance(code := self.read(file), Code):
                classes = [(each, code.bases(each)) for each in code.of(ast.ClassDef)]
                heirs = [each for each, bases in classes if owner.node in {b.node for b in bases}]
                yield from (Definition(code, each) for each in heirs)

    def _homes_of_heirs(self, name: str) -> list[str]:
        files = self._inheriting.get(name.encode(), [])
        return files if len(files) <= MANY_HEIRS else []

    def registered(self, registry: str) -> list[Definition]:
        """The classes that `@registry.register(...)` stands over, of a registry by its dotted name; none
        where there are many files of them."""
        if registry not in self._registered:
            name = registry.rpartition(".")[2].encode()
            files = self._registering.get(name, [])
            codes = [self.read(file) for file in files] if len(files) <= MANY_METHODS else []
            self._registered[registry] = [
                Definition(code, node)
                for code in codes
                if isinstance(code, Code)
                for node in code.of(ast.ClassDef)
                if registry in map(code.registry_of, node.decorator_list)
            ]
        return self._registered[registry]

    @cached_property
    def _registering(self) -> dict[bytes, list[str]]:
        return self._files_by(registries)

    def heirs_say(self, word: bytes, code: Code) -> bool:
        """Whether a word occurs where a class of a file is inherited from, or behind that."""
        homes = (self._homes_of_heirs(owner.name) for owner in code.of(ast.ClassDef))
        return any(self.says(word, file) for files in homes for file in files)

    @cached_property
    def _inheriting(self) -> dict[bytes, list[str]]:
        """Name -> the files in which a class inherits from one of that name."""
        return self._files_by(inherited)

    def _files_by(self, names: Callable[[bytes], Iterable[bytes]]) -> dict[bytes, list[str]]:
        found: dict[bytes, list[str]] = {}
        for file in self._programs:
            for name in names(self.text(file)):
                found.setdefault(name, []).append(file)
        return found

    def _calls_in(self, code: Code, function: Definition) -> list[ast.Call]:
        key = (id(function.node), code.path)
        if key not in self._calls:
            self._calls[key] = []  # for functions that call each other
            self._calls[key] = [
                call
                for call in code.calls_by_name.get(function.name, ())
                if (found := code.definition(call.func)) is not None and found.node is function.node
            ]
        return self._calls[key]

    def _codes_saying(self, function: Definition) -> Iterator[Code]:
        """The file of a function, and the others that may call it."""
        yield function.code
        for file in self._worth_a_look(function):
            other = file != function.code.path and self._may_mean(function, file)
            code = self.read(file) if other else None
            if isinstance(code, Code):
                yield code

    def _may_mean(self, function: Definition, file: str) -> bool:
        """Whether a file may call a function by what it imports, or on whatever object, if a method."""
        code, last = function.code, function.name
        if code.around(function.node, ast.ClassDef) is not None:
            return True
        names = self._calling.functions[last.encode()][file]
        return any(self.may_stand_for(code.path, last, name, file) for name in names)

    def is_called_widely(self, function: Definition) -> bool:
        """Whether more files call a function than are looked at: `calls_of` lacks some of them then."""
        return len(self._worth_a_look(function)) < len(self._files_saying(function)[0])

    def _worth_a_look(self, function: Definition) -> list[str]:
        """Those of the files that may call a function of which one speaks of torch, it or its caller:
        else it would go on from caller to caller through all of a library that torch is one of many for."""
        files, most = self._files_saying(function)
        if len(files) > most:
            return []
        if self.says_torch(function.code.path):
            return files
        return [file for file in files if self.says_torch(file)]

    def _files_saying(self, function: Definition) -> tuple[list[str], int]:
        """The files that may call a function, and how many of them at most are worth a look."""
        if function.name in EVERYWHERE:
            return [], 0
        home = function.code.around(function.node, ast.ClassDef, *FUNCTIONS)
        if isinstance(home, FUNCTIONS):
            return [], 0  # only this one sees it
        name = function.name.encode()
        if home is None:
            return list(self._calling.functions.get(name, ())), MANY_FUNCTIONS
        return self._calling.methods.get(name, []), MANY_METHODS

    def home_of(self, node: ast.AST) -> Code | None:
        """The file, of those that were read, that a node stands in."""
        codes = (code for code in self._codes.values() if isinstance(code, Code))
        return next((code for code in codes if node in code.parent), None)

    def anyone_says(self, word: bytes) -> bool:
        """Whether a word occurs in any file of the project."""
        return any(word in self.text(file) for file in self.files)

    def learn_callers(self) -> None:
        """Reads all files for what they call."""
        _ = self._calling

    @cached_property
    def _calling(self) -> Callers:
        found = Callers({}, {})
        for file in self._programs:
            modules = {each.module for each in self.names_imported(file)}
            foreign = {module.encode() for module in modules & FOREIGN}
            _add_calls(found, file, self.text(file), foreign)
        return found

    @cached_property
    def _programs(self) -> list[str]:
        """The files of Python that have torch in their sight."""
        python = (file for file in self.files if not file.lower().endswith(NATIVE_ENDS))
        return [file for file in python if self.sees_torch(file)]

    def torch_at_least(self, version: str, path: str) -> bool | None:
        """See `Code.torch_at_least`."""
        oldest = self.oldest_torch(path)
        return None if oldest is None else versions.at_least(oldest, version)

    def oldest_torch(self, path: str) -> versions.Version | None:
        """The oldest version that a file is written for, as far as anything tells."""
        key = (os.path.dirname(os.path.abspath(path)), self._torch(path))
        if key not in self._oldest:
            self._oldest[key] = versions.oldest(*key)
        return self._oldest[key]


def _may_hold_a_meter(code: Code) -> bool:
    unparsed = not code.is_native and not code.tree.body
    return unparsed and len(code.data) < SMALL and b"\nclass " in b"\n" + code.data


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
