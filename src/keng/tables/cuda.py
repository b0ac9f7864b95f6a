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


JETSONS = {(5, 3), (6, 2), (7, 2), (8, 7)}


def newest_cuda(driver: int) -> str:
    """The CUDA that `nvidia-smi` names for a driver; nothing for one older than the table."""
    return next((cuda for major, cuda in NEWEST_CUDA if driver >= major), "")
