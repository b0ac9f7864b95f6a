"""Whose an error is that no pitfall explains: it is PyTorch's unless something shows the contrary."""

from __future__ import annotations

import re

from keng.explain.paths import is_installed, is_torch
from keng.explain.read import Error

NEVER_TORCHS = frozenset(
    {
        *("KeyError", "NameError", "UnboundLocalError", "ZeroDivisionError", "RecursionError"),
        *("FileNotFoundError", "FileExistsError", "IsADirectoryError", "NotADirectoryError"),
        *("PermissionError", "UnicodeDecodeError", "UnicodeEncodeError", "ModuleNotFoundError"),
        *("SyntaxError", "IndentationError", "TabError", "KeyboardInterrupt", "StopIteration"),
    }
)
PYTHONS_WORDS = re.compile(
    r"positional arguments?\b|unexpected keyword argument|multiple values for argument|"
    r"'\w+' object (?:is not (?:callable|iterable|subscriptable|an iterator)|does not support item)|"
    r"'(?:NoneType|str|int|float|bool|list|tuple|dict|set|function|method|numpy\.\w+)' object has no|"
    r"(?:list|tuple|string|pop) index out of range|(?:list|tuple|string) indices must be|pop from empty|"
    r"unsupported operand type|bad operand type|not supported between instances|unhashable type|"
    r"(?:not enough|too many) values to unpack|cannot unpack|can only concatenate|must be str, not|"
    r"could not convert string|invalid literal for|must be real number|has no len\(\)|is not defined|"
    r"referenced before assignment|cannot access local variable|changed size during iteration|"
    r"generator raised StopIteration|super\(\): |[Ee]vent loop|start new thread|\[Errno \d+\]|"
    r"partially initialized module"
)
NUMPYS_WORDS = re.compile(
    r"operands could not be broadcast together|could not broadcast input array|cannot reshape array|"
    r"setting an array element|all the input array|inhomogeneous shape|truth value of an array|"
    r"module '(?:numpy|pandas|scipy|cv2|PIL)[\w.]{0,60}' has no attribute|\bufunc\b|"
    r"shapes \(.{1,60}\) and \(.{1,60}\) not aligned"
)
OTHER_LIBRARY = re.compile(
    r"(?:numpy|pandas|PIL|cv2|sklearn|scipy|matplotlib|json|yaml|csv|sqlite3|urllib|urllib3|requests|http|"
    r"ssl|zipfile|h5py|wandb|omegaconf|hydra|pydantic|lightning|pytorch_lightning|transformers)\."
)
ABOUT_TORCH = re.compile(
    r"\btorch(?:vision|audio|text)?\b|state_dict|\b[Tt]ensors?\b|CUDA|nn\.Module"
)


def is_pytorchs(error: Error) -> bool:
    kind, message = error.kind, error.message
    deepest = error.frames[-1] if error.frames else None
    if OTHER_LIBRARY.match(kind) or NUMPYS_WORDS.search(message):
        return False
    if deepest is not None and deepest.user and deepest.text.startswith(("raise ", "assert ")):
        return False
    if kind in NEVER_TORCHS or PYTHONS_WORDS.search(message):
        return kind in ("KeyError", "ModuleNotFoundError") and bool(ABOUT_TORCH.search(message))
    if deepest is None or deepest.user or is_torch(deepest.path):
        return True  # what is raised from C++ shows no frame of its own
    return not is_installed(deepest.path) or bool(ABOUT_TORCH.search(message))
