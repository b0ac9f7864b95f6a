"""Error messages: what another Python or NumPy has pickled is read by this one."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

READERS = ("torch", "cloudpickle", "stable_baselines3")


AGAIN = {
    "_schedule": "lambda _: 0.0",
    "clip_range": "lambda _: 0.2",
    "learning_rate": "3e-4",
    "observation_space": "env.observation_space",
    "action_space": "env.action_space",
}
"""What a file of Stable-Baselines3 may lack -> what is given in its place."""


@explains("left-out-of-an-agent")
def left_out_of_an_agent(failure: Failure) -> Hits:
    name = failure.groups["name"]
    value = next((given for part, given in AGAIN.items() if name.endswith(part)), "...")
    yield failure.hit(say("was-pickled-another-python", value=name, value_2=value))


@explains("needed-after-all")
def needed_after_all(failure: Failure) -> Hits:
    what = "the spaces in the file were pickled by another Python, NumPy or gym and left out: custom_objects=dict(observation_space=env.observation_space, action_space=...)"
    if failure.groups.get("schedule"):
        what = "a schedule in the file was pickled by another Python: custom_objects={'lr_schedule': lambda _: 0.0, 'clip_range': lambda _: 0.2}"
    yield failure.hit(say("or-load-under-theirs", what=what))


def _is_read_for_torch(failure: Failure) -> bool:
    """Stable-Baselines3 tells below its warning what was raised, as a plain Exception."""
    return failure.kind == "Exception" or any(map(failure.contains, READERS))


@explains("function-of-another-python")
def function_of_another_python(failure: Failure) -> Hits:
    by = "Python 3.10 or older, and this one is newer"
    if "takes at most" in failure.message:
        by = "a newer Python than this one"
    if _is_read_for_torch(failure):
        yield failure.hit(say("function-file-was-pickled", by=by))


@explains("array-of-another-numpy")
def array_of_another_numpy(failure: Failure) -> Hits:
    what = "names numpy._core, as NumPy 2 writes it" if failure.groups.get("core") else ""
    what = what or "holds a random generator as a newer NumPy writes it"
    if _is_read_for_torch(failure):
        yield failure.hit(say("file-numpy-older-pip", what=what))


@explains("function-of-another-cloudpickle")
def function_of_another_cloudpickle(failure: Failure) -> Hits:
    yield failure.hit(say("another-cloudpickle-than-one", name=failure.groups["name"]))
