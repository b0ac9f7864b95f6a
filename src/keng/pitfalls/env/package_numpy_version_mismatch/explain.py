"""Error messages: a package was compiled for another NumPy than the one that is installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env._shared_explain import innermost_package
from keng.rules import explains


@explains("another-package")
def another_package(failure: Failure) -> Hits:
    yield failure.hit(_of_another_numpy(failure))


@explains("not-loaded-at-all")
def not_loaded_at_all(failure: Failure) -> Hits:
    yield failure.hit(say("package-was-compiled-another"))


def _of_another_numpy(failure: Failure) -> str:
    """Which side is the newer one."""
    name = innermost_package(failure)
    if name == "numpy":
        says = "two versions of NumPy are mixed, as where it is replaced while a notebook runs"
        return f"{says}: restart the session, else pip install --force-reinstall numpy"
    who = f"`{name}`" if name else "a package"
    wanted, there = (int(failure.groups.get(of) or "0", 0) for of in ("wanted", "there"))
    if wanted > there:
        return f"{who} was built for a newer NumPy: pip install -U numpy, or an older release of it"
    if wanted < there:
        return f"{who} was built for an older NumPy: a newer release of it, or an older numpy"
    return f"{who} was built for another NumPy: reinstall it"
