"""Who of two tensors on different devices was left behind, and what brings them together."""

from __future__ import annotations

import re

from keng.failures import Failure
from keng.failures.inputs import apart_on_cards

WEIGHTS = frozenset("mat2 weight bias running_mean running_var parameter".split())
INPUTS = frozenset(("mat1", "input"))
"""What a kernel calls the parts of a layer."""

UNMOVED = "the model was not moved, or this layer came after the move or lies in a plain list"
INPUT = (
    "the input was not moved: x.to(device) for every batch, device=x.device for what forward makes"
)
LEFT = "a batch or labels that were not moved, or what was made without device=x.device"
ANY = (
    "a batch or labels, the model or a layer of it that "
    "was not moved, or what was made without device=x.device"
)
BY_NAME = {
    "target": "labels.to(outputs.device)",
    "hidden": "the first state is made without device=x.device",
    "index": "index.to(x.device), or torch.arange(..., device=x.device) where it is made",
    "mask": "mask.to(x.device)",
}
LOSSES = re.compile(r"nll_loss|cross_entropy")
OF_A_LOSS = "the loss keeps its weights there: criterion.to(device), or weight=weight.to(device)"
OF_ATTENTION = "the mask of an attention, as a rule: mask.to(x.device)"
KEPT = re.compile(r"\bself\.([a-z_]\w*)\b(?!\s*[\[(.=])")
STEPPED = re.compile(
    r"\boptim\w*\.step\(|\.step\(\w*optim|[/\\]\w{0,30}optim\w{0,30}(?:[/\\]|\.py$)"
)
OF_BEFORE = "the optimizer was made, or its state loaded, before the model was moved: model.to(device) first"
EXPORTED = re.compile(r"[/\\]torch[/\\]onnx[/\\]|[Cc]onstant folding|\bonnx\.export\(")
EXPORT = "model and inputs on the CPU while it is exported"


def left_behind(failure: Failure, argument: str, one: str, other: str) -> str:
    """Who is at fault, as a rule, where `argument` lies on the device `other`, and all else on `one`."""
    shown = [text for frame in failure.frames for text in (frame.path, frame.text)]
    if any(map(STEPPED.search, shown)):
        return OF_BEFORE
    if any(map(EXPORTED.search, (*shown, failure.told, failure.message))):
        return EXPORT
    if one.startswith("cuda:") and other.startswith("cuda:"):
        return apart_on_cards(failure)
    if not argument and not failure.frames:
        return ANY
    return _by_its_name(failure, argument, other.lower() == "cpu")


def _by_its_name(failure: Failure, argument: str, on_the_cpu: bool) -> str:
    if argument == "weight" and LOSSES.search(failure.message):
        return OF_A_LOSS
    if argument == "batch1" and "baddbmm" in failure.message:
        return OF_ATTENTION
    kept = set(KEPT.findall(failure.line)) if not argument and failure.in_forward else ()
    if len(kept) == 1:
        name = "".join(kept)
        return f"`self.{name}` as a rule, where it is a plain tensor: self.register_buffer('{name}', ...)"
    bias = argument == "self" and "addmm" in failure.message
    if argument in WEIGHTS or bias:
        return UNMOVED if on_the_cpu else INPUT
    if argument in INPUTS:
        return INPUT if on_the_cpu else UNMOVED
    return BY_NAME.get(argument, LEFT) if on_the_cpu else LEFT


def of_an_index(device: str) -> str:
    """Where an index and the tensor that it indexes lie apart, that one on a device."""
    if device.lower() == "cpu":
        says = "the indexed tensor lies on the CPU, its index on a card"
        return f"{says}: x.to(index.device) once, or index.cpu()"
    return f"the index lies on another device than the indexed tensor, {device}: index.to(x.device)"
