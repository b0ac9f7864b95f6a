"""What is said of a device whose name PyTorch does not know."""

from __future__ import annotations

LATER = {
    "mps": "it came with 1.12, so a newer one; or 'cpu'",
    "xpu": "a newer one, built for Intel's cards, or import intel_extension_for_pytorch before",
    "npu": "import torch_npu before",
    "hpu": "import habana_frameworks.torch before",
    "mlu": "import torch_mlu before",
}
"""Those of a later release or of a package."""

GPU = "'cuda' is what PyTorch calls a card, of AMD's too"
KNOWN = "cpu, cuda, cuda:1, mps, xpu"


def no_device(name: str) -> str:
    kind = name.strip("'\"").partition(":")[0]
    if kind in LATER:
        return f"`{name}` is no device of this PyTorch: {LATER[kind]}"
    return f"`{name}` is no device: {GPU if kind.lower() == 'gpu' else KNOWN}"


def of_another_build(kind: str) -> str:
    """Of a PyTorch that was built without a kind of devices."""
    before = " (before 2.5: import intel_extension_for_pytorch)" if kind == "XPU" else ""
    return (
        f"this PyTorch was built without {kind}: install the build for it{before}, or take the CPU"
    )
