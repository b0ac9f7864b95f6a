"""Errors that Python raises in any program, explained with the names in the line that failed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from keng._util.texts import sentence
from keng.explain.ownership.judge import BUILT_ON
from keng.explain.ownership.outside_errors import CALLED, outside_cause
from keng.explain.reading.tracebacks import Error
from keng.model import Message

NAME = r"(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Za-z_]\w{0,60}"
IMAGE = re.compile(
    r"(?:^|_|\.)(?:im|img|image|mask|frame|picture|gray)s?(?:_?\w{0,10})$", re.IGNORECASE
)
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
PACKAGES = frozenset(
    (
        "transformers diffusers accelerate peft trl timm einops datasets evaluate sentencepiece tokenizers "
        "safetensors torchmetrics lightning monai albumentations kornia gymnasium wandb tqdm pandas scipy "
        "matplotlib numpy requests tensorboardX omegaconf addict yacs easydict h5py lmdb librosa soundfile "
        "decord imageio seaborn psutil lpips"
    ).split()
)
OF_TORCH = ("load_state_dict", "backward", "zero_grad", "step")
RETURNS_NOTHING = (*OF_TORCH, "append", "extend", "update", "sort", "shuffle", "remove", "insert")
"""Methods whose result is None; that of a module's `load_state_dict` is no module."""

Cause = Callable[[re.Match[str], str], Message | None]


def cause_of(error: Error, around: Iterable[str]) -> Message | None:
    """The cause in a sentence; None where nothing is known but the words of the error. `around` is the text
    next to an error whose traceback was not pasted. The line that failed is read, a library's too; for a key
    also the user's line, which names it."""
    lines = [error.frames[-1].text if error.frames else "\n".join(around)]
    if error.kind == "KeyError" and error.frame is not None:
        lines.append(error.frame.text)
    for words, cause in CAUSES:
        found = words.search(error.line)
        if found is not None:
            known = next((known for line in lines if (known := cause(found, line))), None)
            return known or outside_cause(error)
    return outside_cause(error)


NOT_OPENED = re.compile(
    r"\bpython[\w.]{0,12}['\"]?: can't (?:open file ['\"]?(?P<file>[^'\"\n]{1,300})['\"]?: \[Errno 2\]|"
    r"find '__main__' module in '(?P<folder>[^'\n]{1,300})')"
)


def not_started(lines: Iterable[str]) -> tuple[str, Message] | None:
    """The line in which Python says that it cannot open the program it was to run, and the cause."""
    for line in lines:
        found = NOT_OPENED.search(line[:600])
        if found is not None:
            name = found["file"] or f"{found['folder']}/__main__.py"
            return line, sentence("program_missing", file=name)
    return None


def _only(pattern: str, line: str) -> str:
    """The one thing that a line holds of a pattern."""
    found = set(re.findall(pattern, line))
    return found.pop() if len(found) == 1 else ""


def _none(found: re.Match[str], line: str) -> Message | None:
    if "imread(" in line:
        return sentence("image_unreadable")
    after = {"subscriptable": r"\[", "callable": r"\("}.get(
        found["asked"], rf"\.{found['asked']}\b"
    )
    name = _only(rf"({NAME})(?={after})", line)
    if IMAGE.search(name):
        return sentence("image_is_none", name=name)
    if name and (call := _sets_to_none(name, line)):
        return sentence("none_from_call", name=name, call=call, plain=call.partition("= ")[2])
    if name and (call := _last_given(name, line)):
        return sentence("none_returned", name=name, call=call)
    if name or found["asked"] in ("subscriptable", "callable"):
        return sentence("is_none", name=name) if name else None
    return sentence("owner_is_none", attribute=found["asked"])


def _sets_to_none(name: str, lines: str) -> str:
    """The line that gives a name the result of a method that returns nothing."""
    methods = "|".join(RETURNS_NOTHING)
    given = re.compile(
        rf"^[ \t>]*({re.escape(name)} = {NAME}\.(?:{methods})\([^\n]{{0,200}})$", re.MULTILINE
    )
    found = given.search(lines)
    return found[1].strip() if found is not None else ""


def _last_given(name: str, lines: str) -> str:
    """The call whose result a name has, where the text shows the only one."""
    given = re.compile(rf"^[ \t>.]*{re.escape(name)} = ({NAME}\([^\n]{{0,100}}\))$", re.MULTILINE)
    found = given.findall(lines)
    return found[0] if len(found) == 1 else ""


