"""Error messages: an option of an optimizer or a scheduler is a text, None or another thing that is no number."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

KINDS = {"str": "a text", "NoneType": "None", "tuple": "a tuple", "list": "a list"}


OPTION = re.compile(
    r"\b(initial_lr|min_lr|lr|eps|weight_decay|momentum|dampening|rho|alpha|lr_decay|lambd|factor|gamma)(?:s\[i\])?(?!\w)"
)


OTHERS = {"betas": "a pair: `betas=(0.9, 0.999)`", "milestones": "a list: `milestones=[30]`"}


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    came = [KINDS[k] for k in (failure.groups["one"], failure.groups["other"]) if k in KINDS]
    named = OPTION.findall(_lines_of_torch(failure))
    if came and named:
        yield failure.hit(say("float-0e-yaml-1e", came=named[-1], came_2=came[0]))


@explains("one-number")
def one_number(failure: Failure) -> Hits:
    text = _lines_of_torch(failure)
    for name, wants in OTHERS.items():
        if name in text:
            yield failure.hit(f"`{name}` is {wants}")


def _lines_of_torch(failure: Failure) -> str:
    """The last lines of the traceback, where it came up in torch.optim or in what that calls."""
    last = failure.frames[-3:]
    inside = any("/torch/optim/" in frame.posix for frame in last)
    return " ".join(frame.text for frame in last) if inside else ""
