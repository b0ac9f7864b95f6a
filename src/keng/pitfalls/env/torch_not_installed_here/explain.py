"""Error messages: pyTorch, torchvision or torchaudio is not installed in the Python that runs."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
        says = "the package is built where torch is not: install torch first, then pip install --no-build-isolation"
        yield failure.hit(says)
    elif what == "torch":
        yield failure.hit(
            "the Python that runs (sys.executable) has no torch: activate the environment or kernel that has it, or python -m pip install torch with that one"
        )
    else:
        yield failure.hit(
            f"the Python that runs has no {what}: python -m pip install it there (sys.executable) from where torch came, in the version that goes with it"
        )


@explains("launcher-not-on-the-path")
def launcher_not_on_the_path(failure: Failure) -> Hits:
    yield failure.hit(_not_on_the_path(failure.groups["what"]))


@explains("told-by-transformers")
def told_by_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} needs PyTorch, which is not there for this interpreter, or older than this transformers "
        "takes: `python -m pip install torch`, then restart the kernel"
    )


@explains("system-takes-none")
def system_takes_none(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(
            "the system's Python takes no packages from pip: python3 -m venv env, then env/bin/pip install torch"
        )


@explains("older-than-transformers-takes")
def older_than_transformers_takes(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(
        f"torch is {has}, and this transformers goes on as if there were none, as it takes {wants} or newer: pip install -U torch, or an older transformers"
    )


@explains("none-for-transformers")
def none_for_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        "transformers finds no PyTorch that it takes in this Python, so that its models are missing: python -m pip install -U torch, then restart"
    )


def _not_on_the_path(what: str) -> str:
    module = MODULES.get(what, "")
    lacks = "PyTorch is older than 1.10" if what == "torchrun" else "has no such package"
    cure = (
        f"python -m {module} takes the same arguments" if module else "activate it, or install it"
    )
    where = "the environment is not activated in this shell, job or container"
    return f"{what} is not on the path, as {where}, or {lacks}: {cure}"
