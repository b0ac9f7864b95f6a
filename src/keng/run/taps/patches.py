"""Functions put in place of torch's own, and back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

MISSING = object()
UNSEEN = str(Path(__file__).with_name("importlib._bootstrap"))
"""The file of every wrapper's code, by its own word. `warnings.warn(..., stacklevel=2)` leaves out frames
of files named so, as it does those of `import` (CPython, `_is_internal_frame`): what torch warns of names
the caller's line and not the wrapper's."""


class Patches:
    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def put(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Puts a Python function in place of another. Dynamo is told to look at the original when it
        meets the wrapper in a compiled region, and to leave the wrapper's own frame alone."""
        before = vars(owner).get(name, MISSING)
        original = getattr(owner, name)
        functools.update_wrapper(wrapper, original)
        wrapper.__code__ = wrapper.__code__.replace(co_filename=UNSEEN)
        wrapper._torchdynamo_inline = original  # type: ignore[attr-defined]
        hide_from_dynamo(wrapper)
        setattr(owner, name, wrapper)
        self._undo.append(lambda: _restore(owner, name, wrapper, before))

    def later(self, undo: Callable[[], None]) -> None:
        self._undo.append(undo)

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


def _restore(owner: Any, name: str, wrapper: Callable[..., Any], before: Any) -> None:
    # Where somebody has wrapped the wrapper since, it stays, and only lets through. Another watch that puts
    # it back later puts back what was before it.
    if vars(owner).get(name) is not wrapper:
        wrapper._keng_stood_for = before  # type: ignore[attr-defined]
        return
    while hasattr(before, "_keng_stood_for"):
        before = before._keng_stood_for
    if before is MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, before)


def is_special() -> bool:
    """Whether tensors are not what they seem now: under vmap and its kin, or a mode that sees every
    operation (a compiler's stand-ins, somebody's count of operations). Nothing is checked then.

    Not asked by functorch's level: the first to ask for that gives the thread a state of functorch,
    which autograd then copies at every node of every backward, for as long as it lives (torch 2.13)."""
    active: bool = torch._C._are_functorch_transforms_active()
    return active or bool(torch._C._len_torch_dispatch_stack())


def hide_from_dynamo(function: Any, below: bool = False) -> None:
    """Dynamo lets the frames of a function run as they are; `below` also those that it calls."""
    eval_frame: Any = torch._C._dynamo.eval_frame  # private, and of several shapes
    if not hasattr(eval_frame, "_FrameAction"):  # as in torch 2.4, where `below` cannot be said
        eval_frame.skip_code(function.__code__)
        return
    action = eval_frame._FrameAction
    strategy = eval_frame._FrameExecStrategy(action.SKIP, action.SKIP if below else action.DEFAULT)
    eval_frame.set_code_exec_strategy(function.__code__, strategy)
