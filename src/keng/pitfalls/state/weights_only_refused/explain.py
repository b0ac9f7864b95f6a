"""Error messages: `torch.load` refuses what is no plain data."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PACKAGE = re.compile(r"-packages/(\w+)/")
MODELS = ("torch.nn.", "torchvision.models", "models.")
UNCHECKED = "torch.load(..., weights_only=False)"
"""NumPy's data wants its dtype and the class of that as well, a model each of its layers."""


@explains("class-not-allowed")
def class_not_allowed(failure: Failure) -> Hits:
    name = failure.groups["name"].rstrip(".")
    cure = _read_all_the_same(failure, name)
    yield failure.hit(say("if-you-trust-file", cure=_told_of(name), cure_2=cure), refused=name)


@explains("a-script")
def a_script(failure: Failure) -> Hits:
    yield failure.hit(say("file-torchscript-program-not"))


@explains("default-will-change")
def default_will_change(failure: Failure) -> Hits:
    yield failure.hit(say("torch-load-will-refuse"))


@explains("refused-without-its-name")
def refused_without_its_name(failure: Failure) -> Hits:
    if "vulnerability" in failure.message:
        yield failure.hit(say("transformers-loads-pickled-weights"))
        return
    yield failure.hit(say("torch-load-takes-plain"))


def _read_all_the_same(failure: Failure, name: str) -> str:
    """What lets it be read: the one class, or, where others come with it, everything."""
    if library := _caller(failure):
        unchecked = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 in the environment"
        return f"{unchecked}, or a newer {library}, which calls torch.load here"
    if name.startswith(("numpy", *MODELS)):
        return UNCHECKED
    one = f"torch.serialization.safe_globals([{name.removeprefix('__main__.')}])"
    if name == "argparse.Namespace" or name.startswith(("__main__.", "pathlib.", "collections.")):
        return f"load it with {one}"
    return f"{UNCHECKED}, or with {one} and what it names next"


def _caller(failure: Failure) -> str:
    """The installed library that calls torch.load."""
    paths = [frame.posix for frame in failure.frames]
    loads = next((n for n, path in enumerate(paths) if path.endswith("torch/serialization.py")), 0)
    known = (
        PACKAGE.search(paths[loads - 1]) if loads and not failure.frames[loads - 1].user else None
    )
    return known[1] if known else ""


def _told_of(name: str) -> str:
    """What a file holds, by the name of the class that is refused."""
    if name.startswith("numpy"):
        return f"the file holds NumPy data (`{name}`), where float(x) or torch.from_numpy(x) would be saved"
    if name.startswith(MODELS):
        return f"the file holds a whole model (`{name}`), not its state dict"
    if name.startswith("__main__."):
        return f"the file holds a `{name}` of your own, a whole model or settings, no plain data"
    if name == "argparse.Namespace":
        return "the file holds an `argparse.Namespace`: save vars(args)"
    return f"the file holds a `{name}`, which is no plain data"
