"""Error messages: a PyTorch for Intel's cards finds no library or driver of theirs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("runtime-missing")
def runtime_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']}, of Intel's runtime, is not found: reinstall from the index whl/xpu, or source oneAPI's setvars.sh of the "
        "version that this PyTorch was built with"
    )


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    yield failure.hit(
        "no card of Intel's is seen: its driver (Level Zero) is missing or too old, or the user is not in the group `render`"
    )


@explains("extension-for-another")
def extension_for_another(failure: Failure) -> Hits:
    wanted, own = failure.groups["wanted"], failure.groups["own"]
    yield failure.hit(f"the extension wants {wanted}, and {own} is installed: the same numbers")


@explains("tensors-on-the-cpu")
def tensors_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        f'`{failure.groups["name"]}` is for Intel\'s cards, and its tensors lie on the CPU: model and inputs by .to("xpu"), and see that '
        "torch.xpu.is_available()"
    )


@explains("extension-not-loaded")
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        f"`import torch` loads {failure.groups['name']}, and that fails, see the error above: its release for this PyTorch, or "
        "TORCH_DEVICE_BACKEND_AUTOLOAD=0; torch before all that uses it"
    )
