"""What Python says to any program, put into the user's own names: the line that failed tells them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from keng.explain.reading.tracebacks import Error

NAME = r"(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Za-z_]\w{0,60}"
IMAGE = re.compile(
    r"(?:^|_|\.)(?:im|img|image|mask|frame|picture|gray)s?(?:_?\w{0,10})$", re.IGNORECASE
)
UNREADABLE = "cv2.imread gives None for a file that is missing or that it cannot read"
IMPORTS = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "optim": "from torch import optim",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Dataset": "from torch.utils.data import Dataset",
    "torchvision": "import torchvision",
    "transforms": "from torchvision import transforms",
    "autocast": "from torch import autocast",
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "tqdm": "from tqdm import tqdm",
}
CALLED = {
    "cv2": "opencv-python",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
    "pytorch_lightning": "pytorch-lightning",
    "faiss": "faiss-cpu",
    "hydra": "hydra-core",
}
"""Modules whose packages are called otherwise."""
PACKAGES = frozenset(
    (
        "transformers diffusers accelerate peft trl timm einops datasets evaluate sentencepiece tokenizers "
        "safetensors torchmetrics lightning monai albumentations kornia gymnasium wandb tqdm pandas scipy "
        "matplotlib numpy requests tensorboardX omegaconf addict yacs easydict h5py lmdb librosa soundfile "
        "decord imageio seaborn psutil lpips"
    ).split()
)
Told = Callable[[re.Match[str], str], str]


def understood(error: Error, around: Iterable[str]) -> str:
    """A sentence; nothing where the words of the error are all that is known. `around` is the text beside
    an error whose traceback was not pasted. Where a library's line failed, that tells, and the user's alone
    which key it was asked for."""
    lines = [error.frames[-1].text if error.frames else "\n".join(around)]
    if error.kind == "KeyError" and error.frame is not None:
        lines.append(error.frame.text)
    for words, tell in SAID:
        found = words.search(error.line)
        if found is not None:
            return next((said for line in lines if (said := tell(found, line))), "")
    return ""


NOT_OPENED = re.compile(
    r"\bpython[\w.]{0,12}['\"]?: can't (?:open file ['\"]?(?P<file>[^'\"\n]{1,300})['\"]?: \[Errno 2\]|"
    r"find '__main__' module in '(?P<folder>[^'\n]{1,300})')"
)


def not_started(lines: Iterable[str]) -> tuple[str, str]:
    """The line in which Python says that it cannot open the program that it is to run, and a sentence."""
    for line in lines:
        found = NOT_OPENED.search(line[:600])
        if found is not None:
            name = found["file"] or f"{found['folder']}/__main__.py"
            return line, f"there is no file `{name}` in the folder in which the command is given"
    return "", ""


def _only(pattern: str, line: str) -> str:
    """The one thing that a line holds of a pattern."""
    found = set(re.findall(pattern, line))
    return found.pop() if len(found) == 1 else ""


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _nothing(found: re.Match[str], line: str) -> str:
    if "imread(" in line:
        return UNREADABLE
    after = {"subscriptable": r"\[", "callable": r"\("}.get(
        found["asked"], rf"\.{found['asked']}\b"
    )
    name = _only(rf"({NAME})(?={after})", line)
    if IMAGE.search(name):
        return f"`{name}` is None: {UNREADABLE}"
    if name or found["asked"] in ("subscriptable", "callable"):
        return f"`{name}` is None" if name else ""
    return f"what stands before `.{found['asked']}` is None"


def _attribute(found: re.Match[str], line: str) -> str:
    name = _only(rf"({NAME})(?=\.{found['asked']}\b)", line)
    return f"`{name}` is {_a(found['kind'])}, which has no `{found['asked']}`" if name else ""


def _key(found: re.Match[str], line: str) -> str:
    key = re.escape(found["key"])
    name = _only(
        rf"({NAME}(?:\[[\"'][^\"'\]]{{1,60}}[\"']\]){{0,3}})\[(?=[\"']?{key}[\"']?\])", line
    )
    name = name or _only(rf"({NAME})\[{NAME}\]", line)
    return f"`{name}` has no entry {found['shown']}" if name else ""


def _place(_: re.Match[str], line: str) -> str:
    name = _only(rf"({NAME}\[-?\d+\])", line)
    return f"the list has no `{name}`" if name else ""


def _unset(found: re.Match[str], _: str) -> str:
    unset, line = f"nothing has set `{found['name']}` before this line", IMPORTS.get(found["name"])
    return f"{unset}: `{line}` is missing" if line else unset


def _sometimes(found: re.Match[str], _: str) -> str:
    return f"`{found['name']}` is set on some ways through the function, and not on the one that was taken"


def _parts(found: re.Match[str], line: str) -> str:
    given = re.search(r"^\s*[\w\s,.*()\[\]]{3,120}? = (?P<of>[^=\n].{0,80})$", line, re.MULTILINE)
    came = found["came"] or f"more than {found['wants']}"
    return f"`{given['of']}` gives {came}, and {found['wants']} are unpacked" if given else ""


def _too_few(found: re.Match[str], _: str) -> str:
    return f"`{found['name']}` is called without {found['which']}"


def _too_many(found: re.Match[str], _: str) -> str:
    return f"`{found['name']}` takes {found['takes']} and gets {found['given']}; a method counts `self`"


def _divided(_: re.Match[str], line: str) -> str:
    name = _only(
        rf"[/%] ?\(?(?:float\(|int\()?len\(({NAME}(?:\[[^\[\]]{{1,30}}\])?(?:\.dataset)?)\)", line
    )
    return f"`{name}` is empty: see the path, the pattern or the filter of its data" if name else ""


def _compared(found: re.Match[str], _: str) -> str:
    return f"{_a(found['one'])} and {_a(found['other'])} cannot be compared: convert one"


def _joined(found: re.Match[str], _: str) -> str:
    return (
        f"{_a(found['one'])} is joined to {_a(found['other'])}: convert one, or write an f-string"
    )


def _called(found: re.Match[str], line: str) -> str:
    name = _only(rf"({NAME})(?=\()", line)
    return f"`{name}` is {_a(found['kind'])}" if name else ""


def _not_installed(found: re.Match[str], _: str) -> str:
    name = found["name"]
    package = CALLED.get(name, name if name in PACKAGES else "")
    says = (
        f"`{name}` is not installed for the Python that runs this: python -m pip install {package}"
    )
    return says if package else ""


def _no_package(_: re.Match[str], __: str) -> str:
    return (
        "the file was run as a script, which has no package: run it as `python -m PACKAGE.MODULE`"
    )


SAID: tuple[tuple[re.Pattern[str], Told], ...] = (
    (re.compile(r"'NoneType' object has no attribute '(?P<asked>\w+)'"), _nothing),
    (re.compile(r"'NoneType' object is not (?P<asked>subscriptable|callable)"), _nothing),
    (re.compile(r"'(?P<kind>\w+)' object has no attribute '(?P<asked>\w+)'"), _attribute),
    (re.compile(r"^KeyError: (?P<shown>'(?P<key>[^'\n]{1,80})')$"), _key),
    (re.compile(r"(?:list|tuple|string) index out of range"), _place),
    (re.compile(r"name '(?P<name>\w+)' is not defined"), _unset),
    (
        re.compile(r"local variable '(?P<name>\w+)' (?:referenced before|where it is not)"),
        _sometimes,
    ),
    (
        re.compile(r"values to unpack \(expected (?P<wants>\d+)(?:, got (?P<came>\d+))?"),
        _parts,
    ),
    (
        re.compile(
            r"(?P<name>[\w.]+)\(\) missing \d+ required .{0,30}arguments?: (?P<which>'.{1,200}')"
        ),
        _too_few,
    ),
    (
        re.compile(
            r"(?P<name>[\w.]+)\(\) takes (?P<takes>[\w ]{1,20}?) positional arguments? but (?P<given>\d+)"
        ),
        _too_many,
    ),
    (re.compile(r"^ZeroDivisionError: .{0,20}division (?:or modulo )?by zero"), _divided),
    (re.compile(r"between instances of '(?P<one>\w+)' and '(?P<other>\w+)'"), _compared),
    (re.compile(r"can only concatenate (?P<one>\w+) \(not \"(?P<other>\w+)\"\)"), _joined),
    (re.compile(r"'(?P<kind>\w+)' object is not callable"), _called),
    (re.compile(r"No module named '?(?P<name>\w+)'?$"), _not_installed),
    (re.compile(r"attempted relative import with no known parent package"), _no_package),
)
