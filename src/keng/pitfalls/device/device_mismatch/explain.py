"""Error messages: tensors on different devices meet in one operation."""

from __future__ import annotations

from keng.explain.advice.devices import apart_on_cards, layer_and_input, left_behind, of_an_index
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PARTS = {"mat1": " (the input)", "input": " (the input)"} | dict.fromkeys(
    ("mat2", "weight", "bias", "running_mean", "running_var", "parameter"), " (the weights)"
)
"""What a kernel calls an argument -> what the user knows it as."""


@explains("operands-apart")
def operands_apart(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    one, argument = (failure.groups.get(name, "") for name in ("one", "argument"))
    other = failure.groups.get("other") or "another device"
    told, fix, place = failure.left_as_it_was(one, other)
    where = {o.name: o.device for o in failure.live.operands if o.device in (one, other)}
    if told:
        yield failure.hit(f"tensors on {one} and {other} meet: {told}", fix, place)
    elif len(set(where.values())) == 2:
        said = " and ".join(f"`{name}` on {device}" for name, device in where.items())
        held = any(name.startswith("self.") for name in where)
        move = "register what belongs to the module as a buffer" if held else "move one of them"
        yield failure.hit(f"{said} meet: {move}")
    elif failure.given is not None and failure.given.device in (one, other):
        yield failure.hit(layer_and_input(failure, one, other, failure.given.device))
    elif "should be either on" in failure.message:
        yield failure.hit(of_an_index(one))
    else:
        named = f"`{argument}`{PARTS.get(argument, '')} lies on {other}, the others on {one}"
        says = named if argument else f"tensors on {one} and {other} meet"
        yield failure.hit(f"{says}: {left_behind(failure, argument, one, other)}")


@explains("told-by-their-types")
def told_by_their_types(failure: Failure) -> Hits:
    move = left_behind(failure, "", "", "")
    yield failure.hit(f"one tensor lies on the CPU, and one on a card: {move}")


@explains("told-without-names")
def told_without_names(failure: Failure) -> Hits:
    cards = any(failure.groups.values())
    move = apart_on_cards(failure) if cards else left_behind(failure, "", "", "")
    yield failure.hit(f"tensors on different {'cards' if cards else 'devices'} meet: {move}")


@explains("on-two-cards")
def on_two_cards(failure: Failure) -> Hits:
    says = "`{one}` lies on card {here}, `{other}` on card {there}".format(**failure.groups)
    yield failure.hit(f"{says}: {apart_on_cards(failure)}")


@explains("one-left-behind")
def one_left_behind(failure: Failure) -> Hits:
    part, layer = failure.groups["part"] or "weight", failure.layer
    says = f"the {part} of {layer} lies on the GPU, its input on the CPU: move every batch"
    if failure.groups.get("gpu"):
        says = f"the input lies on the GPU, the {part} of {layer} on the CPU: the model was not moved, or this layer is kept where `.to()` does not reach it"
    yield failure.hit(says)
