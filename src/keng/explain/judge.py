"""Whose an error is that no pitfall explains: PyTorch's, or plain Python's and other libraries'."""

from __future__ import annotations

import builtins
import re

from keng.explain.paths import is_installed, is_torch
from keng.explain.read import Error
from keng.moments import Frame

ABOUT_TORCH = re.compile(
    r"\btorch\b|\b[Tt]ensors?\b|CUDA|cuDNN|CUDNN|CUBLAS|NCCL|autograd|\bATen\b|c10::|state_dict|"
    r"DataLoader|\bgrad\b|nn\.Module|dynamo|device-side|ProcessGroup"
)
PYTHONS_WORDS = re.compile(
    r"positional arguments?\b|unexpected keyword argument|'\w+' object is not |list index out of range|"
    r"division by zero|'(?:NoneType|str|int|float|list|tuple|dict|numpy\.\w+)' object has no attribute|"
    r"unsupported operand type|not enough values to unpack|too many values to unpack|"
    r"list indices must be|referenced before assignment|cannot access local variable|is not defined|"
    r"could not convert string|invalid literal for|must be real number|can only concatenate|"
    r"changed size during iteration|generator raised StopIteration|super\(\): |[Ee]vent loop|"
    r"start new thread|recursion depth exceeded"
)
"""What Python says by itself, wherever it says it: also below a layer's forward."""


def is_pytorchs(error: Error) -> bool:
    kind = error.kind.rpartition(".")[2]
    deepest = error.frames[-1] if error.frames else None
    if not error.kind or error.kind.startswith("torch."):
        return True
    if _is_pythons(kind, error.message) or (deepest is not None and _is_users(deepest)):
        return False
    if ABOUT_TORCH.search(error.message) or (deepest is not None and is_torch(deepest.path)):
        return True
    if deepest is not None and is_installed(deepest.path):
        return False
    # What PyTorch raises from C++ shows no frame of its own; most of it is a RuntimeError.
    return error.kind in ("RuntimeError", "NotImplementedError")


def _is_users(deepest: Frame) -> bool:
    return deepest.user and deepest.text.startswith("raise ")


def _is_pythons(kind: str, message: str) -> bool:
    return kind in ("KeyError", "NameError") or (
        hasattr(builtins, kind) and PYTHONS_WORDS.search(message) is not None
    )
