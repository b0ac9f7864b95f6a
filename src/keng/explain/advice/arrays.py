"""Who was compiled for which NumPy, by the words and numbers of a message and the file that raised it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

PACKAGE = re.compile(r"-packages[/\\](?P<name>\w+)")


def _package(failure: Failure) -> str:
    """The installed package in whose file it came up, as it is imported."""
    installed = [found for f in failure.frames if (found := PACKAGE.search(f.posix)) is not None]
    return installed[-1]["name"] if installed else ""


def compiled_for_one(failure: Failure) -> str:
    """What does not work with NumPy 2."""
    name, there = _package(failure), failure.groups.get("there")
    if "_ARRAY_API" in failure.message and name not in ("", "torch", "numpy"):
        says = f"`{name}` was compiled for NumPy 1, and NumPy 2 is installed"
        return f'{says}: pip install -U it, or pip install "numpy<2"'
    if there:
        says = (
            f"NumPy {there} is installed beside what was "
            "compiled for NumPy 1, which the import below it shows"
        )
        return f'{says} (torch up to 2.2): pip install "numpy<2", or a newer release of it'
    if "is not available" in failure.message:
        says = (
            "NumPy is not installed, or is 2 beside a torch that "
            "was compiled for 1 (up to 2.2, later under Windows)"
        )
        return f'{says}: pip install "numpy<2", or a newer torch'
    says = "NumPy 2 is installed beside what was compiled for NumPy 1"
    return f'{says}: pip install "numpy<2", or update PyTorch'


def of_another_numpy(failure: Failure) -> str:
    """Which side is the newer one."""
    name = _package(failure)
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
