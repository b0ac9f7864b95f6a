"""What the line and the words beside an error of autograd tell of the passes that led to it."""

from __future__ import annotations

import re
from math import prod

from keng.explain.advice.edits import under_no_grad
from keng.explain.failure import Failure
from keng.model import Fix

OF_A_CRITIC = re.compile(
    r"(?:loss|err)_?(?:[dDgG]|dis\w*|gen(?:erator)?|critic)\b|"
    r"\b(?:[dDgG]|dis\w{0,12}|gen(?:erator)?|critic)_?(?:loss|err)\w*|_[DG]\b"
)
"""How the losses of two adversaries are called, and what steps one: a generator's goes through what the
discriminator's has freed."""
DETACHED = (
    "detach() a state of the batch before or another network's output; two losses of one forward are "
    "added, or each has its own; what is computed before the loop belongs into it"
)
ADVERSARIES = (
    "the discriminator is to get fake.detach(), and a penalty or a second loss of the same forward is "
    "added and goes back once"
)


def gone_back_twice(failure: Failure, name: str) -> str:
    """Where the code does not tell which backward came before."""
    lines = " ".join(f"{f.function} {f.text}" for f in failure.frames if f.user)
    cure = ADVERSARIES if OF_A_CRITIC.search(lines) else DETACHED
    return f"{name} reaches a graph that an earlier backward has freed: {cure}"


def shared(*losses: str) -> str:
    """What to do with two losses of one graph, by how they are called."""
    adverse = OF_A_CRITIC.search(" ".join(losses)) is not None
    return ADVERSARIES if adverse else "add the losses and go back once"


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


def hangs_on_nothing(failure: Failure) -> str:
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


SETS_VALUES = re.compile(
    r"\.(?:fill|zero|normal|uniform|copy|clamp|xavier\w*|kaiming\w*|constant)_\(|"
    r"\blr\b|\.grad\b|learning_rate|\binit|\.(?:weight|bias)(?:\.data)?\["
)
"""A start value, or a step made by hand."""
STARTS = re.compile(r"init|reset_parameters|load|edit|prune")
"""Functions that give weights their values."""
EITHER = (
    "a start value or a step under torch.no_grad(); what is learned through is made anew, x = x + y, "
    "or x.clone() first"
)


def changed_leaf(failure: Failure, thing: str) -> tuple[str, Fix | None]:
    """What to do instead, and a fix where the line moves it along its gradient."""
    says, fix = (
        f"{thing}, which gathers gradients, is changed in place",
        failure.mended(under_no_grad),
    )
    where = failure.frames[-1].function if failure.frames else ""
    if fix is not None or SETS_VALUES.search(failure.line) or STARTS.search(where):
        return f"{says}: do it under torch.no_grad()", fix
    if failure.in_forward and thing.startswith("a part"):
        return f"{says} in forward: x = x.clone() first, as no_grad would cut what is learned", None
    if failure.in_forward:
        return f"{says} in forward: x = x + y, as no_grad would cut what is learned", None
    return f"{says}: {EITHER}", None


PARAMETER = re.compile(r"(?:\w+\.)*(?:p|q|param|parameter)s?\d?(?:\[.{0,40}\])?")
IMAGE = re.compile(
    r"(?:\w+\.)*(?:x|im|img|images?|data|inputs?|noise|delta|adv\w*|perturb\w*)(?:_\w{1,10})?"
)
UPDATES = r"zero_|\b{}(?:\.data)? ?-|\blr\b|learning_rate"


def without_gradient(name: str, line: str) -> str:
    """Why `.grad` of what is called so is None."""
    says = f"`{name}.grad` is None"
    if PARAMETER.fullmatch(name):
        why = "it is frozen, the loss does not reach it, or no backward() came before"
        return f"{says}: {why}: `if {name}.grad is not None` in a loop over all"
    if re.search(UPDATES.format(re.escape(name)), line):
        step = f"`{name} = {name} - lr * {name}.grad`, which makes a result"
        return f"{says} before the first backward, and behind {step}: {name} -= ... under torch.no_grad()"
    if IMAGE.fullmatch(name):
        first = f"{name}.requires_grad_() before the forward, of the very tensor that goes in"
        return f"{says}: {first}, behind .to() and view()"
    return f"{says}: backward() fills it, of leaves that require gradients and that the loss depends on"


NUMBERS = re.compile(r"\[[\d, ]*\]")


def fitted_gradient(came: str, there: str, what: str) -> str:
    """What makes a gradient, "[4, 3]" or "cpu", where `what` is "device" or "type", one of its argument."""
    if not (NUMBERS.fullmatch(came) and NUMBERS.fullmatch(there)):
        if what == "device" or ("cuda" in came) != ("cuda" in there):
            return "grad.to(x.device)"
        return (
            "grad.to(x.dtype)" if what == "type" else "shape, dtype and device are the argument's"
        )
    got, wants = ([int(n) for n in re.findall(r"\d+", each)] for each in (came, there))
    if 0 in wants or 0 in got:
        return "nothing is left of one of them, and the function is not made for that"
    if len(got) != len(wants) and prod(got) == prod(wants):
        return "grad.reshape(x.shape)"
    if got != wants and sorted(got) == sorted(wants):
        return "the same sizes in another order: transpose it"
    return "one gradient for each argument, in the order of forward and in its shape"


NAMES_PARAMETERS = re.compile(
    r"parameters\(|\bfreez|\bfroz|requires_grad ?= ?False|requires_grad_\(False|\bMAML\b|learner|checkpoint",
    re.IGNORECASE,
)
FROZEN = "frozen parameters are left out, [p for p in model.parameters() if p.requires_grad]"


def asked_of_a_constant(failure: Failure) -> str:
    """Of a tensor whose gradient is asked for, and that records none."""
    there = [o.name for o in failure.live.operands if not o.requires_grad]
    name = there[0] if len(there) == 1 else "x"
    before = f"{name}.requires_grad_() before anything is computed from it"
    shown = (failure.line, failure.told, failure.message, failure.around)
    if len(there) == 1:
        return f"`{name}` records no gradient: {before}"
    if any(map(NAMES_PARAMETERS.search, shown)):
        return f"a gradient is asked for of what records none: {FROZEN}"
    return f"`x` records no gradient: {before}; {FROZEN}"
