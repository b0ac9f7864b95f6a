"""Error messages: no wheel of PyTorch fits this Python or system."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables.wheels import (
    INDEX,
    INTEL_MAC,
    PYTHONS,
    bounds,
    is_older,
    newest_python,
    number,
    told_python,
)


@explains("nothing-fits")
def nothing_fits(failure: Failure) -> Hits:
    name, version = (failure.groups.get(part, "") for part in ("name", "version"))
    cause = _why_none(f"{failure.message} {failure.context}", name, version)
    what = f"{name}{version}" if version[:1] in "=<>~!" else f"{name} {version}"
    yield failure.hit(say("no-wheel", what=what, cause=cause))


@explains("told-by-a-web-ui")
def told_by_a_web_ui(failure: Failure) -> Hits:
    told = f"{failure.message} {failure.context}"
    cause = _releases(told, "torch", failure.groups["version"])
    yield failure.hit(say("web-ui-found-no-wheel", cause=cause or say("read-lines-above")))


def _why_none(told: str, name: str, version: str) -> Message:
    """Why pip, uv or poetry find no wheel of a package, as far as a text tells."""
    if INTEL_MAC.search(told):
        return say("none-for-intel-macs")
    if cause := _releases(told, name, version):
        return cause
    if name == "triton":
        return say("only-for-linux")
    if name.startswith("nvidia-"):
        return say("brought-by-torch")
    if version.endswith("+") or "${" in told:
        return say("version-cut-off")
    if "+" in version:
        build = version.partition("+")[2]
        missing = say("build-not-on-pypi", build=build)
        return say("not-in-torch-index") if INDEX.search(told) else missing
    return say("check-supported-pythons")


def _releases(told: str, name: str, version: str) -> Message | None:
    """What pip's list, or the Python that a text speaks of, says of the existing releases; None where the
    requested one is among them."""
    listed = told.partition(f"requirement {name}{version} (from versions: ")[2].partition(")")[0]
    release, _, build = version.lstrip("=<>~v").partition("+")
    asked, (first, last) = number(release), bounds(listed)
    if asked and first and not number(first) <= asked <= number(last):
        python, newest = told_python(told), newest_python(release) if name == "torch" else ""
        if python and newest and asked < number(first) and is_older(newest, python):
            there = {"python": python, "first": first, "last": last}
            return say("releases-for-older-python", release=release, newest=newest, **there)
        return say("releases-in-index", first=first, last=last)
    if build and (others := re.findall(rf"(?<![\d.]){re.escape(release)}(\+\w+)", listed)):
        return say("builds-in-index", release=release, builds=", ".join(others))
    return _for_python(told_python(told), asked) if name == "torch" and asked else None


def _for_python(python: str, asked: tuple[int, ...]) -> Message | None:
    first, last = PYTHONS.get(python, ("", ""))
    if first and asked < number(first):
        return say("releases-from", python=python, first=first)
    if last and asked > number(last):
        return say("releases-up-to", python=python, last=last)
    return None
