"""Whose an error is: PyTorch's, unless something shows the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterable

from keng.explain.paths import is_installed, is_torch
from keng.explain.read import Error

NEVER_TORCHS = frozenset(
    {
        *("KeyError", "NameError", "UnboundLocalError", "ZeroDivisionError", "RecursionError"),
        *("FileNotFoundError", "FileExistsError", "IsADirectoryError", "NotADirectoryError"),
        *("PermissionError", "UnicodeDecodeError", "UnicodeEncodeError", "ModuleNotFoundError"),
        *("SyntaxError", "IndentationError", "TabError", "KeyboardInterrupt", "StopIteration"),
        *("LookupError", "OverflowError", "FloatingPointError", "BufferError", "ProcessLookupError"),
    }
)
PYTHONS_WORDS = re.compile(
    r"positional arguments?\b|(?:unexpected|invalid) keyword argument|multiple values for argument|"
    r"missing required argument|not enough arguments for format|takes (?:no arguments|(?:at most|exactly) \w+ arg)|"
    r"'\w+' object (?:is not (?:callable|iterable|subscriptable|an iterator)|does not support|cannot be interpreted)|"
    r"'(?:NoneType|str|int|float|bool|list|tuple|dict|set|function|method|numpy\.\w+)' object has no|"
    r"(?:list|tuple|string|pop|deque|bytearray) index out of range|indices must be|pop from|^index out of range$|"
    r"unsupported operand type|bad operand type|not supported between instances|unhashable type|"
    r"(?:not enough|too many) values to unpack|cannot unpack|can only concatenate|must be str, not|"
    r"\b(?:int|float|str|len|max|min|sum|ord|chr|range|reduce|isinstance|issubclass|memoryview|factorial)\(?\)?:? "
    r"(?:arg\b|argument|expected|takes|not defined|of empty|not in range|a bytes-like)|"
    r"could not convert string|cannot convert float|invalid literal for|must be real number|real number is required|"
    r"math domain error|can't multiply sequence|is not in list|x not in list|substring not found|str expected, not|"
    r"has no len\(\)|is not defined|referenced before assignment|cannot access local variable|"
    r"changed size during iteration|generator raised StopIteration|just-started generator|super\(\): |[Ee]vent loop|"
    r"start new thread|unlocked lock|\[Errno -?\d+\]|partially initialized module|EOF when reading|"
    r"abstract class|instance lay-out|context manager protocol|weak reference|__round__|is not safe, use|is not a subtype|"
    r"No active exception|pickle data was truncated|must be in range\(0, 256\)|month must be|Replacement index|"
    r"integer format specifier|object\.__init__\(\)|sleep length|filedescriptor out of range|"
    r"(?:module|from) '(?!torch)[\w.]{1,80}'(?: has no attribute| \()"
)
NUMPYS_WORDS = re.compile(
    r"operands could not be broadcast together|could not broadcast input array|cannot reshape array|"
    r"setting an array element|all the input array|inhomogeneous shape|truth value of an array|\bg?ufunc\b|"
    r"shapes \(.{1,60}\) and \(.{1,60}\) not aligned|out of bounds for (?:axis|array)|indices for array|"
    r"only integers, slices|need at least one array|data type '.{1,60}' not understood|0-dimensional arrays|"
    r"boolean index did not match|no samples are taken|sample than population|probabilities do not sum|"
    r"negative dimensions are not allowed|destination is read-only|axes don't match array|low >= high|scale < 0|"
    r"multiple of element size|parsing datetime|cannot identify image file|"
    r"Input (?:X )?contains (?:NaN|infinity)|inconsistent numbers of samples"
)
HOMES = re.compile(r"(?:torch\w*|functorch|_?pickle|safetensors\w*|builtins|__main__|__mp_main__)\.")
"""The modules whose exceptions may tell of PyTorch; those of all others are other libraries'."""

OTHER_LIBRARY = re.compile(
    r"cudaSuccess|\bggml|llama\.cpp|\bcaffe\b|\btensorflow\b|\bjaxlib\b|\bonnxruntime\b|\bpaddle\b|\bmxnet\b"
)
"""What tells, where no exception was raised, that a line is of another program for the same cards."""

NO_ATTRIBUTE = re.compile(r"'\w+' object has no attribute")
ABOUT_TORCH = re.compile(
    r"\btorch(?:vision|audio|text)?\b|state_dict|\b[Tt]ensors?\b|CUDA|nn\.Module|alloc_cpu|\bc10\b|\bNCCL\b|"
    r"cuDNN|CUBLAS|CUDNN|\bATen\b|DataLoader"
)
ANY_PROGRAMS = re.compile(
    r"^(?:EOFError|Ran out of input|invalid load key)|^(?:cannot|[Cc]an't) pickle|\[Errno 98\]|"
    r"^context has already been set$|maximum recursion depth"
)
"""What Python says to any program."""


def is_pytorchs(error: Error) -> bool:
    kind, message = error.kind, error.message
    deepest = error.frames[-1] if error.frames else None
    if ("." in kind and not HOMES.match(kind)) or NUMPYS_WORDS.search(message):
        return False
    if deepest is not None and deepest.user and deepest.text.startswith(("raise ", "assert ")):
        return False
    if is_any_programs(error, [error]):
        return False
    if kind in NEVER_TORCHS or PYTHONS_WORDS.search(message):
        return kind in ("KeyError", "ModuleNotFoundError") and bool(ABOUT_TORCH.search(message))
    if deepest is not None and deepest.user and NO_ATTRIBUTE.search(message):
        return bool(ABOUT_TORCH.search(message))
    if deepest is None or deepest.user or is_torch(deepest.path):
        return True  # what is raised from C++ shows no frame of its own
    return not is_installed(deepest.path) or bool(ABOUT_TORCH.search(message))


def speaks_of_torch(lines: Iterable[str]) -> bool:
    """Whether lines in which no exception was raised are about PyTorch."""
    text = "\n".join(lines)
    return ABOUT_TORCH.search(text) is not None and OTHER_LIBRARY.search(text) is None


def is_any_programs(error: Error, errors: list[Error]) -> bool:
    """Whether Python says this to any program, and the traceback shows that PyTorch has no part in it."""
    frames = [frame for each in errors for frame in each.frames]
    if not frames or not says_python(error):
        return False
    return not any(is_torch(f.path) or ABOUT_TORCH.search(f.text) for f in frames)


def says_python(error: Error) -> bool:
    return ANY_PROGRAMS.search(error.flat or error.kind) is not None
