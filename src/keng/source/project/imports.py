"""Whether a name in one file may stand for something in another, told by what the files import."""

from __future__ import annotations

import os
from collections.abc import Iterator

from keng.source.project.files import PACKAGE, Files, absolute, below
from keng.source.project.prescan import Import

ANY = ""


class Imports:
    """Follows imports as `Project.follow` does, but parses nothing for it."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._modules_of: dict[str, str] = {}
        self._by_name: dict[str, dict[str, list[Import]]] = {}
        self._known: dict[tuple[str, str, str, str], bool] = {}

    def may_stand_for(self, target: str, last: str, name: str, path: str) -> bool:
        """Whether `name` in a file, or its attribute `last`, may be what the file `target` defines as
        `last`, over whatever re-exports."""
        asked = (target, last, name, path)
        if asked not in self._known:
            self._known[asked] = self._may_stand_for(*asked)
        return self._known[asked]

    def _may_stand_for(self, target: str, last: str, name: str, path: str) -> bool:
        if not self._binding(path, name):
            return True  # bound in a way that a glance does not see
        seen, left = set[tuple[str, str]](), [(path, name)]
        while left:
            at = left.pop()
            if at == (target, last) or (at[1] == ANY and holds(at[0], target)):
                return True
            if at not in seen:
                seen.add(at)
                left += self._led(*at, last)
        return False

    def _led(self, path: str, name: str, last: str) -> Iterator[tuple[str, str]]:
        """Where a name of a file, or any, comes from: files, and the names to follow there."""
        every = self.files.names_imported(path) if name == ANY else self._binding(path, name)
        for each in every:
            for module, then in self._meant(each, path, name, last):
                if (file := self.files.file_of(module, path)) is not None:
                    yield file, then

    def _binding(self, path: str, name: str) -> list[Import]:
        """The imports of a file that bind a name, or may: those of all of a module too."""
        if path not in self._by_name:
            found: dict[str, list[Import]] = {}
            for each in self.files.names_imported(path):
                found.setdefault(bound_by(each), []).append(each)
            self._by_name[path] = found
        known = self._by_name[path]
        return known.get(name, []) + known.get("*", [])

    def _meant(self, each: Import, path: str, name: str, last: str) -> Iterator[tuple[str, str]]:
        """Modules that an import may mean, and the names to follow there."""
        home = absolute(each.module, self._module_of(path), path)
        modules = [home]
        if each.name:
            yield home, name if each.name == "*" else each.name
            modules = [below(home, each.name)]
        elif each.bound == each.module:
            modules.append(home.partition(".")[0])
        for module in modules:
            yield module, last
            if name != ANY:
                yield module, ANY

    def _module_of(self, path: str) -> str:
        if path not in self._modules_of:
            self._modules_of[path] = self.files.module_name(path)
        return self._modules_of[path]


def bound_by(each: Import) -> str:
    """The name that an import binds, "*" for all of a module."""
    return "*" if each.name == "*" else each.bound.partition(".")[0]


def holds(package: str, file: str) -> bool:
    """Whether a file lies in the folder of a package."""
    folder, name = os.path.split(package)
    return name == PACKAGE and file.startswith(os.path.join(folder, ""))
