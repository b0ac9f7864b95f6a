"""What was loaded, or given to be loaded, in place of a state dict."""

from __future__ import annotations

import re

from keng.explain.advice.edits import entered
from keng.explain.failure import Failure
from keng.model import Fix

MOST_NAMES = 5
OF_A_RUN = re.compile(
    r"args|arch|config|epoch|iteration|\w*step|\w*loss|best_\w+|acc|optimizer|opt|\w*scheduler|scaler|"
    r"hyper_parameters|pytorch-lightning_version"
)
"""Entries of a training's checkpoint beside the weights."""


FILES = re.compile(r"\w\.(?:pth|pt|ckpt)\b|torch\.load\(")


def is_state_of_file(failure: Failure, line: str) -> bool:
    """Whether what the line calls `state`, as others call other things, was read from a file."""
    return re.search(r"\bstate\[['\"]", line) is not None and bool(FILES.search(failure.told))


def without_entry(failure: Failure, key: str) -> tuple[str, Fix | None]:
    """What there is where a file lacks an entry."""
    there = failure.live.entries
    says = f"what was loaded has no entry `{key}`"
    if there is None or not there.names:
        return f"{says}: {_instead(key)}; print its keys()", None
    names = ", ".join(f"`{name}`" for name in there.names[:MOST_NAMES])
    names += ", ..." if len(there.names) > MOST_NAMES else ""
    if there.itself:
        says = f"{says}, and is the state dict itself: load it as it is"
    elif there.state:
        says = f"{says}, but {names}: the weights are in `{there.state}`"
    else:
        return f"{says}, but {names}", None
    return says, failure.mended(entered, key, there.state)


def _instead(key: str) -> str:
    if OF_A_RUN.fullmatch(key):
        return (
            "weights alone, or another program's file, where the checkpoint of a training is wanted"
        )
    return "it may be the state dict itself, to be loaded as it is, or call its parts otherwise"


GIVEN = {
    **dict.fromkeys(
        ("str", "PosixPath", "WindowsPath"), "a path is given: load_state_dict(torch.load(path))"
    ),
    **dict.fromkeys(
        ("BufferedReader", "BytesIO"), "an open file is given: load_state_dict(torch.load(file))"
    ),
    "NoneType": "None is given: what was to read the file, or to make the state dict, returned nothing",
    "_IncompatibleKeys": "what another load_state_dict returned is given: it loads in place, "
    "on a line of its own",
    "tuple": "a tuple is given: the state dict is one of its parts",
    "list": "a list is given: the state dict is one of its parts",
}


def no_state_dict(kind: str) -> str:
    """What a module is given to load, by its type."""
    return GIVEN.get(kind, f"a `{kind}` is given, no state dict: a whole model has .state_dict()")
