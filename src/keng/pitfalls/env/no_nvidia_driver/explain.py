"""Error messages: pyTorch finds no NVIDIA driver, or no card."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import AMDS, WSL
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

BUILDS = re.compile(
    r"failed to solve: |The command '/bin/sh -c|\] RUN |Step \d{1,3}/\d{1,3} : RUN|\b(?:during|in|while) (?:the )?\W?docker build|docker build\W? (?:fail|sequence|sta|step|time)"
)


WHILE_BUILT = "no card is there while an image is built: leave what needs it to the start of the container (--gpus all), or make nvidia the default runtime of Docker's daemon"


FOR_AMD = ("webui-directml", "webui-amdgpu")


OTHER_WEB_UI = "this web UI is the one for AMD's cards, whose torch has no CUDA: --use-directml or --use-zluda there, and the original one for an NVIDIA card"

IN_COLAB = (
    "this Colab has no card: Runtime, Change runtime type, a GPU; or its share of one is used up"
)
IN_WSL = (
    "WSL takes Windows' driver: `wsl --shutdown`, a newer driver in Windows and none inside; nvidia-smi in "
    "both tells"
)
FOR_NVIDIA = (
    "this PyTorch is for NVIDIA's cards, and the one here is of AMD: the build for ROCm (Linux), else "
    "device='cpu'"
)
NO_DRIVER = (
    "the process sees no NVIDIA driver (libcuda.so.1): "
    "--gpus all for a container, else see whether `nvidia-smi` "
    "runs; on a machine without such a card device='cpu'"
)
NO_CARD = (
    "PyTorch sees no card: CUDA_VISIBLE_DEVICES names none, "
    "the container was given none, or it is built for other cards"
)
NO_AMD = (
    "PyTorch for ROCm sees no card: the user in the groups "
    "render and video, /dev/kfd and /dev/dri for a container, "
    "HIP_VISIBLE_DEVICES unset, and `rocminfo` to list it"
)
WEB_UI = (
    "the torch that the web UI installed sees no card: delete "
    "its folder venv, and it installs one with CUDA; without a "
    "card of NVIDIA's --skip-torch-cuda-test --use-cpu all"
)
FOR_DRIVER = {"11": "cu118, torch 2.0 to 2.7", "12": "cu126"}
"""What CUDA a driver knows at most -> the builds for it: those of its major version run."""


@explains("no-driver")
def no_driver(failure: Failure) -> Hits:
    built = BUILDS.search(f"{failure.context} {failure.message}")
    yield failure.hit(WHILE_BUILT if built else _no_driver(failure))


@explains("old-driver")
def old_driver(failure: Failure) -> Hits:
    major, minor = (failure.groups.get(part) or "" for part in ("major", "minor"))
    yield failure.hit(_old_driver(major, minor))


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    web_ui = "able to use GPU" in failure.message and any(map(failure.contains, FOR_AMD))
    built = BUILDS.search(f"{failure.context} {failure.message}")
    yield failure.hit(OTHER_WEB_UI if web_ui else WHILE_BUILT if built else _no_card(failure))


def _no_driver(failure: Failure) -> str:
    """Why a program for NVIDIA's cards finds no driver."""
    text = f"{failure.message} {failure.context}"
    if "libcuda.so:" in failure.message:
        says = "what asks for the driver looks for libcuda.so, and libcuda.so.1 may be there"
        return (
            f"{says}: in WSL "
            "LD_LIBRARY_PATH=/usr/lib/wsl/lib, else a link to it; in a container --gpus all"
        )
    if "couldn't communicate" in failure.message:
        says = (
            "the driver is installed, and its kernel module does "
            "not run, as after a new kernel or with Secure Boot"
        )
        return f"{says}: start the machine again, else install the driver anew (dkms)"
    if _in_colab(failure):
        return IN_COLAB
    if re.search(r"\b[Dd]ocker|--gpus\b|\b[Cc]ontainers?\b|容器", text):
        return NO_DRIVER
    return IN_WSL if failure.matches(WSL) else FOR_NVIDIA if failure.matches(AMDS) else NO_DRIVER


def _in_colab(failure: Failure) -> bool:
    told = re.search(r"\b[Cc]olab\b", f"{failure.message} {failure.context}")
    return bool(told) or any(frame.posix.startswith("/content/") for frame in failure.frames)


def _old_driver(major: str, minor: str) -> str:
    """What helps where the driver is older than the CUDA of the build."""
    knows = f"knows CUDA {major}.{int(minor)} at most" if major else "is too old for this CUDA"
    build = FOR_DRIVER.get(major)
    index = f" (https://download.pytorch.org/whl/{build})" if build else ""
    return f"the driver {knows}: update it, or install a PyTorch built for it{index}"


def _no_card(failure: Failure) -> str:
    """Why PyTorch sees none."""
    text = f"{failure.message} {failure.context}"
    paths = " ".join(frame.posix for frame in failure.frames)
    if "able to use GPU" in failure.message:
        return WEB_UI
    if "HIP" in failure.message or "ROCm" in failure.message:
        return NO_AMD
    if _in_colab(failure):
        return IN_COLAB
    if "/ray/" in paths or re.search(r"\bray\.(?:init|remote|get)\b|ray::", text):
        return (
            "Ray hides the cards from an actor or a task that "
            "asked for none: num_gpus=1 in ray.remote or its options"
        )
    return NO_CARD
