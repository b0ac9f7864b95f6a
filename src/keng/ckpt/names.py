"""Names that pickles import, judged: known to be inert, known to act, or not known."""

from __future__ import annotations

from typing import Literal

from keng.data.pickled_names import ACTING, ACTING_MODULES, INERT
from keng.stored import Global

Judged = Literal["known", "unknown", "dangerous"]


def judged(name: Global, torchscript: bool = False) -> Judged:
    """The classes of a TorchScript archive come from its own code, which is no Python."""
    full = str(name)
    if full in INERT:
        return "known"
    if torchscript and full.startswith("__torch__."):
        return "known"
    first = name.module.partition(".")[0]
    if full in ACTING or name.module in ACTING_MODULES or first in ACTING_MODULES:
        return "dangerous"
    return "unknown"
