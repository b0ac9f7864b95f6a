"""Makes a forward compute in float32 whatever it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

HALVES = (torch.float16, torch.bfloat16)
CASTS = {Tensor.half, Tensor.bfloat16}


class Rounding(TorchFunctionMode):
    """The coarsest rounding of what torch functions return, inside of modules too."""

    def __init__(self) -> None:
        super().__init__()
        self.eps = 0.0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if isinstance(out, Tensor) and out.dtype in HALVES:
            self.eps = max(self.eps, torch.finfo(out.dtype).eps)
        return out


class InSingle(TorchFunctionMode):
    """Replaces half-precision dtypes in calls of torch functions, and casts to them, by float32."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = {key: _single(each) for key, each in (kwargs or {}).items()}
        func = Tensor.float if func in CASTS else func
        return func(*(_single(each) for each in args), **given)


def _single(value: Any) -> Any:
    return torch.float32 if isinstance(value, torch.dtype) and value in HALVES else value


@contextmanager
def in_single() -> Iterator[None]:
    """Float32 without autocast, also where the model enters it, without TF32 and casts to half precision."""
    with ExitStack() as stack:
        for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
            stack.enter_context(torch.autocast(device, enabled=False))
        stack.enter_context(_without_tf32())
        stack.enter_context(_autocast_kept_off())
        stack.enter_context(InSingle())
        yield


@contextmanager
def _autocast_kept_off() -> Iterator[None]:
    """`torch.autocast` switches by this function of torch alone."""
    switch = torch.set_autocast_enabled
    torch.set_autocast_enabled = lambda *_: None
    try:
        yield
    finally:
        torch.set_autocast_enabled = switch


@contextmanager
def _without_tf32() -> Iterator[None]:
    """A program that mixes the old and the new switches of TF32 keeps what it has."""
    before = None
    with suppress(RuntimeError):
        before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        if before is not None:
            torch.set_float32_matmul_precision(before)
