"""Error messages: an operator has no form in ONNX of that opset."""

from __future__ import annotations

from keng.explain.advice.compiled import for_no_form, for_no_translation, opset_not_written
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-in-this-opset")
def not_in_this_opset(failure: Failure) -> Hits:
    op, opset, since = (failure.groups.get(name) for name in ("op", "opset", "since"))
    yield failure.hit(f"`{op}` has no form in opset {opset}: {for_no_form(op or '', since or '')}")


@explains("opset-of-another-torch")
def opset_of_another_torch(failure: Failure) -> Hits:
    yield failure.hit(opset_not_written(failure.groups["opset"] or failure.groups["told"]))


@explains("constant-wanted")
def constant_wanted(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is computed, and ONNX wants it constant: a number of Python's, or dynamo=True"
    )


@explains("without-translation")
def without_translation(failure: Failure) -> Hits:
    if failure.kind != "KeyError" or "torch/onnx/" in failure.raised_in:
        cure = for_no_translation("OpOverload" in failure.message)
        yield failure.hit(f"`{failure.groups['op']}` has no translation to ONNX: {cure}")


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
    yield failure.hit(
        f"`{failure.groups['op']}` is not torch's own, and no form in ONNX is registered: torch.onnx.register_custom_op_symbolic, or "
        "plain operations"
    )


@explains("not-translated")
def not_translated(failure: Failure) -> Hits:
    yield failure.hit(
        "the model was captured, and an operation of it has no translation to ONNX: the innermost error names it; dynamo=False is another way"
    )
