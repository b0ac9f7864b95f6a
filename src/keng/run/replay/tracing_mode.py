"""The mode that sees each operation, for a run that is compared with another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch.utils._python_dispatch import TorchDispatchMode

from keng.run.state import tensors_in

if TYPE_CHECKING:
    from torch import Tensor

UNWRITTEN = {
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "set_",
}  # fmt: skip
"""What these make holds whatever lay in the memory before."""


class Mode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """`add` is handed the name of each operation that makes or changes values, and the tensors that it
    read and made. What an operation overwrites is not among those it read: it may be unwritten yet."""

    def __init__(self, add: Callable[[str, list[Tensor], list[Tensor]], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._add = add

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        if func.is_view or name in UNWRITTEN:
            return func(*args, **(kwargs or {}))
        takes = func._schema.arguments
        written = {a.name for a in takes if a.alias_info and a.alias_info.is_write}
        positional = zip((a.name for a in takes), args, strict=False)
        named = [*positional, *(kwargs or {}).items()]
        given = [t for key, arg in named if key not in written for t in tensors_in(arg)]
        changed = [t for key, arg in named if key in written for t in tensors_in(arg)]
        out = func(*args, **(kwargs or {}))
        self._add(name, given, [*changed, *tensors_in(out)])
        return out
