"""Error messages: cUDA cannot start, and does not say why."""

from __future__ import annotations

from keng.explain.advice.platforms import WINDOWS, WSL
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("driver-left-broken")
def driver_left_broken(failure: Failure) -> Hits:
    yield failure.hit(_unknown_to_the_driver(failure))


@explains("cards-not-counted")
def cards_not_counted(failure: Failure) -> Hits:
    yield failure.hit(
        say(
            "driver-fails-while-cards",
            code=failure.groups["why"].strip(),
            code_2=failure.groups["code"],
        )
    )


@explains("not-started")
def not_started(failure: Failure) -> Hits:
    yield failure.hit(say("cuda-does-not-start"))


def _unknown_to_the_driver(failure: Failure) -> str:
    """Where CUDA only says that it knows no more."""
    starts = any(frame.function in ("_lazy_init", "device_count") for frame in failure.frames)
    starts = starts or "set up environment" in failure.message
    if failure.frames and not starts:
        says = (
            "the card or its driver gave up in the midst of a "
            "run, as by heat, power or Windows' limit for a kernel"
        )
        return (
            f"{says}, or an earlier kernel failed: "
            "CUDA_LAUNCH_BLOCKING=1, then nvidia-smi, a newer driver, a restart"
        )
    says = "CUDA's part of the driver does not answer"
    if failure.matches(WINDOWS) or failure.matches(WSL):
        return (
            f"{says}: restart the machine (WSL: wsl --shutdown), then a "
            "newer driver; CUDA_VISIBLE_DEVICES as it was at the start"
        )
    why = "/dev/nvidia-uvm is missing, or the module is broken after a suspend"
    return f"{says}: {why}; sudo nvidia-modprobe -u, or reload nvidia_uvm"
