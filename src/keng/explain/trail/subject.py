"""Whether an error is about shapes. Other errors do not load the interpreter."""

from __future__ import annotations

import re

from keng.explain.live import LiveError
from keng.model import ShapeTrail

ABOUT_SHAPES = re.compile(
    r"\b(?:shapes?|sizes?|dimensions?|dims?|dimensionality|channels?|features|broadcast\w*|elements|length"
    r"|non-singleton|numel|ndim|mat1|mat2|subscripts?|batch[12]?)\b|\d+D\b",
    re.IGNORECASE,
)


def trail_if_about_shapes(error: LiveError) -> ShapeTrail | None:
    """The shapes on the way to the operands that failed; None where the error is about no shapes."""
    if ABOUT_SHAPES.search(error.message) is None:
        return None
    from keng.explain.trail.trail import trail_of

    return trail_of(error)
