"""Sees every operation of a forward, as only a replay can afford."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from keng.run.frames import here
from keng.run.graph.nonfinite import Origin, explained, is_finite, put_by_hand
from keng.run.state import tensors_in


class Instruments(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Remembers the first operation that made a value that is not finite out of values that were."""

    def __init__(self, root: torch.nn.Module, path: str, batch: int | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.origin: Origin | None = None
        self._paths = {id(m): ".".join(filter(None, (path, p))) for p, m in root.named_modules()}
        self._batch = batch

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self.origin is not None:
            return func(*args, **(kwargs or {}))
        # Looked at before: an operation in place overwrites what it was given.
        before = [t for t in tensors_in(list(args)) if not is_finite(t)]
        had_nan = any(bool(t.isnan().any()) for t in before)
        keep = func._schema.is_mutable
        given = [t.clone() if keep and isinstance(t, torch.Tensor) else t for t in args]
        out = func(*args, **(kwargs or {}))
        if not had_nan:
            self._look(func, given, out, came_infinite=bool(before))
        return out

    def _look(self, func: Any, given: list[Any], out: Any, came_infinite: bool) -> None:
        """What is infinite already may stay so: the -inf of a mask. NaN is always news."""
        name = func.overloadpacket.__name__.rstrip("_")
        bad = next((t for t in tensors_in(out) if not is_finite(t)), None)
        if bad is None or put_by_hand(name, bad):
            return
        if came_infinite and not bool(bad.isnan().any()):
            return
        origin = explained(name, given, bad, self._batch)
        self.origin = origin._replace(module=self._module(), where=here())

    def _module(self) -> str:
        frame: Any = sys._getframe(1)
        while frame is not None:
            path = self._paths.get(id(frame.f_locals.get("self")))
            if path:
                return path
            frame = frame.f_back
        return ""
