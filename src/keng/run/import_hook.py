"""Tells when torch has been imported, without importing it for anybody."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Finder:
    """Stands first in `sys.meta_path` until torch is looked for, and finds nothing itself."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "torch":
            return None
        self.remove()
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                self._follow(spec)
                return spec
        return None

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def _follow(self, spec: ModuleSpec) -> None:
        loader: Any = spec.loader
        load = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            load(module)
            self._then()

        loader.exec_module = exec_module


def when_torch_is_there(then: Callable[[], None]) -> Callable[[], None]:
    """Calls `then` at once, or when somebody has imported torch. Returns what calls it off."""
    if "torch" in sys.modules:
        then()
        return lambda: None
    finder = _Finder(then)
    sys.meta_path.insert(0, finder)
    return finder.remove
