"""Error messages: the PyTorch that is installed has no code for this card."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import JETSON
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.cuda import told_of_card

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

LIBRARIES = (
    r"torch_(?:scatter|sparse|cluster|spline_conv)|diff_gaussian_rasterization|simple_knn|tinycudann|nvdiffrast|"
    r"pytorch3d|MinkowskiEngine|spconv|mamba_ssm|causal_conv1d|detectron2|xformers|deepspeed|mmcv|natten|"
    r"fused_dense_lib"
)
"""As they are imported."""
TELLS = re.compile(
    r"HIP error: invalid device function|hipErrorNoBinaryForGpu|rocBLAS error: .{0,160}?Tensile"
)
NONE_NEAR = re.compile(
    r"HSA_OVERRIDE|\bgfx(?:8|9|101|115|12)|\bRX ?(?:5\d00|[45]\d0|9\d{3})\b|Vega|Radeon VII"
)
"""Where no near card's code runs, or it was tried."""
GENERATIONS = {
    "10.3.0": re.compile(r"\bgfx103|\bRX ?6\d00"),
    "11.0.0": re.compile(r"\bgfx110|\bRX ?7\d00"),
}


@explains("told-when-cuda-starts")
def told_when_cuda_starts(failure: Failure) -> Hits:
    card = failure.groups["card"]
    yield failure.hit(told_of_card(card, failure.groups.get("built", "")))


@explains("no-code-for-the-card")
def no_code_for_the_card(failure: Failure) -> Hits:
    card = failure.groups.get("card") or "its architecture"
    near = _told_of_card(f"{failure.message} {failure.context}", card)
    yield failure.hit(near or _without_code(failure, LIBRARIES))


def _without_code(failure: Failure, compiled: str) -> str:
    """What helps where no code that is there runs on a card; with the names of what is compiled, a regular
    expression."""
    text = f"{failure.message} {failure.context}"
    if re.search(r"\bHIP\b|\bhip[A-Z]|HSA_|[Rr]ocBLAS|\bROCm\b|\bgfx\d|Radeon", text):
        return OF_AMD
    if "Triton Error" in failure.message:
        return OF_TRITON
    if failure.matches(JETSON):
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


def _told_of_card(told: str, card: str) -> str:
    """What to do about a card that a PyTorch for ROCm has no code for; nothing where it is none of AMD's."""
    if not TELLS.search(told) or NONE_NEAR.search(told):
        return ""
    found = [near for near, names in GENERATIONS.items() if names.search(told)]
    near = found[0] if len(found) == 1 else "10.3.0 (RX 6000) or 11.0.0 (RX 7000)"
    return (
        f"this PyTorch has no code for this card of AMD's, {card}: a build that has, or under Linux "
        f"HSA_OVERRIDE_GFX_VERSION={near}, which takes a near card's"
    )
