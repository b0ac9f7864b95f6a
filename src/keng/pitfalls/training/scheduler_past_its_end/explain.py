"""Error messages: a scheduler takes more steps than it was made for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("too-many-steps")
def too_many_steps(failure: Failure) -> Hits:
    made, step = failure.groups["made"], failure.groups["n"]
    yield failure.hit(
        f"the scheduler was made for {made} steps and takes step {step}: tell it epochs and steps_per_epoch as "
        "they are, step it once for each; a state that is loaded brings the length of its run",
        failure.mended("for_all_rounds"),
    )
