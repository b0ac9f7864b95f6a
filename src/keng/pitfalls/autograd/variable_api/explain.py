"""Error messages: tensors are wrapped in `Variable`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("in-a-torch-that-has-variables")
def in_a_torch_that_has_variables(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "Variable":
        yield failure.hit(say("variable-wrapped-second-time"))
    elif came.endswith("Tensor"):
        yield failure.hit(say("before-only-variable-records"))
    else:
        yield failure.hit(say("variable-made-tensor-not", kind=came))


@explains("plain-tensor-in-a-layer")
def plain_tensor_in_a_layer(failure: Failure) -> Hits:
    if any("/torch/nn/" in frame.posix for frame in failure.frames):
        yield failure.hit(say("before-layer-takes-variable"))
