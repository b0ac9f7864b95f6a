"""Error messages: an agent of reinforcement learning and its environment do not fit each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ENVIRONMENTS = re.compile(r"/gym(?:nasium)?/envs/\w{1,40}/\w{1,60}\.py$")


@explains("other-actions")
def other_actions(failure: Failure) -> Hits:
    came, kind = failure.groups["came"], failure.groups["kind"]
    continuous = say("continuous-actions", came=came, kind=kind)
    discrete = say("discrete-actions", came=came, kind=kind)
    yield failure.hit(continuous if came.startswith("Box") else discrete)


@explains("trained-with-another")
def trained_with_another(failure: Failure) -> Hits:
    what, trained, given = (failure.groups[key] for key in ("what", "trained", "given"))
    actions = say("actions-differ", trained=trained, given=given)
    observations = say("observations-differ", trained=trained, given=given)
    yield failure.hit(actions if what == "Action" else observations)


@explains("action-of-another-form")
def action_of_another_form(failure: Failure) -> Hits:
    if _steps_an_environment(failure):
        array = failure.groups["array"]
        yield failure.hit(say("action-is-array") if array else say("action-is-number"))


def _steps_an_environment(failure: Failure) -> bool:
    """Whether one of theirs raised it over the action that it was given."""
    stepped = [frame.function in ("step", "_step") for frame in failure.frames[-1:]]
    return stepped == [True] and ENVIRONMENTS.search(failure.raised_in) is not None
