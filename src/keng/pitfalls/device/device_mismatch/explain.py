"""Error messages: tensors on different devices meet in one operation."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.device._shared_explain import left_behind
from keng.rules import explains

PARTS = {"mat1": " (the input)", "input": " (the input)"} | dict.fromkeys(
    ("mat2", "weight", "bias", "running_mean", "running_var", "parameter"), " (the weights)"
)
"""What a kernel calls an argument -> what the user knows it as."""

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
REPLICATES = re.compile(r"(?<!Distributed)(?<!\bDDP)\bDataParallel\b")
OF_A_METRIC = (
    "a metric that DataParallel's replicas update keeps its state on the first card: update it with what was "
    "gathered (*_step_end), or DistributedDataParallel"
)
COLLECTED = "outputs of several cards are put together: .detach().cpu() of each where it is kept"
TWO_CARDS = "x.to(other.device), and what forward makes with device=x.device"
ON_A_REPLICA = (
    "DataParallel copies what a module registers; a hook, a plain tensor, a list of layers "
    "or .cuda() in forward stays on the first card: x.device, register_buffer, or DistributedDataParallel"
)


@explains("operands-apart")
def operands_apart(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    one, argument = (failure.groups.get(name, "") for name in ("one", "argument"))
    other = failure.groups.get("other") or "another device"
    told, fix, place = left_behind(failure, one, other)
    where = {o.name: o.device for o in failure.live.operands if o.device in (one, other)}
    if told:
        yield failure.hit(say("tensors-on-meet", cure=one, other=other, told=told), fix, place)
    elif len(set(where.values())) == 2:
        said = " and ".join(f"`{name}` on {device}" for name, device in where.items())
        held = any(name.startswith("self.") for name in where)
        move = "register what belongs to the module as a buffer" if held else "move one of them"
        yield failure.hit(f"{said} meet: {move}")
    elif failure.input is not None and failure.input.device in (one, other):
        yield failure.hit(_layer_and_input(failure, one, other, failure.input.device))
    elif "should be either on" in failure.message:
        yield failure.hit(_of_an_index(one))
    else:
        named = f"`{argument}`{PARTS.get(argument, '')} lies on {other}, the others on {one}"
        says = named if argument else f"tensors on {one} and {other} meet"
        yield failure.hit(f"{says}: {_left_behind(failure, argument, one, other)}")


@explains("told-by-their-types")
def told_by_their_types(failure: Failure) -> Hits:
    move = _left_behind(failure, "", "", "")
    yield failure.hit(say("one-tensor-lies-on", cure=move))


@explains("told-without-names")
def told_without_names(failure: Failure) -> Hits:
    cards = any(failure.groups.values())
    move = _apart_on_cards(failure) if cards else _left_behind(failure, "", "", "")
    yield failure.hit(f"tensors on different {'cards' if cards else 'devices'} meet: {move}")


@explains("on-two-cards")
def on_two_cards(failure: Failure) -> Hits:
    says = "`{one}` lies on card {here}, `{other}` on card {there}".format(**failure.groups)
    yield failure.hit(f"{says}: {_apart_on_cards(failure)}")


@explains("one-left-behind")
def one_left_behind(failure: Failure) -> Hits:
    part, layer = failure.groups["part"] or "weight", failure.layer
    says = f"the {part} of {layer} lies on the GPU, its input on the CPU: move every batch"
    if failure.groups.get("gpu"):
        says = say("input-lies-on-gpu", layer=part, layer_2=layer)
    yield failure.hit(says)


def _layer_and_input(failure: Failure, one: str, other: str, given: str) -> str:
    """How the weights of a layer and its input lie on different devices, the input on the given one."""
    held = failure.live.layer.held if failure.live.layer is not None else ()
    apart = [operand for operand in held if operand.device != given]
    if 0 < len(apart) < len(held):
        names = " and ".join(f"`{operand.name}`" for operand in apart)
        rest = f"the rest of {failure.layer} on {given}: it was not moved along"
        return f"{names} lies on {apart[0].device}, {rest}"
    weights = one if given == other else other
    hidden = failure.live.layer.unregistered_in if failure.live.layer is not None else ""
    move = f"`.to()` does not look into `{hidden}`, a plain list"
    if not hidden:
        move = f"{_outermost(failure)}.to('{given}')" if weights == "cpu" else "move the input"
    cure = f"on {weights}, its input on {given}: {move}"
    if weights == "meta":
        cure = f"on meta and hold no numbers: to_empty(device='{given}'), then load them"
    return f"the weights of {failure.layer} lie {cure}"


def _outermost(failure: Failure) -> str:
    """What to move a layer with: `net` of `net.body.0`."""
    name = failure.layer_name or "model"
    return name if name.startswith("self.") else name.partition(".")[0].partition("[")[0]


def _of_an_index(device: str) -> str:
    """Where an index and the tensor that it indexes lie apart, that one on a device."""
    if device.lower() == "cpu":
        says = "the indexed tensor lies on the CPU, its index on a card"
        return f"{says}: x.to(index.device) once, or index.cpu()"
    return f"the index lies on another device than the indexed tensor, {device}: index.to(x.device)"


def _left_behind(failure: Failure, argument: str, one: str, other: str) -> str:
    """Who is at fault, as a rule, where `argument` lies on the device `other`, and all else on `one`."""
    shown = [text for frame in failure.frames for text in (frame.path, frame.text)]
    if any(map(STEPPED.search, shown)):
        return OF_BEFORE
    if any(map(EXPORTED.search, (*shown, failure.context, failure.message))):
        return EXPORT
    if one.startswith("cuda:") and other.startswith("cuda:"):
        return _apart_on_cards(failure)
    if not argument and not failure.frames:
        return ANY
    return _by_its_name(failure, argument, other.lower() == "cpu")


def _apart_on_cards(failure: Failure) -> str:
    """What brings together tensors that lie on two cards."""
    if failure.contains("torchmetrics") or "torchmetrics" in failure.context:
        return OF_A_METRIC
    if any(frame.function.endswith("epoch_end") for frame in failure.frames):
        return COLLECTED
    parallel = failure.passed_through("torch/nn/parallel/parallel_apply.py")
    named = REPLICATES.search(f"{failure.surrounding} {failure.message}")
    return ON_A_REPLICA if parallel or named else TWO_CARDS


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
