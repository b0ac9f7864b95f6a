"""Error messages: what `torch.onnx.export` is given does not fit the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("too-many-names")
def too_many_names(failure: Failure) -> Hits:
    what, given, there = (failure.groups[name] for name in ("what", "given", "there"))
    yield failure.hit(
        f"{what}_names holds {given} names for {there} that the model has: one for each tensor, none for None"
    )


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(
        f"dynamic_axes speaks of `{failure.groups['name']}`, which is in neither input_names nor output_names: its dimension stays fixed"
    )
