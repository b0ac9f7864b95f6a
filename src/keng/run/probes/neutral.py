"""The program must not notice that a copy of its model runs: random numbers, switches, output, warnings."""

from __future__ import annotations

import logging
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any

import torch
from torch.nn import Module
from torch.nn.modules import module as hooks
from torch.utils._python_dispatch import _disable_current_modes

from keng.run.probes.program_state import ProgramState

GLOBAL_HOOKS = (
    "_global_forward_hooks", "_global_forward_pre_hooks", "_global_backward_hooks",
    "_global_backward_pre_hooks", "_global_forward_hooks_always_called",
    "_global_forward_hooks_with_kwargs",
)  # fmt: skip


@contextmanager
def unnoticed(model: Module, plain: bool = True) -> Iterator[None]:
    """Everything in here leaves the program as it was: random states, global hooks, switches, what the
    model's classes and files hold. What it prints, logs or warns is not shown. With `plain`, float32 without
    autocast and modes of the program's."""
    with ExitStack() as stack:
        stack.enter_context(random_state())
        stack.enter_context(_program_state(model))
        stack.enter_context(_without_global_hooks())
        stack.enter_context(_silent())
        if plain:
            stack.enter_context(_plain_arithmetic())
        yield


@contextmanager
def _program_state(model: Module) -> Iterator[None]:
    state = ProgramState(model)
    try:
        yield
    finally:
        state.restore()


@contextmanager
def random_state() -> Iterator[None]:
    """Puts back the states of Python's, NumPy's and torch's generators."""
    numpy: Any = sys.modules.get("numpy")
    python, torchs = random.getstate(), torch.default_generator.get_state()
    numpys = numpy.random.get_state() if numpy else None
    cards = [(each, each.get_state()) for each in _card_generators()]
    try:
        yield
    finally:
        random.setstate(python)
        torch.default_generator.set_state(torchs)
        if numpy:
            numpy.random.set_state(numpys)
        for generator, state in cards:
            generator.set_state(state)


def seed(number: int) -> None:
    """Seeds what has been set up already: torch.manual_seed would leave a seed for cards set up later."""
    random.seed(number)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(number)
    torch.default_generator.manual_seed(number)
    for generator in _card_generators():
        generator.manual_seed(number)


def cards_are_set_up() -> bool:
    set_up: bool = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    return set_up


def _card_generators() -> tuple[torch.Generator, ...]:
    return tuple(torch.cuda.default_generators) if cards_are_set_up() else ()


@contextmanager
def _without_global_hooks() -> Iterator[None]:
    kept = {name: getattr(hooks, name).copy() for name in GLOBAL_HOOKS if hasattr(hooks, name)}
    try:
        for name in kept:
            getattr(hooks, name).clear()
        yield
    finally:
        for name, each in kept.items():
            getattr(hooks, name).clear()
            getattr(hooks, name).update(each)


@contextmanager
def _silent() -> Iterator[None]:
    """The filter goes in by hand: warnings.simplefilter would have every warning shown again."""
    ignore = ("ignore", None, Warning, None, 0)
    level = logging.root.manager.disable
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        warnings.filters.insert(0, ignore)  # type: ignore[attr-defined]
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(level)
            if ignore in warnings.filters:
                warnings.filters.remove(ignore)  # type: ignore[attr-defined]


@contextmanager
def _plain_arithmetic() -> Iterator[None]:
    """Float32 without autocast, no dispatch modes of the program, and no fast path of nn.TransformerEncoder:
    that one hides what padding does."""
    fast = torch.backends.mha.get_fastpath_enabled()
    with ExitStack() as stack:
        stack.enter_context(_disable_current_modes())
        stack.enter_context(torch.inference_mode(False))
        for device in ("cpu", "cuda") if cards_are_set_up() else ("cpu",):
            stack.enter_context(torch.autocast(device, enabled=False))
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            yield
        finally:
            torch.backends.mha.set_fastpath_enabled(fast)
