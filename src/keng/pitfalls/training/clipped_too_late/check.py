"""Source code: gradients are clipped after the step that used them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.training._shared import beside, training_rounds
from keng.rules import finds
from keng.source import Act, Code


@finds
def clipped_between_rounds(code: Code) -> Hits:
    for call, cleared in _clipped_between_rounds(code):
        yield code.hit(call, say("clips-cleared") if cleared else say("clips-used"))


def _clipped_between_rounds(code: Code) -> Iterator[tuple[ast.Call, bool]]:
    """Calls that clip gradients, their norms dropped, behind the last step of a round or before its
    first backward; True where the gradients were cleared since that step."""
    for block in training_rounds(code) if "clip_grad" in code.text else ():
        clips = block.own(Act.CLIP)
        for clip in clips if clips and not block.has(Act.UNKNOWN) else ():
            before, after = beside(clip, block, Act.BACKWARD, Act.STEP)
            between = (before.act, after.act) == (Act.STEP, Act.BACKWARD)
            if between and isinstance(clip.call, ast.Call) and code.tree.result_unused(clip.call):
                last, _ = beside(clip, block, Act.STEP, Act.ZERO_GRAD)
                yield clip.call, last.act is Act.ZERO_GRAD
