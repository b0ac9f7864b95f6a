"""Error messages: an agent of reinforcement learning and its environment do not fit each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ENVIRONMENTS = re.compile(r"/gym(?:nasium)?/envs/\w{1,40}/\w{1,60}\.py$")
OF_A_NUMBER = (
    "the action is one number, and the environment takes an array of env.action_space.shape: "
    "np.array([action]), or action.cpu().numpy().reshape(env.action_space.shape)"
)
OF_AN_ARRAY = (
    "the action is an array, and the environment takes one number: action.item(), or one environment for "
    "each row"
)


@explains("other-actions")
def other_actions(failure: Failure) -> Hits:
    came, kind = failure.groups["came"], failure.groups["kind"]
    cure = "SAC, TD3, PPO or A2C" if came.startswith("Box") else "DQN for one number, PPO or A2C"
    yield failure.hit(
        f"the environment's actions are {came}, and this algorithm takes {kind}: {cure}"
    )


@explains("other-observation")
def other_observation(failure: Failure) -> Hits:
    came, wanted = failure.groups["came"], failure.groups["wanted"]
    yield failure.hit(say("observation-shape-observation-space", wanted=came, wanted_2=wanted))


@explains("trained-with-another")
def trained_with_another(failure: Failure) -> Hits:
    what, trained, given = (failure.groups[key] for key in ("what", "trained", "given"))
    yield failure.hit(
        say("model-was-trained-environment", what=trained, given=given, lower=what.lower())
    )


@explains("no-image")
def no_image(failure: Failure) -> Hits:
    yield failure.hit(say("cnnpolicy-takes-images-bytes", came=failure.groups["came"]))


@explains("buffer-too-large")
def buffer_too_large(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(say("replay-buffer-will-gb", has=wants, has_2=has))


@explains("no-multiple")
def no_multiple(failure: Failure) -> Hits:
    batch, steps = failure.groups["batch"], failure.groups["steps"]
    yield failure.hit(say("steps-gathered-no-multiple", batch=steps, batch_2=batch))


@explains("action-of-another-form")
def action_of_another_form(failure: Failure) -> Hits:
    if _steps_an_environment(failure):
        yield failure.hit(OF_AN_ARRAY if failure.groups["array"] else OF_A_NUMBER)


def _steps_an_environment(failure: Failure) -> bool:
    """Whether one of theirs raised it over the action that it was given."""
    stepped = [frame.function in ("step", "_step") for frame in failure.frames[-1:]]
    return stepped == [True] and ENVIRONMENTS.search(failure.raised_in) is not None
