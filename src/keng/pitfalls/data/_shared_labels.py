"""What the explain.py and run.py of label_out_of_range say of class labels."""

from __future__ import annotations

from keng.model import Message, say
from keng.run.labels import Labels

IGNORED = 255
"""The label of pixels without a class in many segmentation data sets."""


def verdict(labels: Labels) -> Message | None:
    """What is wrong with labels, and whether to change them or the model; None where they fit."""
    lowest, highest, classes = labels.lowest, labels.highest, labels.classes
    if lowest >= 0 and highest < classes:
        return None
    seen = {"lowest": lowest, "highest": highest, "classes": classes, "last": classes - 1}
    if lowest < 0:
        known = highest < classes
        return say("ignore-negative", **seen) if known else say("negative-is-no-class", **seen)
    if classes == highest == 1:
        return say("one-output", lowest=lowest, highest=highest)
    if lowest >= 1 and highest == classes:
        return say("subtract-one", **seen)
    if highest == IGNORED:
        binary = classes == 2
        return say("ignore-255-or-binary", **seen) if binary else say("ignore-255", **seen)
    return say("more-outputs-needed", needed=highest + 1, **seen)
