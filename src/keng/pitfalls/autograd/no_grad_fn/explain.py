"""Error messages: the loss hangs on nothing that learns."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.autograd._shared import text_around
from keng.rules import explains

CAUSES = (
    "gradients are off, all parameters are frozen, or an operation such as argmax, detach() or "
    "torch.tensor() ended"
)
CHECKPOINTS = re.compile(
    r"use_checkpoint|(?:gradient|activation)[_ -]?checkpoint|utils[./]checkpoint",
    re.IGNORECASE,
)
ADAPTS = re.compile(
    r"\b(?:lora|qlora|peft|adapters?)\b|/peft/|/transformers/trainer", re.IGNORECASE
)
INPUTS_LEARN = "model.enable_input_require_grads(), or use_reentrant=False"
A_NUMBER = re.compile(r"^\s*[a-z]\d?\.backward\(")
MODEL = r"(?P<model>(?:self\.)?(?:my_?)?(?:model|net|network)(?:_ft)?)"
FREEZES = re.compile(
    rf"^\s{{0,20}}for \w+(?:, ?\w+)? in {MODEL}\.(?:named_)?parameters\(\):\s{{1,80}}"
    r"\w+\.(?:requires_grad = False|requires_grad_\(False\))(?P<rest>.{0,4000})",
    re.MULTILINE | re.DOTALL,
)
"""A loop over all parameters of the model that is to be trained."""
THAWS = re.compile(r"requires_grad = True|requires_grad_\((?:True)?\)|\.\w+ = (?:nn\.)?[A-Z]\w+\(")


@explains("nothing-to-go-back-through")
def nothing_to_go_back_through(failure: Failure) -> Hits:
    live = failure.live.unlearned
    if live is not None and live.frozen and not live.off:
        names = " and ".join(f"all {n} parameters of `{name}`" for name, n in live.frozen.items())
        frozen = failure.code.frozen_at() if failure.code is not None else []
        by = f", turned off on line {frozen[0].lineno}" if len(frozen) == 1 else ""
        yield failure.hit(f"nothing learns: {names} have requires_grad=False{by}; leave some on")
        return
    if (before := failure.mended("differentiated_before")) is not None:
        text, call, fix = before
        says = f"`{text}` is a gradient, made on line {call.lineno} without a graph of its own"
        yield failure.hit(f"{says}: create_graph=True there", fix)
        return
    if frozen := _frozen_whole(failure):
        yield failure.hit(
            f"nothing learns: all parameters of `{frozen}` are frozen in the loop over them; leave some on, or set the new layers after it"
        )
        return
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = code.lost_on(line) if code is not None else []
    if not losses:
        yield failure.hit(_hangs_on_nothing(failure))
        return
    loss = losses[0]
    ends = code.graph_ends(loss)
    off, silenced = code.unrecorded(loss), code.silenced(loss)
    if off is None and silenced is not None:
        told, decorator = silenced
        why = f"`{told.name}`, which it is computed by, records none: `@{told.code.text_of(decorator)}`"
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield failure.hit(says, where=told.code.span(decorator))
        return
    if off is not None:
        why = f"`{code.text_of(off)}` is computed on line {off.lineno}, where gradients are off"
    elif ends:
        why = f"`{code.text_of(ends[0])}` on line {ends[0].lineno} ends its graph"
    else:
        why = f"{CAUSES} its graph"
    yield failure.hit(f"`{loss.id}` hangs on nothing that learns: {why}")


def _frozen_whole(failure: Failure) -> str:
    """The model of which the code beside an error freezes all parameters, and none is set free behind."""
    found = FREEZES.search(text_around(failure))
    return found["model"] if found is not None and not THAWS.search(found["rest"]) else ""


def _hangs_on_nothing(failure: Failure) -> str:
    """Where the code does not tell why nothing was recorded."""
    lines = (f"{frame.posix} {frame.text}" for frame in failure.frames)
    shown = (failure.told, failure.message, failure.around, *lines)
    says = "the loss hangs on nothing that learns"
    if any(map(CHECKPOINTS.search, shown)):
        cause = "gradient checkpointing records nothing behind frozen layers"
        return f"{says}: {cause}: {INPUTS_LEARN}"
    if any(map(ADAPTS.search, shown)):
        cause = "all is frozen, as an adapter loaded without is_trainable=True"
        return f"{says}: {cause}, or gradient checkpointing of a frozen model wants {INPUTS_LEARN}"
    if A_NUMBER.search(failure.line):
        return (
            "nothing that this was computed of asks for gradients: "
            "x = torch.tensor(2.0, requires_grad=True) before"
        )
    if "autograd.grad(" in failure.line:
        return f"{says}: x.requires_grad_() of what it is derived by, before anything is computed of it"
    return f"{says}: {CAUSES} its graph; loss.requires_grad_() only hides it"
