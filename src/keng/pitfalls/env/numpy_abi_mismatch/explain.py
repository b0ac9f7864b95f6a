"""Error messages: PyTorch or another package was compiled for a different NumPy than the installed
one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

PACKAGE = re.compile(r"-packages[/\\](?P<name>\w+)")


@explains("another-package")
def another_package(failure: Failure) -> Hits:
    yield failure.hit(_of_another_numpy(failure))


@explains("compiled-for-numpy-one")
def compiled_for_numpy_one(failure: Failure) -> Hits:
    yield failure.hit(_compiled_for_one(failure))


def _of_another_numpy(failure: Failure) -> Message:
    """Which side is the newer one."""
    name = _innermost_package(failure)
    if name == "numpy":
        return say("two-numpys")
    wanted, there = (int(failure.groups.get(of) or "0", 0) for of in ("wanted", "there"))
    if wanted > there:
        return say("package-for-newer", name=name) if name else say("some-package-for-newer")
    if wanted < there:
        return say("package-for-older", name=name) if name else say("some-package-for-older")
    return say("package-for-another", name=name) if name else say("some-package-for-another")


def _compiled_for_one(failure: Failure) -> Message:
    """What does not work with NumPy 2."""
    name, there = _innermost_package(failure), failure.groups.get("there")
    if "_ARRAY_API" in failure.message and name not in ("", "torch", "numpy"):
        return say("package-for-numpy-1", name=name)
    if there:
        return say("import-for-numpy-1", there=there)
    unavailable = "is not available" in failure.message
    return say("numpy-not-available") if unavailable else say("compiled-for-numpy-1")


def _innermost_package(failure: Failure) -> str:
    """The installed package in whose file the error was raised, as it is imported."""
    installed = [found for f in failure.frames if (found := PACKAGE.search(f.posix)) is not None]
    return installed[-1]["name"] if installed else ""
