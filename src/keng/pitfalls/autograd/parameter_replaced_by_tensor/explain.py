"""Error messages: a parameter is to be replaced by a plain tensor."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.torch_names import MODULES

COLLECTED = {
    "type": "an object of it, parentheses",
    "Tensor": "the layer, and not what it gives: nn.ReLU(), not relu(x)",
    "FloatTensor": "the layer, and not what it gives: nn.ReLU(), not relu(x)",
    "list": "nn.Sequential(*layers)",
    "dict": "nn.Sequential(OrderedDict(layers))",
    "OrderedDict": "nn.Sequential(layers), and nothing besides",
}


OTHERWISE = "another name, or a small nn.Module around a function"


PARTS = {"list": "nn.ModuleList([...])", "dict": "nn.ModuleDict({...})"}


RESULT = "another name for what the layer gives, the layer keeps this one"


@explains("plain-tensor")
def plain_tensor(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("parameter-nn-parameter-or", name=name))


@explains("no-module")
def no_module(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    if cure := COLLECTED.get(kind, "" if kind not in MODULES else "an object of it, parentheses"):
        yield failure.hit(say("container-modules-takes-modules-2", cure=kind, cure_2=cure))
        return
    yield failure.hit(say("container-modules-takes-modules", kind=failure.groups["kind"]))


@explains("another-place")
def another_place(failure: Failure) -> Hits:
    kind, what, name = (failure.groups[key] for key in ("kind", "what", "name"))
    if failure.passed_through("torch/nn/modules/loss.py"):
        yield failure.hit(say("loss-tensor-not-torch", kind=name, kind_2=kind))
        return
    tensor = kind.endswith(("Tensor", "Variable"))
    cure = {
        "buffer": "torch.as_tensor(...), or another name for what is none",
        "parameter": "nn.Parameter(x.detach()) for its value, or another name and compute it in forward",
    }.get(what, RESULT if tensor else PARTS.get(kind, OTHERWISE))
    yield failure.hit(f"`{name}` is a {what}, and a {kind} is assigned to it: {cure}")
