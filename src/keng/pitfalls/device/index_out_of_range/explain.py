"""Error messages: an index points outside the tensor, or is no integer."""

from __future__ import annotations

from keng.explain.advice.fits import index_of_floats
from keng.explain.advice.indices import outside_of, past_the_end, table_that_lacks_a_row, where_from
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("outside-the-table")
def outside_the_table(failure: Failure) -> Hits:
    seen, layer = failure.live.indices, failure.layer
    if seen is None:
        table = table_that_lacks_a_row(failure)
        yield failure.hit(f"an index is below 0, or not below the number of rows of {table}")
        return
    rows, need = seen.classes, seen.highest + 1
    says = f"{layer} has {rows} rows, 0 to {rows - 1}; indices run from {seen.lowest} to {need - 1}{seen.first_at}"
    if seen.lowest < 0:
        yield failure.hit(f"{says}: a negative one is no row")
        return
    fix = failure.remade("num_embeddings", 0, rows, need)
    yield failure.hit(f"{says}: num_embeddings={need}, or other indices", fix=fix, rows=rows)


@explains("outside-the-dimension")
def outside_the_dimension(failure: Failure) -> Hits:
    index, sizes = int(failure.groups["index"]), failure.groups.get("sizes", "").split(",")
    size = int(failure.groups.get("size") or sizes[int(failure.groups["dim"])])
    whole = failure.layer if failure.in_layer("EmbeddingBag") else "the tensor"
    dim = f"dimension {failure.groups['dim']}" if failure.groups.get("dim") else whole
    places = f"has {size} places, 0 to {size - 1}" if size else "is empty"
    said = where_from(failure, index, size)
    why = f": {said}" if said else past_the_end(failure, index, size)
    yield failure.hit(f"index {index} is outside: {dim} {places}{why}", index=index, size=size)


@explains("no-integers")
def no_integers(failure: Failure) -> Hits:
    yield failure.hit(*index_of_floats(failure))


@explains("told-without-a-number")
def told_without_a_number(failure: Failure) -> Hits:
    yield failure.hit(outside_of(failure, failure.groups["check"]))


@explains("nodes-that-are-not-there")
def nodes_that_are_not_there(failure: Failure) -> Hits:
    came, valid = failure.groups["came"], failure.groups["valid"]
    yield failure.hit(f"edge_index names nodes {came}, and there are {valid}")
