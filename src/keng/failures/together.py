"""Two tensors that meet element by element: what the failing line, or a warning before it, tells of them."""

from __future__ import annotations

import re

from keng.failures import Failure

NAME = r"(?:self\.)?[A-Za-z_]\w{0,40}"
OPERATOR = re.compile(r" (?:[-+*/@]|\*\*) ")
ONE_OPERATION = re.compile(
    rf"(?<![\w.)\]])(?P<one>{NAME}) (?P<sign>[-+*/]) (?P<other>{NAME})(?![\w.(\[])"
)
SUMMED = re.compile(rf"\b{NAME}\((?P<given>{NAME})\)")
UNKEPT = re.compile(
    rf"^(?P<name>{NAME}) (?:-|\+|==) (?P<call>{NAME}(?:\.\w{{1,40}}){{0,3}}\((?P=name)\))$"
)
"""A value that is computed and not kept: the key for `-` and `+` lies beside that for `=`."""
LOSSES = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss"}
WARNED = re.compile(
    r"[Uu]sing a target size \(torch\.Size\(\[[\d, ]{1,60}\]\)\) that is different to the input size"
)


def told_of_two(failure: Failure, one: int, other: int, dim: int) -> tuple[str, str]:
    """How the two meet, and what to do: nothing where nothing tells of them."""
    line = failure.frames[-1].text.strip() if failure.frames else ""
    if (unkept := UNKEPT.match(line)) is not None:
        says = f"`{line}` meets {one} with {other} in dimension {dim}, and keeps no result"
        return says, f"where it stands by itself, `{unkept['name']} = {unkept['call']}` is meant"
    if in_a_loss(failure):
        return of_a_loss(one, other, dim)
    signs = OPERATOR.findall(line)
    found = ONE_OPERATION.findall(line)
    if len(signs) == len(found) == 1:
        return f"`{found[0][0]}` has {one} and `{found[0][2]}` {other} in dimension {dim}", ""
    given = list(dict.fromkeys(SUMMED.findall(line)))
    if {*signs} == {" + "} and len(given) == 2:
        says = f"what is made of `{given[0]}` has {one} in dimension {dim}, and what is made of `{given[1]}`"
        return f"{says} has {other}", "make both of one length before they are given"
    return "", ""


def in_a_loss(failure: Failure) -> bool:
    """Whether a loss of torch.nn compares the two, or has warned before."""
    called = {frame.function for frame in failure.frames if "/torch/nn/" in frame.posix}
    return bool(called & LOSSES) or WARNED.search(f"{failure.told}\n{failure.message}") is not None


def of_a_loss(one: int, other: int, dim: int) -> tuple[str, str]:
    says = f"the output of the model has {one} and the target {other} in dimension {dim}"
    if dim == 1:
        return says, f"as classes or channels: the last layer for {other}, or targets of {one}"
    return says, "a loss that compares one by one takes both of one shape"
