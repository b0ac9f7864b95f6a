"""Error messages: an exported model has types that ONNX, or its runtime, does not take together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("meet-in-a-node")
def meet_in_a_node(failure: Failure) -> Hits:
    one, other, node = (failure.groups[name] for name in ("one", "other", "node"))
    yield failure.hit(
        say(
            "meet-onnx-converts-neither",
            where=one,
            other=other,
            value=f" in `{node}`" if node else "",
        )
    )


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    op, kind = failure.groups["op"], failure.groups["kind"]
    cure = ".float() or .long()" if kind == "bool" else ".long()" if kind == "float" else ".float()"
    yield failure.hit(say("onnx-s-takes-no", cure=op, kind=kind, cure_2=cure))


@explains("without-kernel")
def without_kernel(failure: Failure) -> Hits:
    yield failure.hit(say("onnx-runtime-has-no", op=failure.groups["op"]))
