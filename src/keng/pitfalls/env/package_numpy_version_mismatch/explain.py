"""Error messages: a package was compiled for another NumPy than the one that is installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.env._shared_explain import innermost_package
from keng.rules import explains


@explains("another-package")
def another_package(failure: Failure) -> Hits:
    yield failure.hit(_of_another_numpy(failure))


@explains("not-loaded-at-all")
def not_loaded_at_all(failure: Failure) -> Hits:
    yield failure.hit(say("not-loaded"))


def _of_another_numpy(failure: Failure) -> Message:
    """Which side is the newer one."""
    name = innermost_package(failure)
    if name == "numpy":
        return say("two-numpys")
    wanted, there = (int(failure.groups.get(of) or "0", 0) for of in ("wanted", "there"))
    if wanted > there:
        return say("package-for-newer", name=name) if name else say("some-package-for-newer")
    if wanted < there:
        return say("package-for-older", name=name) if name else say("some-package-for-older")
    return say("package-for-another", name=name) if name else say("some-package-for-another")
