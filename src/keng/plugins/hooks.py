"""Errors explained where they happen: under Python's own traceback, and under IPython's."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any

from keng.plugins.explained import explain

Hook = Any


def install() -> None:
    """Explains each error of PyTorch that ends the program or a thread, under its traceback, and says of
    another that it is none. The traceback comes first and as ever; where explaining fails, nothing is
    added. Asked for twice, it is done once."""
    before = sys.excepthook
    if not hasattr(before, "explains"):
        sys.excepthook = _explaining(before)
        threading.excepthook = _in_thread(threading.excepthook)


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext keng`: explains the errors of each cell under IPython's own traceback, and gives
    the magics `%keng` and `%%keng`."""
    from keng.plugins import magics

    magics.register(ipython)
    ipython.set_custom_exc((Exception,), _in_cell)


def unload_ipython_extension(ipython: Any) -> None:
    ipython.set_custom_exc((), None)


def _explaining(before: Hook) -> Hook:
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        explain(error)

    hook.explains = True  # type: ignore[attr-defined]
    return hook


def _in_thread(before: Hook) -> Hook:
    def hook(args: threading.ExceptHookArgs) -> None:
        before(args)
        if isinstance(args.exc_value, Exception):  # others end a thread without a word
            explain(args.exc_value)

    return hook


def _in_cell(ipython: Any, kind: Any, error: Any, trace: Any, tb_offset: Any = None) -> None:
    ipython.showtraceback((kind, error, trace), tb_offset=tb_offset)
    explain(error)
