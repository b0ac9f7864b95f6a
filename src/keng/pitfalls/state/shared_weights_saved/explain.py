"""Error messages: weights that share memory are saved to a format that keeps each tensor by itself."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-tensor-twice")
def one_tensor_twice(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(
        f"{names} are one tensor, which safetensors does not store twice: save_model for a module, or "
        "safe_serialization=False (save_safetensors=False for a Trainer)"
    )


@explains("view-with-gaps")
def view_with_gaps(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a view of another tensor's memory: {{k: v.contiguous() for k, v in state.items()}} before saving"
    )


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    cure = "model.state_dict() alone" if kind.endswith("dict") else "metadata={name: str(value)}"
    yield failure.hit(
        f"safetensors keeps tensors alone, and `{name}` is a {kind}: {cure}, or torch.save"
    )
