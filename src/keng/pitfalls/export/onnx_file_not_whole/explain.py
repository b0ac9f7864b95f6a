"""Error messages: a file of ONNX is not whole, or is none."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-onnx")
def no_onnx(failure: Failure) -> Hits:
    says = "the file is no ONNX, or cut: a checkpoint, a pointer of Git LFS (git lfs pull), or a broken download; see its size"
    yield failure.hit(says, sure=False)  # of any exporter


@explains("weights-left-behind")
def weights_left_behind(failure: Failure) -> Hits:
    yield failure.hit(
        f"the weights stand in {failure.groups['file']}, which is to lie beside the model under that name, loaded by its path: copy both, or external_data=False"
    )
