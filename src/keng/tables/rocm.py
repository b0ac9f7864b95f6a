"""Which cards of AMD's run what was compiled for another of their generation."""

from __future__ import annotations

import re

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


def told_of_card(told: str, card: str) -> str:
    """What to do about a card that a PyTorch for ROCm has no code for; nothing where it is none of AMD's."""
    if not TELLS.search(told) or NONE_NEAR.search(told):
        return ""
    found = [near for near, names in GENERATIONS.items() if names.search(told)]
    near = found[0] if len(found) == 1 else "10.3.0 (RX 6000) or 11.0.0 (RX 7000)"
    return (
        f"this PyTorch has no code for this card of AMD's, {card}: a build that has, or under Linux "
        f"HSA_OVERRIDE_GFX_VERSION={near}, which takes a near card's"
    )
