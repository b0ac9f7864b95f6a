"""Error messages: a library of PyTorch is there and cannot be loaded."""

from __future__ import annotations

import re

from keng.explain.advice.libraries import missing_part, of_the_system, of_windows, unnamed
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

IMPORTS = re.compile(r"[/\\]torch[/\\]__init__\.py$")


TELLS_WHO = re.compile(r"\(required by|^An issue occurred while importing '(?:pyg-lib|torch-\w+)")


@explains("dll-not-loaded")
def dll_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(of_windows(failure, failure.groups["file"]))


@explains("extension-not-loaded")
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(unnamed(failure))


@explains("something-not-loaded")
def something_not_loaded(failure: Failure) -> Hits:
    if any(IMPORTS.search(frame.path) or "torch._C" in frame.text for frame in failure.frames):
        yield from extension_not_loaded(failure)


@explains("system-too-old")
def system_too_old(failure: Failure) -> Hits:
    where = [frame for frame in failure.frames if IMPORTS.search(frame.path)]
    if not where and not TELLS_WHO.search(failure.message):
        return
    yield failure.hit(of_the_system(failure, failure.groups["version"]))


@explains("compiled-part-missing")
def compiled_part_missing(failure: Failure) -> Hits:
    if IMPORTS.search(failure.raised_in) or not failure.groups.get("its"):
        says = "torch/_C, the compiled part, is not there: a folder `torch` shadows the package, or it is another Python than it was installed for; reinstall it"
        if lib := failure.groups.get("lib"):
            says = f"{lib} of PyTorch is missing or damaged, as an installation that broke off leaves it: pip install --force-reinstall --no-cache-dir torch"
        yield failure.hit(says)


@explains("part-of-the-system-missing")
def part_of_the_system_missing(failure: Failure) -> Hits:
    yield failure.hit(missing_part(failure.groups["file"]))
