"""Error messages: an optimizer cannot take these options, parameters or gradients."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("sparse-gradients")
def sparse_gradients(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"sparse gradients, which nn.Embedding(sparse=True) gives, are not for {name}: SparseAdam, or sparse=False"
    )


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    size = failure.groups["size"]
    yield failure.hit(
        f"a parameter of size {size} is no matrix, and Muon is for those: AdamW for the rest"
    )
