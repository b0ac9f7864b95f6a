"""Error messages: pyTorch finds no NVIDIA driver, or no card."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import AMDS, WSL
from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

BUILDS = re.compile(
    r"failed to solve: |The command '/bin/sh -c|\] RUN |Step \d{1,3}/\d{1,3} : RUN|\b(?:during|in|while) (?:the )?\W?docker build|docker build\W? (?:fail|sequence|sta|step|time)"
)


FOR_AMD = ("webui-directml", "webui-amdgpu")


@explains("no-driver")
def no_driver(failure: Failure) -> Hits:
    built = BUILDS.search(f"{failure.context} {failure.message}")
    yield failure.hit(say("image-build-without-gpu") if built else _no_driver(failure))


@explains("old-driver")
def old_driver(failure: Failure) -> Hits:
    major, minor = (failure.groups.get(part) or "" for part in ("major", "minor"))
    yield failure.hit(_old_driver(major, minor))


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    web_ui = "able to use GPU" in failure.message and any(map(failure.contains, FOR_AMD))
    built = BUILDS.search(f"{failure.context} {failure.message}")
    if web_ui:
        yield failure.hit(say("web-ui-for-amd"))
    else:
        yield failure.hit(say("image-build-without-gpu") if built else _no_card(failure))


def _no_driver(failure: Failure) -> Message:
    """Why a program for NVIDIA GPUs finds no driver."""
    text = f"{failure.message} {failure.context}"
    if "libcuda.so:" in failure.message:
        return say("libcuda-without-version")
    if "couldn't communicate" in failure.message:
        return say("kernel-module-not-running")
    if _in_colab(failure):
        return say("colab-without-gpu")
    if re.search(r"\b[Dd]ocker|--gpus\b|\b[Cc]ontainers?\b|容器", text):
        return say("no-driver")
    if failure.matches(WSL):
        return say("wsl-without-driver")
    return say("pytorch-for-nvidia-on-amd") if failure.matches(AMDS) else say("no-driver")


def _in_colab(failure: Failure) -> bool:
    told = re.search(r"\b[Cc]olab\b", f"{failure.message} {failure.context}")
    return bool(told) or any(frame.posix.startswith("/content/") for frame in failure.frames)


def _old_driver(major: str, minor: str) -> Message:
    """What helps where the driver is older than the CUDA of the build: builds of its major version run."""
    if not major:
        return say("driver-too-old")
    cuda = f"{major}.{int(minor)}"
    if major == "11":
        return say("driver-knows-cuda-11", cuda=cuda)
    if major == "12":
        return say("driver-knows-cuda-12", cuda=cuda)
    return say("driver-knows-older-cuda", cuda=cuda)


def _no_card(failure: Failure) -> Message:
    """Why PyTorch sees none."""
    text = f"{failure.message} {failure.context}"
    paths = " ".join(frame.posix for frame in failure.frames)
    if "able to use GPU" in failure.message:
        return say("web-ui-without-cuda")
    if "HIP" in failure.message or "ROCm" in failure.message:
        return say("no-amd-gpu")
    if _in_colab(failure):
        return say("colab-without-gpu")
    ray = "/ray/" in paths or re.search(r"\bray\.(?:init|remote|get)\b|ray::", text)
    return say("ray-hides-gpus") if ray else say("no-gpu")
