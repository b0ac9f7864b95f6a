"""Error messages: the model cannot be captured for export."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-captured")
def not_captured(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.export cannot capture the model, see the innermost error; dynamo=False takes the older exporter"
    )


@explains("made-outside")
def made_outside(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that learns is made outside of what is traced: layers of a plain list into nn.ModuleList, a tensor as nn.Parameter, or "
        "detach() it"
    )


@explains("made-of-no-tensors")
def made_of_no_tensors(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(
        f"`{kind}` goes in or out, of which export does not know the tensors: a tuple or dict, or torch.utils._pytree.register_pytree_node"
    )


@explains("onnx-missing")
def onnx_missing(failure: Failure) -> Hits:
    yield failure.hit("the exporter needs a package: pip install onnx")


@explains("package-missing")
def package_missing(failure: Failure) -> Hits:
    yield failure.hit("the newer exporter needs a package: pip install onnxscript, or dynamo=False")


@explains("set-while-captured")
def set_while_captured(failure: Failure) -> Hits:
    yield failure.hit(
        f"forward sets `self.{failure.groups['name']}`: a local variable or a result in its place, a registered buffer, or strict=False"
    )


@explains("changed-in-place")
def changed_in_place(failure: Failure) -> Hits:
    yield failure.hit(
        "what .to() or a view gave is changed in place, which export does not follow: clone() before it, the operation without underscore, or a newer PyTorch"
    )
