"""Error messages: an operator has no form in ONNX of that opset."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("not-in-this-opset")
def not_in_this_opset(failure: Failure) -> Hits:
    op, opset, since = (failure.groups.get(name) for name in ("op", "opset", "since"))
    advice = _for_no_form(op or "", since or "")
    yield failure.hit(say("not-in-opset", op=op, opset=opset, advice=advice))


@explains("opset-of-another-torch")
def opset_of_another_torch(failure: Failure) -> Hits:
    yield failure.hit(_opset_not_written(failure.groups["opset"] or failure.groups["told"]))


@explains("without-translation")
def without_translation(failure: Failure) -> Hits:
    if failure.kind != "KeyError" or "torch/onnx/" in failure.raised_in:
        op, newer = failure.groups["op"], "OpOverload" in failure.message
        older = say("no-translation", op=op)
        yield failure.hit(say("no-translation-by-dynamo", op=op) if newer else older)


@explains("not-in-this-form")
def not_in_this_form(failure: Failure) -> Hits:
    op, why = failure.groups["op"], failure.groups.get("why", "")
    known = say("not-in-this-form-because", op=op, why=why)
    yield failure.hit(known if why else say("not-in-this-form", op=op))


@explains("not-a-constant")
def not_a_constant(failure: Failure) -> Hits:
    op = failure.groups["op"]
    yield failure.hit(say("size-not-constant-in", op=op) if op else say("size-not-constant"))


def _for_no_form(op: str, since: str) -> Message:
    """What to do about an operator that an opset of ONNX lacks."""
    if op.endswith(("_native_multi_head_attention", "_transformer_encoder_layer_fwd")):
        return say("disable-fastpath")
    if op.endswith("scaled_dot_product_attention"):
        return say("newer-torch-for-attention")
    return say("opset-that-has-it", since=since) if since else say("higher-opset")


def _opset_not_written(opset: str) -> Message:
    if int(opset) > 8:
        return say("opset-not-written", opset=opset)
    return say("opset-too-old", opset=opset)
