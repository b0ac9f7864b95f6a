"""Two tensors that meet element by element: what the failing line, or a warning before it, tells of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

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
LOADED = re.compile(r"\w*state\w*\[\w{1,30}\](?:\.data)?\.copy_\(")
MOST_COLOURS = 4
ATTENDS = re.compile(r"att(?:entio)?n|scores?|logits|energy", re.IGNORECASE)
LABELS = re.compile(r"\b\w{0,20}(?:target|label|mask|(?<![a-z])gt(?![a-z]))\w{0,20}\b|\by\b")
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
    if LOADED.search(line):
        says = f"a parameter has {one} in dimension {dim}, and {other} in the file"
        return says, "make the model of the sizes that the file has, or leave this one out"
    if in_a_loss(failure):
        return of_a_loss(one, other, dim)
    small, large = sorted((one, other))
    if (
        dim == 1
        and small in (3, 4)
        and large > MOST_COLOURS
        and LABELS.search(line)
        and not ATTENDS.search(line)
    ):
        says = f"{small} channels, as of a coloured mask, meet {large} classes"
        return says, "F.one_hot of its class numbers, (N, H, W), and permute(0, 3, 1, 2)"
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
    if dim == 1 and one < other and other in BATCHES:
        cure = f"class numbers go into nn.CrossEntropyLoss; else the last layer for {other}"
        return says, f"{cure}, targets of {one}, or target[:, None]"
    if dim == 1:
        return says, f"as classes or channels: the last layer for {other}, or targets of {one}"
    return says, "a loss that compares one by one takes both of one shape"


STEP = re.compile(r"\boptim\w*\.step\(")
MASKED = re.compile(r"\bmasked_fill|[-+*] ?\w{0,30}mask|mask(?:\[[^\]]{0,40}\])? ?[-+*]")
SAME = re.compile(r"[\w)\]] == [\w(]")
BATCHES = {8, 16, 32, 50, 64, 100, 128, 200, 256, 512}
"""Sizes of batches that people choose, above all where there are fewer classes."""


def done_by_the_line(failure: Failure, dim: int) -> str:
    """What the line at which two tensors meet is for, where that tells what is wrong; nothing else."""
    line = failure.line
    if STEP.search(line) or any("/torch/optim/" in frame.posix for frame in failure.frames[-2:]):
        says = "the optimizer's state is of parameters of other sizes, as of another model"
        return f"{says}: make it anew, after the model"
    if ".backward(" in line:
        return "a backward of your own gives a gradient as large as its input, or a tensor was resized since"
    if MASKED.search(line) and ATTENDS.search(line):
        if dim < 2:
            return (
                "scores are (batch, heads, length, length): mask[:, None, None] of (batch, length)"
            )
        return "the mask is for another length: make it of the tokens that came, with those in the cache"
    if dim == 1 and SAME.search(line) and LABELS.search(line.partition("==")[2]):
        return "scores meet labels: scores.argmax(1) == labels"
    return ""
