"""Error messages: a device mesh, or the plan that spreads a model over it, does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-part")
def no_such_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"the mesh has no part `{failure.groups['name']}`, but {failure.groups['there']}"
    )


@explains("placements-for-another-mesh")
def placements_for_another_mesh(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"the mesh has {wants} dimensions, and placements are given for {came}: one for each, Replicate() where it is not split, "
        "or a part of the mesh by name"
    )
