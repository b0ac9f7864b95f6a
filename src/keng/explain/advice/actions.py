"""Actions that an environment of Gym or Gymnasium takes in another form than they came in."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

OTHER_FORM = (
    r"invalid index to scalar variable|'(?:numpy\.)?(?:float|int)\d{0,2}' object is not subscriptable|"
    r"(?P<array>'numpy\.ndarray'(?:>\) invalid|$))"
)
ENVIRONMENTS = re.compile(r"/gym(?:nasium)?/envs/\w{1,40}/\w{1,60}\.py$")

OF_A_NUMBER = (
    "the action is one number, and the environment takes an array of env.action_space.shape: "
    "np.array([action]), or action.cpu().numpy().reshape(env.action_space.shape)"
)
OF_AN_ARRAY = (
    "the action is an array, and the environment takes one number: action.item(), or one environment for "
    "each row"
)


def steps_an_environment(failure: Failure) -> bool:
    """Whether one of theirs raised it over the action that it was given."""
    stepped = [frame.function in ("step", "_step") for frame in failure.frames[-1:]]
    return stepped == [True] and ENVIRONMENTS.search(failure.raised_in) is not None
