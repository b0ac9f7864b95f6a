"""Error messages: a program takes what `reset` and `step` of another Gym give."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

TAKEN = re.compile(r"\benvs?\w{0,20}\.(?P<method>reset|step)\(")


STATE = re.compile(
    r"\b(?:FloatTensor|tensor|as_tensor|from_numpy|Tensor)\(\[?(?P<name>(?:self\.)?(?:\w{1,20}_)?(?:state|obs|observation)\d?)\b"
)


LEARNS = re.compile(
    r"torch|agent|policy|(?<!f)actor|critic|dqn|ppo|reinforce|replay", re.IGNORECASE
)


def _learns_by_itself(failure: Failure) -> bool:
    """Whether it is the user's line, and of a program that learns: gym and its robots are for others, too."""
    shown = [text for frame in failure.frames for text in (frame.path, frame.text, frame.function)]
    own = not failure.frames or failure.frames[-1].user
    return own and any(map(LEARNS.search, [*shown, failure.message, failure.context]))


@explains("other-number-of-values")
def other_number_of_values(failure: Failure) -> Hits:
    found = TAKEN.search(failure.line or failure.surrounding)
    learns = found is not None and _learns_by_itself(failure)
    taken = (found["method"], failure.groups["wants"]) if found and learns else ("", "")
    if taken == ("step", "4"):
        yield failure.hit(say("step-gymnasium-gym-since"))
    elif taken == ("step", "5"):
        yield failure.hit(say("step-gives-four"))
    elif taken == ("reset", "2"):
        yield failure.hit(say("reset-gives-observation"))


@explains("pair-made-a-tensor")
def pair_made_a_tensor(failure: Failure) -> Hits:
    acts = any(re.search("act|choose", frame.function) for frame in failure.frames if frame.user)
    found = STATE.search(failure.line or failure.surrounding)
    if found and (acts or "of dict" not in failure.message):  # a dict of weights is a state, too
        yield failure.hit(say("pair-observation-dict-reset", name=found["name"]))


@explains("seeded-otherwise")
def seeded_otherwise(failure: Failure) -> Hits:
    seeds = re.search(r"\benvs?\w{0,20}\.seed\(", failure.line)
    if failure.groups.get("seed") and seeds and _learns_by_itself(failure):
        yield failure.hit(say("environments-gymnasium-take-seed"))
    elif failure.groups.get("argument") and any(map(failure.contains, ("gym", "stable_baselines"))):
        yield failure.hit(say("gymnasium-gives-reset-seed"))
