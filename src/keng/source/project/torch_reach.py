"""Whether torch is in a file's sight."""

from __future__ import annotations

import os
import re

from keng.source.project.files import PACKAGE, Files, below


class TorchReach:
    """Torch is in the sight of a file that speaks of it, and of one that uses what such a file defines,
    over whatever re-exports. What merely stands some imports away is not: in a large library that is
    every file as soon as one of them speaks of torch."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._speaks: dict[str, bool] = {}
        self._seen: dict[str, bool] = {}
        self._torchs: dict[tuple[str, str], bool] = {}

    def says_torch(self, path: str) -> bool:
        if path not in self._speaks:
            self._speaks[path] = b"torch" in self.files.text(path)
        return self._speaks[path]

    def reaches_torch(self, path: str) -> bool:
        if path not in self._seen:
            self._seen[path] = self.says_torch(path) or self._uses_torch(path)
        return self._seen[path]

    def _uses_torch(self, path: str) -> bool:
        """Whether something that a file imports is defined where torch is spoken of."""
        for each in self.files.names_imported(path):
            module = below(each.module, each.name) if each.name else each.module
            if each.name and self.files.file_of(module, path) is None:
                if self._is_torchs(each.module, each.name, path):
                    return True
            elif any(self._is_torchs(module, name, path) for name in self._used(each.bound, path)):
                return True
        return False

    def _used(self, module: str, path: str) -> set[str]:
        """What a file names of a module that it has under this name."""
        used = re.findall(rb"\b%s\.(\w+)" % re.escape(module.encode()), self.files.text(path))
        return {name.decode("utf-8", "replace") for name in set(used)}

    def _is_torchs(self, module: str, name: str, path: str) -> bool:
        """Whether a name of a module, or any of them for "*", may be defined where torch is spoken of."""
        file = self.files.file_of(below(module, name), path) or self.files.file_of(module, path)
        if file is None or file == path:
            return False
        if (file, name) not in self._torchs:
            self._torchs[file, name] = False  # for modules that import each other
            self._torchs[file, name] = self._brings_torch(file, name)
        return self._torchs[file, name]

    def _brings_torch(self, file: str, name: str) -> bool:
        """Where a package has a name from elsewhere, what counts is the file that it is from."""
        imports = self.files.names_imported(file) if os.path.basename(file) == PACKAGE else []
        sources = [each for each in imports if each.name and name in (each.bound, "*")]
        if any(self._is_torchs(each.module, each.name, file) for each in sources):
            return True
        if sources and name != "*":
            return False
        stars = [each.module for each in imports if each.name == "*" and name != "*"]
        if any(self._is_torchs(m, "*", file) and self._is_torchs(m, name, file) for m in stars):
            return True
        return self.says_torch(file) and (name == "*" or name.encode() in self.files.text(file))
