"""Error messages: `torch.load` rejects a file that contains more than plain data."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

PACKAGE = re.compile(r"-packages/(\w+)/")
MODELS = ("torch.nn.", "torchvision.models", "models.")


@explains("class-not-allowed")
def class_not_allowed(failure: Failure) -> Hits:
    name = failure.groups["name"].rstrip(".")
    cure = _read_all_the_same(failure, name)
    yield failure.hit(say("if-you-trust-file", held=_told_of(name), cure=cure), refused=name)


@explains("refused-without-its-name")
def refused_without_its_name(failure: Failure) -> Hits:
    if "vulnerability" in failure.message:
        yield failure.hit(say("transformers-loads-pickled-weights"))
        return
    yield failure.hit(say("torch-load-takes-plain"))


def _read_all_the_same(failure: Failure, name: str) -> Message:
    """What lets it be read: the one class, or, where others come with it, everything."""
    if library := _caller(failure):
        return say("unchecked-in-library", library=library)
    if name.startswith(("numpy", *MODELS)):
        return say("unchecked")
    one = name.removeprefix("__main__.")
    if name == "argparse.Namespace" or name.startswith(("__main__.", "pathlib.", "collections.")):
        return say("allow-class", name=one)
    return say("unchecked-or-allow-class", name=one)


def _caller(failure: Failure) -> str:
    """The installed library that calls torch.load."""
    paths = [frame.posix for frame in failure.frames]
    loads = next((n for n, path in enumerate(paths) if path.endswith("torch/serialization.py")), 0)
    known = (
        PACKAGE.search(paths[loads - 1]) if loads and not failure.frames[loads - 1].user else None
    )
    return known[1] if known else ""


def _told_of(name: str) -> Message:
    """What a file holds, by the name of the class that is rejected."""
    if name.startswith("numpy"):
        return say("holds-numpy", name=name)
    if name.startswith(MODELS):
        return say("holds-whole-model", name=name)
    if name.startswith("__main__."):
        return say("holds-own-class", name=name)
    return say("holds-namespace") if name == "argparse.Namespace" else say("holds-class", name=name)
