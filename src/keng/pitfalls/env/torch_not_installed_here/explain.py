"""Error messages: pyTorch, torchvision or torchaudio is not installed in the Python that runs."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

BUILT = re.compile(
    r"Getting requirements to build|Preparing metadata|Building \w+ extension requires PyTorch|pip-build-env"
)
"""What pip says where it builds a package, in an environment of its own."""

MODULES = {
    "torchrun": "torch.distributed.run",
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
        says = say("package-built-where-torch")
        yield failure.hit(says)
    elif what == "torch":
        yield failure.hit(say("python-runs-sys-executable"))
    else:
        yield failure.hit(say("python-runs-has-no", what=what))


@explains("launcher-not-on-the-path")
def launcher_not_on_the_path(failure: Failure) -> Hits:
    yield failure.hit(_not_on_the_path(failure.groups["what"]))


@explains("told-by-transformers")
def told_by_transformers(failure: Failure) -> Hits:
    yield failure.hit(say("needs-pytorch-not-there", what=failure.groups["what"]))


@explains("system-takes-none")
def system_takes_none(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("system-s-python-takes"))


@explains("older-than-transformers-takes")
def older_than_transformers_takes(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(say("torch-transformers-goes-on", wants=has, wants_2=wants))


@explains("none-for-transformers")
def none_for_transformers(failure: Failure) -> Hits:
    yield failure.hit(say("transformers-finds-no-pytorch"))


def _not_on_the_path(what: str) -> str:
    module = MODULES.get(what, "")
    lacks = "PyTorch is older than 1.10" if what == "torchrun" else "has no such package"
    cure = (
        f"python -m {module} takes the same arguments" if module else "activate it, or install it"
    )
    where = "the environment is not activated in this shell, job or container"
    return f"{what} is not on the path, as {where}, or {lacks}: {cure}"
