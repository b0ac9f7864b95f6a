"""Error messages: indices and what they index do not fit together."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared_explain import extra_dimensions
from keng.rules import explains


@explains("a-dimension-missing")
def a_dimension_missing(failure: Failure) -> Hits:
    yield failure.hit(*_index_of_other_dimensions(failure))


@explains("indices-differ")
def indices_differ(failure: Failure) -> Hits:
    yield failure.hit(say("index-tensors-do-not", shapes=failure.groups["shapes"]))


@explains("assigned")
def assigned(failure: Failure) -> Hits:
    value, there = failure.groups["value"], failure.groups["there"]
    says = f"what is assigned is [{value}], and what was chosen is [{there}]"
    yield failure.hit(f"{says}: one value for all, or one for each place that the index chose")


@explains("index-too-large")
def index_too_large(failure: Failure) -> Hits:
    index, there = failure.groups["index"], failure.groups["there"]
    names = {", ".join(map(str, o.shape)): f"`{o.name}`" for o in failure.live.operands}
    yield failure.hit(
        f"{names.get(index, 'the index')} [{index}] is larger than {names.get(there, 'the tensor')} [{there}] in another dimension"
    )


@explains("one-for-each-slice")
def one_for_each_slice(failure: Failure) -> Hits:
    yield failure.hit(say("there-indices-another-number", n=failure.groups["n"]))


@explains("one-count-for-each")
def one_count_for_each(failure: Failure) -> Hits:
    counts, size = failure.groups["counts"], failure.groups["size"]
    yield failure.hit(say("repeat-interleave-gets-counts", size=counts, size_2=size))


@explains("along-a-dimension")
def along_a_dimension(failure: Failure) -> Hits:
    there, index = failure.groups["there"], failure.groups["index"]
    yield failure.hit(say("tensor-has-dimensions-indices", index=there, index_2=index))


@explains("sizes-beside-the-dimension")
def sizes_beside_the_dimension(failure: Failure) -> Hits:
    shapes, dim = failure.groups["shapes"], failure.groups["dim"]
    yield failure.hit(_told_apart(shapes, int(dim)))


def _index_of_other_dimensions(failure: Failure) -> tuple[str, Fix | None]:
    """Of gather and scatter: the index has not as many dimensions as the others."""
    index = [o for o in failure.live.operands if o.dtype == "int64"]
    other = [o.shape for o in failure.live.operands if o not in index]
    if len(index) != 1 or any(len(shape) <= len(index[0].shape) for shape in other):
        says = (
            "the index of gather or scatter has another number of dimensions: index.unsqueeze(-1)"
        )
        return f"{says}, of a map of labels unsqueeze(1), or one channel where it has more", None
    name, shape = index[0].name, index[0].shape
    missing = extra_dimensions(shape, other[0]) if len(other) == 1 else []
    form = f"unsqueeze({missing[0] if len(missing) == 1 else 1})"
    says = f"`{name}`, of shape {shape}, has another number of dimensions: {name}.{form}"
    return says, failure.rewrite(name, f"{{}}.{form}")


def _told_apart(shapes: str, dim: int) -> str:
    """Of shapes that a message lists, "src [2, 371] and index [2, 512]", and that may differ in `dim` alone:
    where they do beside it."""
    says = f"{shapes}: they may differ in dimension {dim} alone"
    sizes = [re.findall(r"\d+", each) for each in re.findall(r"\[([\dx, ]+)\]", shapes)]
    for n, there in enumerate(zip(*sizes, strict=False)):
        if n != dim and len(set(there)) > 1:
            return f"{says}, and do in dimension {n}: {' and '.join(dict.fromkeys(there))}"
    return says
