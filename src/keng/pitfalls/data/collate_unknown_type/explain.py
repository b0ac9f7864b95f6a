"""Error messages: a batch is to be made of items that are no tensors, arrays or numbers."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NUMBERS = "torch.tensor(list) makes one of numbers"


OF_A_LIST = {
    **dict.fromkeys(("float", "int", "bool", "float32", "float64", "int64"), NUMBERS),
    "NoneType": "what was to make it returned nothing, or it is the .grad of what got none",
    "ndarray": "torch.from_numpy of each, or np.concatenate before",
    "tuple": "the part that is meant, as of a model that returns several",
    "list": "cat each list by itself first, or torch.tensor(list) of numbers",
}
"""What stands where tensors are joined -> what to do."""


@explains("stranger-in-a-batch")
def stranger_in_a_batch(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind == "NoneType":
        told = failure.live.fetched.in_brackets
        yield failure.hit(
            f"`__getitem__` returned None for a sample{told}: a return is missing, or it was unreadable"
        )
    elif "PIL" in kind:
        yield failure.hit(say("pil-image-batch-transforms"))
    elif "torch_geometric" in kind or kind.startswith("dgl"):
        yield failure.hit(say("graphs-joined-loader-their"))
    elif kind[0] in "<>|":
        yield failure.hit(say("sample-holds-numpy-array", kind=kind))
    elif kind == "object" and "<class" not in failure.message:
        yield failure.hit(say("sample-holds-array-dtype"))
    else:
        yield failure.hit(say("cannot-joined-batch-return", kind=kind))


@explains("stranger-among-tensors")
def stranger_among_tensors(failure: Failure) -> Hits:
    nth, kind = failure.groups["nth"], failure.groups["kind"]
    if failure.passed_through("torch/utils/data/_utils/collate.py"):
        says = (
            "`__getitem__` returned None"
            if kind == "NoneType"
            else f"`__getitem__` returned a {kind}"
        )
        told = failure.live.fetched.in_brackets
        yield failure.hit(f"{says} for sample {nth} of the batch{told}, tensors for others")
    else:
        cure = OF_A_LIST.get(kind.rpartition(".")[2], "take its tensors out first")
        yield failure.hit(
            say("element-list-no-tensor", cure=nth, kind=kind, cure_2=cure), sure=False
        )


@explains("of-another-layout")
def of_another_layout(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['kind']} tensors are not stacked: a collate_fn of one's own, or dense ones"
    )
