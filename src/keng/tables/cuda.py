"""Which driver understands which CUDA, and which card is of which architecture.

Sources: table 3 of the release notes of the CUDA toolkit; developer.nvidia.com/cuda-gpus.
"""

from __future__ import annotations

import re

LEAST_DRIVER = {
    10: (410, 48),
    11: (450, 80, 2),
    12: (525, 60, 13),
    13: (580, 65, 6),
}
"""The oldest driver on Linux that runs programs built for a CUDA of this major version: the minor
versions of one major version are compatible, since 11."""

NEWEST_CUDA = (
    (590, "13.1"),
    (580, "13.0"),
    (575, "12.9"),
    (570, "12.8"),
    (560, "12.6"),
    (555, "12.5"),
    (550, "12.4"),
    (545, "12.3"),
    (535, "12.2"),
    (530, "12.1"),
    (525, "12.0"),
    (520, "11.8"),
    (515, "11.7"),
    (510, "11.6"),
    (495, "11.5"),
    (470, "11.4"),
    (465, "11.3"),
    (460, "11.2"),
    (455, "11.1"),
    (450, "11.0"),
    (440, "10.2"),
    (418, "10.1"),
    (410, "10.0"),
)
"""The driver's major version from which on it understands the PTX of this CUDA, newest first."""


CAPABILITY = re.compile(
    r"\bsm_(\d{1,2})(\d)\b|(?<![\d.])(\d{1,2})\.(\d)(?![\d.]*\d)(?! *(?:GB|GiB))"
)


def capabilities(text: str) -> list[tuple[int, int]]:
    """What a text tells of cards and builds, in its order: `sm_86`, or 8.6."""
    found = CAPABILITY.findall(text)
    return [(int(sm or major), int(its or minor)) for sm, its, major, minor in found]


NEWER = (
    (
        (10, 0),
        "torch 2.7 or later for CUDA 12.8, --index-url https://download.pytorch.org/whl/cu128",
    ),
    ((8, 9), "a newer PyTorch, or its build for CUDA 11.8 or later"),
    ((8, 0), "a newer PyTorch, or its build for CUDA 11.1 or later"),
    ((0, 0), "a newer PyTorch, or its build for a newer CUDA"),
)
"""From which architecture on -> what has code for it."""


JETSONS = {(5, 3), (6, 2), (7, 2), (8, 7)}


def told_of_card(card: str, built: str) -> str:
    """One line about a card that PyTorch warns of, in the words of its warning: what it says of the build."""
    own, *code = capabilities(f"{card} {built}")
    wants = next(wants for from_here, wants in NEWER if own >= from_here)
    if own in JETSONS:
        wants = "a Jetson's, for which NVIDIA has a wheel of its own for each JetPack"
    elif code or own < (8, 0):
        wants = "a build of it which has"
    if not code or min(code) <= own <= max(code):
        return f"this PyTorch has no code for the card, {card}: {wants}"
    form = "sm_{}{}" if "sm_" in card else "{}.{}"
    least, most = form.format(*min(code)), form.format(*max(code))
    if own < min(code):
        cure = "its build for an older CUDA, or an older PyTorch"
        if (5, 0) <= own < (7, 5) <= min(code):
            cure = "its build for CUDA 12.6, --index-url https://download.pytorch.org/whl/cu126"
        says = f"the card is {card}, older than what this PyTorch has code for"
        return f"{says}, which begins with {least}: {cure}"
    if own[0] == max(code)[0]:
        has = f"the code for {most}, which this PyTorch has"
        return f"the card is {card}, and {has}, runs on it: a warning only"
    wants = next(wants for from_here, wants in NEWER if own >= from_here)
    says = f"the card is {card}, newer than what this PyTorch has code for, which ends with {most}"
    return f"{says}: {wants}"


def newest_cuda(driver: int) -> str:
    """The CUDA that `nvidia-smi` names for a driver; nothing for one older than the table."""
    return next((cuda for major, cuda in NEWEST_CUDA if driver >= major), "")
