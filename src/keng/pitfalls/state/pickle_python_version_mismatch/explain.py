"""Error messages: a file was pickled by a Python or NumPy whose objects this one cannot restore."""

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
    yield failure.hit(say("was-pickled-another-python", name=name, value=value))


@explains("needed-after-all")
def needed_after_all(failure: Failure) -> Hits:
    schedule = failure.groups.get("schedule")
    yield failure.hit(say("schedule-left-out") if schedule else say("spaces-left-out"))


@explains("function-of-another-python")
def function_of_another_python(failure: Failure) -> Hits:
    if _is_read_for_torch(failure):
        newer = "takes at most" in failure.message
        yield failure.hit(
            say("pickled-by-newer-python") if newer else say("pickled-by-older-python")
        )


@explains("array-of-another-numpy")
def array_of_another_numpy(failure: Failure) -> Hits:
    if _is_read_for_torch(failure):
        core = failure.groups.get("core")
        yield failure.hit(
            say("names-numpy-core") if core else say("random-generator-of-newer-numpy")
        )


@explains("bytes-without-encoding")
def bytes_without_encoding(failure: Failure) -> Hits:
    if not failure.passed_through("torch/serialization.py", "torch/_weights_only_unpickler.py"):
        return
    byte, last = failure.groups["byte"], failure.frames[-1]
    as_text = failure.groups["codec"] not in ("ascii", "utf-8") or "codecs" in last.posix
    if as_text or "f.read(" in last.text:
        yield failure.hit(say("file-was-opened-text", byte=byte))
        return
    yield failure.hit(say("byte-of-python-2", byte=byte))


def _is_read_for_torch(failure: Failure) -> bool:
    """Stable-Baselines3 tells below its warning what was raised, as a plain Exception."""
    return failure.kind == "Exception" or any(map(failure.contains, READERS))