def passed_along(error: Error, around: Iterable[str]) -> Message | None:
    """The dictionary in the text next to an error that holds an argument which a function does not take."""
    found = UNEXPECTED.search(error.line)
    if found is None:
        return None
    holds = re.compile(
        rf"\b\w+ ?= ?\{{[^{{}}\n]{{0,120}}['\"]{found['name']}['\"] ?:[^{{}}\n]{{0,120}}\}}"
    )
    given = {each for line in around for each in holds.findall(line[:1000])}
    if len(given) != 1:
        return None
    return sentence("argument_passed_along", name=found["name"], given=given.pop())


def given_to_the_call(error: Error, around: Iterable[str]) -> Message | None:
    """The class of torch whose constructor takes an argument that was given to a call of what it made."""
    found = OF_CALL.search(error.line)
    if found is None:
        return None
    from keng.tables.constructors import of_class  # few calls of a module fail so

    name = found["name"]
    text = "\n".join([*around, *(frame.text for frame in error.frames)])
    owners = {found["owner"]} if found["owner"] else set(_makers(name, text))
    taking = [takes for owner in owners if (takes := of_class(owner)) is not None]
    if len(owners) != 1 or not taking or name in taking[0].called or name not in taking[0].made:
        return None
    owner = owners.pop()
    if f"class {owner}(" in text:
        return None  # the program has one of that name
    return sentence("argument_of_constructor", name=name, owner=owner)


def _makers(name: str, text: str) -> Iterable[str]:
    """The classes of that which a text calls with an argument of a name."""
    for called in re.findall(rf"\b((?:self\.)?\w{{1,60}})\([^\n]{{0,300}}?\b{name} ?=(?!=)", text):
        made = rf"(?<![\w.]){re.escape(called)} ?= ?(?:\w+\.){{0,4}}([A-Z]\w{{0,60}})\("
        yield from re.findall(made, text) or [called]


def is_of_torch(cause: Message | None) -> bool:
    """Whether a cause is what a method of PyTorch's returns, or what its classes take."""
    if cause is not None and cause.id == "argument_of_constructor":
        return True
    if cause is None or cause.id != "none_from_call":
        return False
    return any(f".{method}(" in str(cause.values["call"]) for method in OF_TORCH)


def _attribute(found: re.Match[str], line: str) -> Message | None:
    name = _only(rf"({NAME})(?=\.{found['asked']}\b)", line)
    if not name:
        return None
    return sentence("attribute_missing", name=name, kind=found["kind"], attribute=found["asked"])


def _key(found: re.Match[str], line: str) -> Message | None:
    key = re.escape(found["key"])
    name = _only(
        rf"({NAME}(?:\[[\"'][^\"'\]]{{1,60}}[\"']\]){{0,3}})\[(?=[\"']?{key}[\"']?\])", line
    )
    name = name or _only(rf"({NAME})\[{NAME}\]", line)
    return sentence("key_missing", name=name, key=found["shown"]) if name else None


def _index(_: re.Match[str], line: str) -> Message | None:
    name = _only(rf"({NAME}\[-?\d+\])", line)
    return sentence("index_missing", item=name) if name else None


def _unset(found: re.Match[str], _: str) -> Message:
    name, line = found["name"], IMPORTS.get(found["name"])
    return (
        sentence("import_missing", name=name, line=line) if line else sentence("unset", name=name)
    )


def _sometimes(found: re.Match[str], _: str) -> Message:
    return sentence("set_on_some_paths", name=found["name"])


def _parts(found: re.Match[str], line: str) -> Message | None:
    given = re.search(r"^\s*[\w\s,.*()\[\]]{3,120}? = (?P<of>[^=\n].{0,80})$", line, re.MULTILINE)
    if given is None:
        return None
    wanted = found["wants"]
    if found["came"]:
        return sentence("unpacked", expression=given["of"], n=int(found["came"]), wanted=wanted)
    return sentence("more_than_unpacked", expression=given["of"], wanted=wanted)


def _too_few(found: re.Match[str], line: str) -> Message:
    """Also where the call takes its arguments from a dictionary, to which they have to be added."""
    given = _only(rf"[(,]\s*\*\*({NAME})(?=\s*[,)])", line)
    if given:
        return sentence(
            "arguments_missing_in", which=found["which"], name=found["name"], given=given
        )
    return sentence("arguments_missing", name=found["name"], which=found["which"])


