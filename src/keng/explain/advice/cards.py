"""Why a card is not seen, or has no code: by its name, and by the place of which a text tells."""

from __future__ import annotations

import re

from keng.explain.advice.systems import AMDS, JETSON, WINDOWS, WSL
from keng.explain.failure import Failure

BLACKWELL = (
    "RTX 50 and other cards of Blackwell want PyTorch 2.7 or later for CUDA 12.8: --index-url "
    "https://download.pytorch.org/whl/cu128, and extensions that are built with it"
)
NEWER = {
    BLACKWELL: re.compile(
        r"\bRTX ?50[5-9]0|\bRTX PRO ?\d000|\b5090\b|\b50[5-8]0 ?Ti\b|\bBlackwell\b|\bB[23]00\b|\bGB10\b|"
        r"\bsm_1[02]\d\b"
    ),
    (
        "RTX 40 and H100 want a PyTorch for CUDA 11.8 "
        "or later, and extensions that are built with it"
    ): re.compile(r"\bRTX ?40[5-9]0|\bL40S?\b|\bH[12]00\b|\bsm_(?:89|90)\b"),
    (
        "RTX 30 and A100 want a PyTorch for CUDA 11.1 "
        "or later, and extensions that are built with it"
    ): re.compile(r"\bRTX ?(?:30[5-9]0|A\d000)|\b30[5-9]0 ?Ti\b|\bA100\b|\bsm_8[06]\b"),
}
"""What the cards of a generation want -> how they are called."""

OLD = re.compile(
    r"\b(?:GTX ?(?:9\d0|1[06]\d0)|TITAN X[Pp]?|P100|P40|M[46]0|V100|TITAN V)\b|\bsm_[567][0-2]\b"
)
FOR_OLD = (
    "the newest builds have no code for Maxwell, Pascal and Volta (GTX 900 and 10, P100, V100): the one for "
    "CUDA 12.6 has, --index-url https://download.pytorch.org/whl/cu126"
)
SOURCE = re.compile(r"\.cu\b|thrust::|tinycudann|CUDA kernel failed :|_sort: failed")
ELSEWHERE = (
    "nothing that is installed has code for this card: a "
    "newer PyTorch for a new card (RTX 50: .../whl/cu128), "
    "that for CUDA 12.6 for an old one; an extension is built again, TORCH_CUDA_ARCH_LIST naming the card"
)
OF_AMD = (
    "PyTorch for ROCm has no code for this card of AMD's, or a wrong HSA_OVERRIDE_GFX_VERSION "
    "names another: a build that has it, of another ROCm or the card's maker"
)


OF_A_JETSON = (
    "the wheels of PyPI have no code for a Jetson's card: NVIDIA's own wheel of PyTorch for its JetPack, and "
    "extensions that are built there"
)
OF_TRITON = (
    "what Triton compiled does not run on this card with "
    "this driver: the Triton that came with this torch, a "
    "newer driver, or a newer PyTorch for a newer card"
)


def without_code(failure: Failure, compiled: str) -> str:
    """What helps where no code that is there runs on a card; with the names of what is compiled, a regular
    expression."""
    text = f"{failure.message} {failure.told}"
    if re.search(r"\bHIP\b|\bhip[A-Z]|HSA_|[Rr]ocBLAS|\bROCm\b|\bgfx\d|Radeon", text):
        return OF_AMD
    if "Triton Error" in failure.message:
        return OF_TRITON
    if failure.tells(JETSON):
        return OF_A_JETSON
    kinds = rf"{compiled}|pointnet2\w*|gsplat|flash_attn|\w+_cuda"
    own = re.search(rf"-packages/({kinds})/", failure.raised_in)
    name = next((says for says, names in NEWER.items() if names.search(text)), "")
    if own is None and (name or OLD.search(text)):
        return name or FOR_OLD
    if own is not None or SOURCE.search(failure.message):
        who = f"{own[1]}, which is compiled," if own is not None else "the extension that raised it"
        build = "TORCH_CUDA_ARCH_LIST naming it (8.6), or its wheel for it"
        return f"{who} was built for other cards than this one: build it again, {build}"
    return ELSEWHERE


