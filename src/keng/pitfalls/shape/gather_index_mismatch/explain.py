"""Error messages: indices and what they index do not fit together."""

from __future__ import annotations

from keng.explain.advice.dimensions import index_of_other_dimensions
from keng.explain.advice.sizes import told_apart
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("a-dimension-missing")
def a_dimension_missing(failure: Failure) -> Hits:
    yield failure.hit(*index_of_other_dimensions(failure))


@explains("indices-differ")
def indices_differ(failure: Failure) -> Hits:
    yield failure.hit(f"the index tensors do not fit each other: {failure.groups['shapes']}")


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
    yield failure.hit(f"there are {failure.groups['n']} indices, and another number of slices")


@explains("one-count-for-each")
def one_count_for_each(failure: Failure) -> Hits:
    counts, size = failure.groups["counts"], failure.groups["size"]
    yield failure.hit(f"repeat_interleave gets {counts} counts for {size} entries")


@explains("along-a-dimension")
def along_a_dimension(failure: Failure) -> Hits:
    there, index = failure.groups["there"], failure.groups["index"]
    yield failure.hit(f"the tensor has {there} dimensions and the indices {index}: unsqueeze them")


@explains("sizes-beside-the-dimension")
def sizes_beside_the_dimension(failure: Failure) -> Hits:
    shapes, dim = failure.groups["shapes"], failure.groups["dim"]
    yield failure.hit(told_apart(shapes, int(dim)))