def _too_many(found: re.Match[str], _: str) -> Message:
    name, takes, given = found["name"], found["takes"], found["given"]
    if (takes, given) == ("1", "2") and name.rpartition(".")[0].endswith(BUILT_ON):
        return sentence("argument_by_name", name=name)
    return sentence("arguments_too_many", name=name, takes=takes, given=given)


ZERO = re.compile(r"\b([A-Za-z_]\w{1,60}) ?= ?0(?:\.0?)?(?=\s*[,)])")
"""An argument of 0."""
NOT_DIVIDED_BY = re.compile(
    r"^(?:dim|axis|start|seed|random_state|num_workers|device|local_rank|rank|eps|p|bias|verbose|"
    r"weight_decay|momentum|dropout\w*|padding|index|value|label|offset|gpu|id|worker_id)$"
)
MOST_ZEROS = 4


def _divided(_: re.Match[str], line: str) -> Message | None:
    name = _only(
        rf"[/%] ?\(?(?:float\(|int\()?len\(({NAME}(?:\[[^\[\]]{{1,30}}\])?(?:\.dataset)?)\)", line
    )
    if name:
        return sentence("is_empty", name=name)
    zeros = [each for each in dict.fromkeys(ZERO.findall(line)) if not NOT_DIVIDED_BY.match(each)]
    given = ", ".join(f"`{each}=0`" for each in zeros)
    return sentence("zero_given", given=given) if 0 < len(zeros) <= MOST_ZEROS else None


def _compared(found: re.Match[str], _: str) -> Message:
    return sentence("not_comparable", one=found["one"], other=found["other"])


def _joined(found: re.Match[str], _: str) -> Message:
    return sentence("not_concatenable", one=found["one"], other=found["other"])


def _operand(found: re.Match[str], line: str) -> Message | None:
    """The one name that stands on the side of the operator where None is."""
    left, right = (found[side] == "NoneType" for side in ("one", "other"))
    if left == right:
        return None
    operator = re.escape(found["operator"].removesuffix("=") if right else found["operator"])
    before, behind = rf"(?<![\w.)\]])({NAME}) ?{operator}", rf"{operator}=? ?({NAME})(?![\w.(\[])"
    name = _only(before if left else behind, line)
    return sentence("is_none", name=name) if name else None


def _called(found: re.Match[str], line: str) -> Message | None:
    name = _only(rf"({NAME})(?=\()", line)
    return sentence("not_callable", name=name, kind=found["kind"]) if name else None


def _not_installed(found: re.Match[str], _: str) -> Message | None:
    name = found["name"]
    package = CALLED.get(name, name if name in PACKAGES else "")
    return sentence("not_installed", name=name, package=package) if package else None


def _no_package(_: re.Match[str], __: str) -> Message:
    return sentence("run_as_script")


OF_CALL = re.compile(
    r"(?<![\w.])(?:(?P<owner>[A-Z]\w{0,60})\.)?(?:forward|__call__|step)\(\) got an unexpected "
    r"keyword argument '(?P<name>\w{1,60})'"
)
UNEXPECTED = re.compile(r"\(\) got an unexpected keyword argument '(?P<name>\w{1,60})'")

CAUSES: tuple[tuple[re.Pattern[str], Cause], ...] = (
    (re.compile(r"'NoneType' object has no attribute '(?P<asked>\w+)'"), _none),
    (re.compile(r"'NoneType' object is not (?P<asked>subscriptable|callable)"), _none),
    (re.compile(r"'(?P<kind>\w+)' object has no attribute '(?P<asked>\w+)'"), _attribute),
    (re.compile(r"^KeyError: (?P<shown>'(?P<key>[^'\n]{1,80})')$"), _key),
    (re.compile(r"(?:list|tuple|string) index out of range"), _index),
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
    (
        re.compile(
            r"operand type\(s\) for (?P<operator>[^\s:]{1,3}): '(?P<one>\w+)' and '(?P<other>\w+)'"
        ),
        _operand,
    ),
    (re.compile(r"'(?P<kind>\w+)' object is not callable"), _called),
    (re.compile(r"No module named '?(?P<name>\w+)'?$"), _not_installed),
    (re.compile(r"attempted relative import with no known parent package"), _no_package),
)
