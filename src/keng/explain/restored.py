"""What was to be restored from a file where that raised: the groups of an optimizer, by their sizes."""

from __future__ import annotations

from types import FrameType
from typing import Any

from keng.failures.live import Groups

OTHER_GROUPS = "loaded state dict "


def groups_in(frames: list[FrameType], torch: Any) -> Groups | None:
    """Those that were saved and those of the optimizer that was to load them."""
    for frame in reversed(frames):
        code, known = frame.f_code, frame.f_locals
        file = code.co_filename.replace("\\", "/")
        if code.co_name == "load_state_dict" and file.endswith("torch/optim/optimizer.py"):
            return Groups(_sizes(known["saved_groups"]), _sizes(known["groups"]))
    return None


def _sizes(groups: list[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(len(group["params"]) for group in groups)
