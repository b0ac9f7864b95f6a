"""Error messages: an operator has no form in ONNX of that opset."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-this-opset")
def not_in_this_opset(failure: Failure) -> Hits:
    op, opset, since = (failure.groups.get(name) for name in ("op", "opset", "since"))
    yield failure.hit(
        say(
            "has-no-form-opset",
            cure=op,
            opset=opset,
            for_no_form=_for_no_form(op or "", since or ""),
        )
    )


@explains("opset-of-another-torch")
def opset_of_another_torch(failure: Failure) -> Hits:
    yield failure.hit(_opset_not_written(failure.groups["opset"] or failure.groups["told"]))


@explains("constant-wanted")
def constant_wanted(failure: Failure) -> Hits:
    yield failure.hit(say("computed-onnx-wants-constant", op=failure.groups["op"]))


@explains("without-translation")
def without_translation(failure: Failure) -> Hits:
    if failure.kind != "KeyError" or "torch/onnx/" in failure.raised_in:
        cure = _for_no_translation("OpOverload" in failure.message)
        yield failure.hit(say("has-no-translation-onnx", cure=failure.groups["op"], cure_2=cure))


@explains("not-in-this-form")
def not_in_this_form(failure: Failure) -> Hits:
    op, why = failure.groups["op"], failure.groups.get("why", "")
    yield failure.hit(
        f"`{op}` has no form in ONNX{f' ({why})' if why else ''}: a newer opset, dynamo=True, or other operators"
    )


@explains("not-a-constant")
def not_a_constant(failure: Failure) -> Hits:
    op = f" ({failure.groups['op']})" if failure.groups["op"] else ""
    yield failure.hit(
        f"a size that is computed{op} is to be constant in ONNX: int(x.shape[i]), or fixed sizes"
    )


@explains("not-torchs-own")
def not_torchs_own(failure: Failure) -> Hits:
    yield failure.hit(say("not-torch-s-own", op=failure.groups["op"]))


@explains("not-translated")
def not_translated(failure: Failure) -> Hits:
    yield failure.hit(say("model-was-captured-operation"))


def _for_no_form(op: str, since: str) -> str:
    """What to do about an operator that an opset of ONNX lacks."""
    if op.endswith(("_native_multi_head_attention", "_transformer_encoder_layer_fwd")):
        return (
            "torch.backends.mha.set_fastpath_enabled(False) before the export, or a newer PyTorch"
        )
    if op.endswith("scaled_dot_product_attention"):
        return "torch 2.1 or later with opset_version=14 or more, or dynamo=True"
    if since:
        return f"opset_version={since} has it"
    return "a higher opset_version or newer PyTorch, its newer exporter (dynamo=True), or other operators"


def _opset_not_written(opset: str) -> str:
    cure = "a higher opset_version, 11 or more"
    if int(opset) > 8:
        cure = "a lower opset_version, dynamo=True, or a newer PyTorch"
    return f"this exporter does not write opset {opset}: {cure}"


def _for_no_translation(by_the_newer: bool) -> str:
    """What to do about an operator that an exporter to ONNX does not know."""
    if by_the_newer:
        return "a newer PyTorch and onnxscript, dynamo=False, or other operators"
    return "a newer PyTorch or another opset_version, or other operators"
