"""Error messages: a shape is unpacked into another number of names than the tensor has dimensions."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains

UNPACKED = re.compile(
    r"\(?[\w, ]{3,120}\)? = (?P<of>\w[\w.()\[\], :-]{0,80})\.(?P<how>shape|size\(\))(?:[ \t]*#.*)?$"
)


LIBRARIES = re.compile(r"/(?:transformers/models|timm/models|diffusers/models|torchvision/models)/")
"""Where their models are, whose forwards take tensors."""


@explains("other-dimensions")
def other_dimensions(failure: Failure) -> Hits:
    if (known := _unpacked_along_another(failure)) is not None:
        yield failure.hit(*known)
        return
    inside = _of_a_model(failure)
    line = inside or failure.line
    pasted = [line] if line else failure.surrounding.splitlines()
    found = next((m for line in pasted if (m := UNPACKED.match(line.strip()))), None)
    there = [o for o in failure.live.operands if found is not None and o.name == found["of"]]
    if found is None or not (inside or there or _is_of_tensor(failure, found["of"], found["how"])):
        return  # an array has a shape too
    wants, came = int(failure.groups["wants"]), failure.groups["came"]
    name, shape = found["of"], there[0].shape if there else ()
    has = len(shape) if there else int(came or 0)
    if not has:
        says = (
            say("model-gets-more", name=name, wants=wants)
            if inside
            else say("unpacked-too-few", name=name, wants=wants)
        )
    elif has == wants - 1:
        says = say("dimension-missing", name=name, has=has, wants=wants)
    else:
        says = say("dimensions-unpacked", name=name, has=has, wants=wants)
    yield failure.hit(say("with-shape", says=says, shape=shape) if there else says)


def _of_a_model(failure: Failure) -> str:
    """The line that failed in the forward of a library's model."""
    last = failure.frames[-1] if failure.frames else None
    called = last is not None and not last.user and last.function.startswith("forward")
    models = called and LIBRARIES.search(failure.raised_in) is not None
    return last.text if last is not None and models else ""


def _is_of_tensor(failure: Failure, text: str, how: str) -> bool:
    """Whether it is made from a tensor that is known, or stands in a forward."""
    if how == "size()":
        return True  # of an array it is a number
    begins = (rf"{re.escape(o.name)}[.\[]" for o in failure.live.operands)
    if any(re.match(each, text) for each in begins) and "numpy" not in text:
        return True
    return failure.in_forward or (bool(failure.surrounding) and failure.line_uses_torch)


def _unpacked_along_another(failure: Failure) -> tuple[Message, Fix | None] | None:
    """Where a tensor itself is unpacked, along its first dimension, and its last one has as many."""
    there, wants = failure.live.operands, int(failure.groups["wants"])
    whole = len(there) == 1 and re.search(
        rf"= {re.escape(there[0].name)}\s*(?:#.*)?$", failure.line
    )
    if not whole or len(there[0].shape) < 2 or there[0].shape[-1] != wants:
        return None
    name, shape = there[0].name, there[0].shape
    if len(shape) == 2:
        says = say("transposed-before-unpacking", name=name, shape=shape, wants=wants)
        return says, failure.rewrite(name, "{}.T")
    says = say("unpacked-along-first", name=name, shape=shape, wants=wants)
    return says, failure.rewrite(name, "{}.unbind(-1)")
