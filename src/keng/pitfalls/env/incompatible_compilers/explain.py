"""Error messages: the C++ compiler, nvcc and PyTorch do not fit each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("compiler-out-of-bounds")
def compiler_out_of_bounds(failure: Failure) -> Hits:
    name, own, way, cuda, bounds = failure.groups.values()
    given = {"compiler": name.rpartition("/")[2], "own": own, "cuda": cuda}
    if bounds:
        older = say("compiler-below-bounds", bounds=bounds, **given)
        newer = say("compiler-above-bounds", bounds=bounds, **given)
    else:
        older, newer = say("compiler-too-old", **given), say("compiler-too-new", **given)
    yield failure.hit(older if way == "less" else newer)


@explains("visual-studio-too-new")
def visual_studio_too_new(failure: Failure) -> Hits:
    takes, wants = failure.groups.get("takes"), failure.groups.get("wants")
    known = say("visual-studio-newer-than-nvcc", takes=takes)
    needs = say("visual-studio-needs-newer-cuda", wants=wants)
    yield failure.hit(known if takes else needs)


@explains("card-not-known")
def card_not_known(failure: Failure) -> Hits:
    yield failure.hit(_not_known_to_nvcc(failure.groups["arch"]))


@explains("source-refused")
def source_refused(failure: Failure) -> Hits:
    file, says = failure.groups["file"], failure.groups["says"]
    yield failure.hit(say("source-rejected", file=file, says=says.partition("\n")[0].rstrip(". ")))


def _not_known_to_nvcc(arch: str) -> Message:
    """Why a compiler has no code for an architecture, "compute_86" or "8.9"."""
    found = re.search(r"\d+", arch.replace(".", ""))
    if found is not None and int(found[0]) < 75:
        return say("architecture-dropped", arch=arch)
    return say("architecture-too-new", arch=arch)
