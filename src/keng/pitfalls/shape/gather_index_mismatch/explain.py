"""Error messages: indices and what they index do not fit together."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.pitfalls.shape._shared_explain import extra_dimensions
from keng.rules import explains


@explains("a-dimension-missing")
def a_dimension_missing(failure: Failure) -> Hits:
    yield failure.hit(*_index_of_other_dimensions(failure))


@explains("index-too-large")
def index_too_large(failure: Failure) -> Hits:
    index, there = failure.groups["index"], failure.groups["there"]
    names = {", ".join(map(str, o.shape)): f"`{o.name}`" for o in failure.live.operands}
    yield failure.hit(
        say(
            "index-exceeds",
            name=names.get(index, "the index"),
            index=index,
            other=names.get(there, "the tensor"),
            there=there,
        )
    )


@explains("sizes-beside-the-dimension")
def sizes_beside_the_dimension(failure: Failure) -> Hits:
    shapes, dim = failure.groups["shapes"], failure.groups["dim"]
    yield failure.hit(_told_apart(shapes, int(dim)))


def _index_of_other_dimensions(failure: Failure) -> tuple[Message, Fix | None]:
    """Of gather and scatter: the index does not have as many dimensions as the others."""
    index = [o for o in failure.live.operands if o.dtype == "int64"]
    other = [o.shape for o in failure.live.operands if o not in index]
    if len(index) != 1 or any(len(shape) <= len(index[0].shape) for shape in other):
        return say("index-dimensions-differ"), None
    name, shape = index[0].name, index[0].shape
    missing = extra_dimensions(shape, other[0]) if len(other) == 1 else []
    dim = missing[0] if len(missing) == 1 else 1
    says = say("index-dimension-missing", name=name, shape=shape, dim=dim)
    return says, failure.rewrite(name, f"{{}}.unsqueeze({dim})")


def _told_apart(shapes: str, dim: int) -> Message:
    """Of shapes that a message lists, "src [2, 371] and index [2, 512]", and that may differ only in `dim`:
    where else they differ."""
    sizes = [re.findall(r"\d+", each) for each in re.findall(r"\[([\dx, ]+)\]", shapes)]
    shapes = shapes.replace(" and ", ", ")
    for n, there in enumerate(zip(*sizes, strict=False)):
        if n != dim and len(set(there)) > 1:
            one, other = [*dict.fromkeys(there)][:2]
            return say("differ-elsewhere", shapes=shapes, dim=dim, where=n, one=one, other=other)
    return say("differ-only-in", shapes=shapes, dim=dim)
