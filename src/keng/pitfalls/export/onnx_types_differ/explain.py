"""Error messages: an exported model has types that ONNX, or its runtime, does not take together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("meet-in-a-node")
def meet_in_a_node(failure: Failure) -> Hits:
    one, other, node = (failure.groups[name] for name in ("one", "other", "node"))
    yield failure.hit(
        f"{one} and {other} meet{f' in `{node}`' if node else ''}, and ONNX converts neither: the same dtype in the model's code, or a newer exporter"
    )


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    op, kind = failure.groups["op"], failure.groups["kind"]
    cure = ".float() or .long()" if kind == "bool" else ".long()" if kind == "float" else ".float()"
    yield failure.hit(f"ONNX's {op} takes no {kind}: {cure} before it in the model")


@explains("without-kernel")
def without_kernel(failure: Failure) -> Hits:
    yield failure.hit(
        f"ONNX Runtime has no {failure.groups['op']} for this type on this device: float32 or int64, a newer onnxruntime, or a provider that has it"
    )
