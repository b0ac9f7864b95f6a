"""Tells PyTorch's errors from others."""

from __future__ import annotations

import re

from keng.explain.reading import Error

TORCH_FILE = re.compile(r"[/\\](?:torch|torchvision|torchaudio|torchdata|functorch|triton)[/\\]")
WORDS = re.compile(
    r"""(?xi) \b(?: torch | pytorch | tensors? | cuda | cudnn | cublas | nccl | gloo | autograd | dtype
        | state_dict | dataloader | requires?\ grad | backward | nn\.Module | aten:: | c10
        | DistributedDataParallel | process\ group )\b | \btorch[._]"""
)
OTHERS = re.compile(
    r"^(?:numpy|pandas|PIL|cv2|sklearn|scipy|matplotlib|json|yaml|urllib|requests)\."
)
PYTHON = frozenset(
    """AssertionError AttributeError EOFError FileNotFoundError FileExistsError ImportError IndentationError
    IndexError IsADirectoryError KeyError KeyboardInterrupt ModuleNotFoundError NameError
    NotADirectoryError NotImplementedError OSError OverflowError PermissionError RecursionError StopIteration
    SyntaxError TabError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError ValueError
    ZeroDivisionError SystemExit""".split()
)
"""Errors that Python and anybody's code raise for themselves."""


def of_pytorch(error: Error) -> bool:
    """Whether an error that no pitfall knows is PyTorch's at all: by its words, or because torch's own
    code raised it. What the user's own code raises inside a forward or a worker is not."""
    if OTHERS.match(error.kind):
        return False
    if error.kind.startswith("torch.") or WORDS.search(error.message):
        return True
    if error.frames and TORCH_FILE.search(error.frames[-1].path):
        return error.kind not in ("KeyError", "FileNotFoundError", "NameError")
    return error.kind.rpartition(".")[2] not in PYTHON and not error.frames
