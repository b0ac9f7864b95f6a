"""Whose file a frame of a traceback lies in, told by its path."""

from __future__ import annotations

import re
from pathlib import Path

OWN = str(Path(__file__).parents[2])
INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)")
"""With the name of the library."""
PACKAGE = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)[/\\]")
"""The same, of a library that is a folder."""
INSIDE = re.compile(r"[/\\](?:site|dist)-packages[/\\](?P<inside>.+)$")
"""The path within the folder of all libraries."""
MADE = re.compile(
    r"(?:^|[/\\.])torch_geometric[./\\]\S{0,120}_(?:propagate|edge_updater)_\w{1,20}\.py$"
)
"""What PyTorch Geometric writes of a layer's own steps, and runs."""

STANDARD = re.compile(
    r"[/\\]lib(?:64)?[/\\]python\d(?:\.\d+)?[/\\]"
    r"|[/\\](?:Python|(?:mini|ana)(?:conda|forge)|envs[/\\][^/\\]+)\d*[/\\]lib[/\\]",
    re.IGNORECASE,
)
TORCH = re.compile(
    r"[/\\](?:site|dist)-packages[/\\](?:torch|functorch|torchvision|torchaudio|torchtext|torchgen)[/\\]"
    r"|(?:^|[/\\])torch[/\\](?:nn|optim|autograd|utils|cuda|distributed|fx|jit|onnx|amp|export|multiprocessing"
    r"|_\w+)[/\\]"
    r"|[/\\]torch[/\\](?:functional|serialization|tensor|storage|hub|random|_\w+)\.py$"
)
PLUMBING = frozenset(
    {
        *("_call_impl", "_wrapped_call_impl", "wrapper", "wrapped", "_fn", "fn", "inner"),
        *("decorate_context", "decorate_autocast", "handle_torch_function", "__torch_function__"),
        *("wrapper_fn", "inner_func", "_no_grad_wrapper"),
        *("profile_hook_step", "_use_grad", "reraise", "<listcomp>", "<genexpr>", "<lambda>"),
    }
)
"""What torch calls its functions through."""

COMPILED = re.compile(r"(?!/|[A-Za-z]:)[\w./\\]{1,200}\.p(?:yx|xi)$")
"""What Cython calls the source of a library, which is not installed."""

NO_FILE = re.compile(r"<(?!ipython-input|stdin>|string>|console>)")


def is_torch(path: str) -> bool:
    return TORCH.search(path) is not None


def is_installed(path: str) -> bool:
    """A library that was installed, or Python's own."""
    installed = INSTALLED.search(path) or STANDARD.search(path) or MADE.search(path)
    return bool(installed or path.startswith(OWN))


def is_standard(path: str) -> bool:
    """Python's own library."""
    return STANDARD.search(path) is not None and INSTALLED.search(path) is None


def is_user(path: str) -> bool:
    return not (is_installed(path) or is_torch(path) or NO_FILE.match(path) or COMPILED.match(path))
