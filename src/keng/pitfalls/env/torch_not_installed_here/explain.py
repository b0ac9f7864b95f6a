"""Error messages: pyTorch, torchvision or torchaudio is not installed in the Python that runs."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

BUILT = re.compile(
    r"Getting requirements to build|Preparing metadata|Building \w+ extension requires PyTorch|pip-build-env"
)
"""What pip says where it builds a package, in an environment of its own."""

MODULES = {
    "accelerate": "accelerate.commands.accelerate_cli",
    "accelerate-launch": "accelerate.commands.launch",
    "deepspeed": "deepspeed.launcher.runner",
}
"""What runs some of them without a path."""


@explains("not-here")
def not_here(failure: Failure) -> Hits:
    what = failure.groups["what"]
    building = any("setup.py" in frame.path or "pip-" in frame.path for frame in failure.frames)
    if building or BUILT.search(f"{failure.message}\n{failure.surrounding}"):
        yield failure.hit(say("built-in-isolation"))
    elif what == "torch":
        yield failure.hit(say("torch-not-here"))
    else:
        yield failure.hit(say("companion-not-here", what=what))


@explains("launcher-not-on-the-path")
def launcher_not_on_the_path(failure: Failure) -> Hits:
    yield failure.hit(_not_on_the_path(failure.groups["what"]))


@explains("system-takes-none")
def system_takes_none(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("system-python-locked"))


def _not_on_the_path(what: str) -> Message:
    if what == "torchrun":
        return say("torchrun-not-on-path")
    if module := MODULES.get(what):
        return say("launcher-not-on-path", what=what, module=module)
    return say("program-not-on-path", what=what)
