"""Error messages: a batch is to be made of items that are no tensors, arrays or numbers."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NUMBERS = say("numbers-in-list")


OF_A_LIST = {
    **dict.fromkeys(("float", "int", "bool", "float32", "float64", "int64"), NUMBERS),
    "NoneType": say("none-in-list"),
    "ndarray": say("arrays-in-list"),
    "tuple": say("tuple-in-list"),
    "list": say("list-in-list"),
}
"""What to do where such an object is among tensors to join."""


@explains("stranger-in-a-batch")
def stranger_in_a_batch(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind == "NoneType":
        yield failure.hit(say("sample-is-none", fetched=failure.live.fetched.in_brackets))
    elif "PIL" in kind:
        yield failure.hit(say("pil-image"))
    elif "torch_geometric" in kind or kind.startswith("dgl"):
        yield failure.hit(say("graphs-need-own-loader"))
    elif kind[0] in "<>|":
        yield failure.hit(say("array-of-text", kind=kind))
    elif kind == "object" and "<class" not in failure.message:
        yield failure.hit(say("array-of-objects"))
    else:
        yield failure.hit(say("type-not-collated", kind=kind))


@explains("stranger-among-tensors")
def stranger_among_tensors(failure: Failure) -> Hits:
    nth, kind = failure.groups["nth"], failure.groups["kind"]
    if failure.passed_through("torch/utils/data/_utils/collate.py"):
        fetched = failure.live.fetched.in_brackets
        says = say("sample-of-type", kind=kind, nth=nth, fetched=fetched)
        if kind == "NoneType":
            says = say("one-sample-is-none", nth=nth, fetched=fetched)
        yield failure.hit(says)
    else:
        advice = OF_A_LIST.get(kind.rpartition(".")[2], say("other-in-list"))
        yield failure.hit(say("element-no-tensor", nth=nth, kind=kind, advice=advice), sure=False)