IN_COLAB = (
    "this Colab has no card: Runtime, Change runtime type, a GPU; or its share of one is used up"
)


def _in_colab(failure: Failure) -> bool:
    told = re.search(r"\b[Cc]olab\b", f"{failure.message} {failure.told}")
    return bool(told) or any(frame.posix.startswith("/content/") for frame in failure.frames)


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


def no_driver(failure: Failure) -> str:
    """Why a program for NVIDIA's cards finds no driver."""
    text = f"{failure.message} {failure.told}"
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
    return IN_WSL if failure.tells(WSL) else FOR_NVIDIA if failure.tells(AMDS) else NO_DRIVER


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


def no_card(failure: Failure) -> str:
    """Why PyTorch sees none."""
    text = f"{failure.message} {failure.told}"
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


FOR_DRIVER = {"11": "cu118, torch 2.0 to 2.7", "12": "cu126"}
"""What CUDA a driver knows at most -> the builds for it: those of its major version run."""


def old_driver(major: str, minor: str) -> str:
    """What helps where the driver is older than the CUDA of the build."""
    knows = f"knows CUDA {major}.{int(minor)} at most" if major else "is too old for this CUDA"
    build = FOR_DRIVER.get(major)
    index = f" (https://download.pytorch.org/whl/{build})" if build else ""
    return f"the driver {knows}: update it, or install a PyTorch built for it{index}"


def unknown_to_the_driver(failure: Failure) -> str:
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
    if failure.tells(WINDOWS) or failure.tells(WSL):
        return (
            f"{says}: restart the machine (WSL: wsl --shutdown), then a "
            "newer driver; CUDA_VISIBLE_DEVICES as it was at the start"
        )
    why = "/dev/nvidia-uvm is missing, or the module is broken after a suspend"
    return f"{says}: {why}; sudo nvidia-modprobe -u, or reload nvidia_uvm"


WITH_CUDA = (
    "pip uninstall torch, then install it with --index-url https://download.pytorch.org/whl/cu128 (cu126 for "
    "cards before RTX 20)"
)


def built_for_none(failure: Failure) -> str:
    """Where a build for the CPU is asked for CUDA."""
    if failure.tells(AMDS):
        return FOR_AMD
    says = "this PyTorch was built without CUDA"
    if failure.tells(WINDOWS):
        says = f"{says}, as PyPI's for Windows is"
    return f"{says}: {WITH_CUDA}; without a card of NVIDIA's device='cpu', by torch.cuda.is_available()"


FOR_AMD = "this PyTorch is for the CPU, and the card is of AMD: the build for ROCm (Linux), else device='cpu'"


def there_is_none(failure: Failure) -> str:
    """Where a program or a library wants a card."""
    if "pin" in failure.message.partition("memory")[0]:
        return "pin_memory wants a card, and there is none: pin_memory=False"
    what = failure.groups.get("what") or failure.groups.get("device") or "a GPU"
    says = f"{'a GPU' if what.endswith('()') else what} is asked for, and PyTorch sees no card"
    return (
        f"{says}: device='cpu', or a build with CUDA "
        "(torch.version.cuda is None without) where there is one"
    )


def not_known_to_nvcc(arch: str) -> str:
    """Why a compiler has no code for an architecture, "compute_86" or "8.9"."""
    found = re.search(r"\d+", arch.replace(".", ""))
    if found is not None and int(found[0]) < 75:
        says = f"this compiler or PyTorch has dropped {arch}, which setup.py or TORCH_CUDA_ARCH_LIST names"
        return (
            f"{says}: leave it out, as where the card is newer; else an older toolkit and PyTorch"
        )
    says = f"the compiler or PyTorch is too old for {arch}"
    return f"{says}: a newer toolkit, or TORCH_CUDA_ARCH_LIST of what it knows"
