"""Error messages: the PyTorch that is installed has no code for this card."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import JETSON
from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables.cuda import JETSONS, capabilities

NEWER = (
    (
        say("blackwell-needs-cuda-12-8"),
        re.compile(
            r"\bRTX ?50[5-9]0|\bRTX PRO ?\d000|\b5090\b|\b50[5-8]0 ?Ti\b|\bBlackwell\b|\bB[23]00\b|\bGB10\b|"
            r"\bsm_1[02]\d\b"
        ),
    ),
    (
        say("ada-needs-cuda-11-8"),
        re.compile(r"\bRTX ?40[5-9]0|\bL40S?\b|\bH[12]00\b|\bsm_(?:89|90)\b"),
    ),
    (
        say("ampere-needs-cuda-11-1"),
        re.compile(r"\bRTX ?(?:30[5-9]0|A\d000)|\b30[5-9]0 ?Ti\b|\bA100\b|\bsm_8[06]\b"),
    ),
)
"""What the GPUs of a generation need, and their names."""
SINCE = (
    ((10, 0), say("build-for-cuda-12-8")),
    ((8, 9), say("build-for-cuda-11-8")),
    ((8, 0), say("build-for-cuda-11-1")),
    ((0, 0), say("build-for-newer-cuda")),
)
"""From which architecture on which build has code for it."""
OLD = re.compile(
    r"\b(?:GTX ?(?:9\d0|1[06]\d0)|TITAN X[Pp]?|P100|P40|M[46]0|V100|TITAN V)\b|\bsm_[567][0-2]\b"
)
SOURCE = re.compile(r"\.cu\b|thrust::|tinycudann|CUDA kernel failed :|_sort: failed")
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
    yield failure.hit(_by_capability(failure.groups["card"], failure.groups.get("built", "")))


@explains("no-code-for-the-card")
def no_code_for_the_card(failure: Failure) -> Hits:
    card = failure.groups.get("card") or ""
    near = _of_a_near_gpu(f"{failure.message} {failure.context}", card)
    yield failure.hit(near or _without_code(failure, LIBRARIES))


def _by_capability(card: str, built: str) -> Message:
    """Of a GPU and a build in the words of PyTorch's warning."""
    own, *code = capabilities(f"{card} {built}")
    advice = next(build for since, build in SINCE if own >= since)
    if not code or min(code) <= own <= max(code):
        if own in JETSONS:
            return say("no-code-for-jetson", card=card)
        if code or own < (8, 0):
            return say("no-code", card=card)
        return say("no-code-for-newer-gpu", card=card, advice=advice)
    form = "sm_{}{}" if "sm_" in card else "{}.{}"
    least, most = form.format(*min(code)), form.format(*max(code))
    if own < min(code):
        if (5, 0) <= own < (7, 5) <= min(code):
            return say("older-than-build-for-cuda-13", card=card, least=least)
        return say("older-than-build", card=card, least=least)
    if own[0] == max(code)[0]:
        return say("runs-older-code", card=card, most=most)
    return say("newer-than-build", card=card, most=most, advice=advice)


def _without_code(failure: Failure, compiled: str) -> Message:
    """What helps where no code that is there runs on a card; with the names of what is compiled, a regular
    expression."""
    text = f"{failure.message} {failure.context}"
    if re.search(r"\bHIP\b|\bhip[A-Z]|HSA_|[Rr]ocBLAS|\bROCm\b|\bgfx\d|Radeon", text):
        return say("no-code-in-rocm-build")
    if "Triton Error" in failure.message:
        return say("triton-code-does-not-run")
    if failure.matches(JETSON):
        return say("jetson-needs-own-wheel")
    kinds = rf"{compiled}|pointnet2\w*|gsplat|flash_attn|\w+_cuda"
    own = re.search(rf"-packages/({kinds})/", failure.raised_in)
    generation = next((says for says, names in NEWER if names.search(text)), None)
    if own is None and (generation or OLD.search(text)):
        return generation or say("old-gpu-needs-cuda-12-6")
    if own is not None:
        return say("named-extension-for-other-gpus", name=own[1])
    if SOURCE.search(failure.message):
        return say("extension-for-other-gpus")
    return say("no-installed-code")


def _of_a_near_gpu(told: str, card: str) -> Message | None:
    """What to do about a GPU that a PyTorch for ROCm has no code for; None where it is not AMD's."""
    if not TELLS.search(told) or NONE_NEAR.search(told):
        return None
    found = [near for near, names in GENERATIONS.items() if names.search(told)]
    advice = say("use-code-of-some-near-gpu")
    if len(found) == 1:
        advice = say("use-code-of-near-gpu", near=found[0])
    if not card:
        return say("no-code-for-unknown-amd-gpu", advice=advice)
    return say("no-code-for-amd-gpu", card=card, advice=advice)
