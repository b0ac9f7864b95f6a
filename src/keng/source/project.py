"""The files of one project, read when asked for, and names followed from file to file."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, cast

from keng.model import Blind
from keng.source import versions
from keng.source.code import Code
from keng.source.names import Definition
from keng.source.native import NATIVE_ENDS, SPEAKS_OF_TORCH
from keng.source.text import Source, load, of_text, parse

IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+([^\r\n#]+)|import[ \t]+([^\r\n#]+))", re.M
)
CALLED = re.compile(rb"(\w+)\(")
FOREIGN = frozenset(sys.stdlib_module_names) | {"torch", "numpy", "torchvision"}
"""Packages that no project defines. (A file that shadows one is a pitfall of its own.)"""
EVERYWHERE = frozenset({"__init__", "forward", "__call__", "main", "__getitem__", "__len__"})
"""Names of functions that say nothing about who calls them from another file."""
DEEPEST = 8
"""Re-exports followed before giving up."""


class Found(NamedTuple):
    """Where a dotted name of the project leads: its public name, and the definition if it is one."""

    dotted: str
    definition: Definition | None = None


class Project:
    """Reads files once. `files` are those in which callers are looked for; `roots` the folders that
    imports may start from, besides the file's own; `torch` tells the versions that a file's
    configuration names."""

    def __init__(
        self,
        *roots: str | Path,
        files: Iterable[str | Path] = (),
        torch: Callable[[str], str] = lambda path: "",
    ) -> None:
        self.roots = [Path(root) for root in roots]
        self.files = [Path(file) for file in files]
        self._torch = torch
        self._oldest: dict[tuple[str, str], versions.Version | None] = {}
        self.steps = 0  # from value to value, at this moment
        self._codes: dict[str, Code | Blind] = {}
        self._sources: dict[Path, Source | Blind] = {}
        self._modules: dict[tuple[Path, str], Path | None] = {}
        self._said: dict[tuple[Path, bytes], bool] = {}
        self._callers: dict[int, list[tuple[Code, ast.Call]]] = {}

    def read(self, path: str | Path, text: str | None = None) -> Code | Blind:
        """The code of a file, or why it cannot be read. A file out of torch's sight is not parsed:
        its Code is empty and says `relevant` False."""
        key = str(path)
        if key not in self._codes:
            source = self._source(Path(path)) if text is None else of_text(text, key)
            self._codes[key] = source if isinstance(source, Blind) else self._parsed(source)
        return self._codes[key]

    def _parsed(self, source: Source) -> Code | Blind:
        path = Path(source.path)
        if path.suffix.lower() in NATIVE_ENDS:
            speaks = SPEAKS_OF_TORCH.search(source.data) is not None
            return Code(source, ast.Module([], []), self, path.stem, relevant=speaks)
        if not self._says(b"torch", path, source):
            return Code(source, ast.Module([], []), self, module_name(path), relevant=False)
        tree = parse(source)
        return tree if isinstance(tree, Blind) else Code(source, tree, self, module_name(path))

    def _source(self, path: Path) -> Source | Blind:
        if path not in self._sources:
            self._sources[path] = load(path)
        return self._sources[path]

    def file_of(self, module: str, importer: Path) -> Path | None:
        """The file of a dotted module of this project (relative dots allowed), seen from `importer`."""
        folder = importer.parent
        if (folder, module) not in self._modules:
            self._modules[folder, module] = self._search(module, folder)
        return self._modules[folder, module]

    def _search(self, module: str, folder: Path) -> Path | None:
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module.split(".") if part]
        if not parts or (not dots and parts[0] in FOREIGN):
            return None
        for _ in range(dots - 1):
            folder = folder.parent
        roots = [folder] if dots else self._starts(folder)
        for start in roots:
            there = os.path.join(start, *parts)
            for file in (f"{there}.py", os.path.join(there, "__init__.py")):
                if os.path.isfile(file):
                    return Path(file)
        return None

    def _starts(self, folder: Path) -> list[Path]:
        """The folders that an absolute import may start from, seen from a file in `folder`."""
        return [folder, import_root(folder), *self.roots, *(root / "src" for root in self.roots)]

    def imports(self, path: Path) -> list[Path]:
        """The files of the project that a file imports."""
        source = self._source(path)
        if isinstance(source, Blind):
            return []
        found = (self.file_of(module, path) for module in imported(source.data))
        return list(dict.fromkeys(file for file in found if file is not None))

    def text(self, path: Path) -> str:
        """The text of a file; nothing where it cannot be read."""
        source = self._source(path)
        return "" if isinstance(source, Blind) else source.document

    def follow(self, dotted: str, code: Code, depth: int = 0) -> Found | None:
        """A dotted name as `code` may write it, followed through the project's files; None where it
        does not lead into the project."""
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            file = self.file_of(".".join(parts[:length]), Path(code.path))
            if file is not None and str(file) != code.path:
                there = self.read(file)
                return (
                    self._inside(there, parts[length:], dotted, depth)
                    if isinstance(there, Code)
                    else None
                )
        return None

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
        found = self.follow(dotted, code)
        return found.dotted if found else dotted

    def calls_of(self, function: Definition) -> list[tuple[Code, ast.Call]]:
        """The calls of a function or method in the files of the project."""
        key = id(function.node)
        if key not in self._callers:
            self._callers[key] = []  # for functions that call each other
            self._callers[key] = [
                (code, call)
                for code in self._codes_saying(function)
                for call in code.calls_by_name.get(function.name, ())
                if (found := code.definition(call.func)) is not None and found.node is function.node
            ]
        return self._callers[key]

    def _codes_saying(self, function: Definition) -> Iterator[Code]:
        """The file of a function, and the others that call something of its name."""
        yield function.code
        if function.name in EVERYWHERE:
            return
        for file in self._calling.get(function.name.encode(), ()):
            code = self.read(file) if str(file) != function.code.path else None
            if isinstance(code, Code):
                yield code

    @cached_property
    def _calling(self) -> dict[bytes, list[Path]]:
        """Name -> the files in whose text it is called, torch in their sight."""
        found: dict[bytes, list[Path]] = {}
        for file in self.files:
            source = self._source(file)
            if isinstance(source, Source) and self._says(b"torch", file, source):
                for name in set(CALLED.findall(source.data)):
                    found.setdefault(name, []).append(file)
        return found

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

    def says(self, word: bytes, code: Code) -> bool:
        """Whether a word occurs in a file, or in a file of the project that it imports."""
        return self._says(word, Path(code.path), code.source)

    def _says(self, word: bytes, path: Path, source: Source) -> bool:
        if word in source.data:
            return True
        key = (path, word)
        if key not in self._said:
            self._said[key] = False  # for files that import each other
            self._said[key] = any(
                self._module_says(word, module, path) for module in imported(source.data)
            )
        return self._said[key]

    def _module_says(self, word: bytes, module: str, importer: Path) -> bool:
        file = self.file_of(module, importer)
        source = self._source(file) if file else None
        return isinstance(source, Source) and self._says(word, cast(Path, file), source)


def module_name(path: Path) -> str:
    """The dotted name of a file: packages are folders with an __init__.py."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.name:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.parent.name or "__init__"


def import_root(folder: Path) -> Path:
    """The folder that holds the top package that `folder` belongs to."""
    while (folder / "__init__.py").is_file() and folder.name:
        folder = folder.parent
    return folder


def imported(data: bytes) -> list[str]:
    """Modules that a file imports, read without parsing it."""
    found = []
    for match in IMPORT.finditer(data):
        base, names, modules = ((g or b"").decode("utf-8", "replace") for g in match.groups())
        if base:
            inner = [name.split()[0] for name in names.strip(" ()\\").split(",") if name.strip()]
            found += [
                base,
                *(f"{base}.{name}" if base.strip(".") else base + name for name in inner),
            ]
        else:
            found += [name.split()[0] for name in modules.split(",") if name.strip()]
    return found
