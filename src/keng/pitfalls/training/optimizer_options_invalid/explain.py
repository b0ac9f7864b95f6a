"""Error messages: an optimizer or scheduler gets options, parameters or gradients that it does not accept."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

KINDS = ("str", "NoneType", "tuple", "list")

OPTION = re.compile(
    r"\b(initial_lr|min_lr|lr|eps|weight_decay|momentum|dampening|rho|alpha|lr_decay|lambd|factor|gamma)(?:s\[i\])?(?!\w)"
)


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    came = [k for k in (failure.groups["one"], failure.groups["other"]) if k in KINDS]
    named = OPTION.findall(_lines_of_torch(failure))
    if not came or not named:
        return
    name, kind = named[-1], came[0]
    if kind == "str":
        yield failure.hit(say("option-is-string", name=name))
    elif kind == "NoneType":
        yield failure.hit(say("option-is-none", name=name))
    else:
        yield failure.hit(say("option-is-sequence", name=name, kind=kind))


@explains("one-number")
def one_number(failure: Failure) -> Hits:
    text = _lines_of_torch(failure)
    if "betas" in text:
        yield failure.hit(say("betas-is-pair"))
    if "milestones" in text:
        yield failure.hit(say("milestones-is-list"))


def _lines_of_torch(failure: Failure) -> str:
    """The last lines of the traceback, where it came up in torch.optim or in what that calls."""
    last = failure.frames[-3:]
    inside = any("/torch/optim/" in frame.posix for frame in last)
    return " ".join(frame.text for frame in last) if inside else ""
