"""Error messages: `torchvision` or `torchaudio` belongs to another PyTorch."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

COMPANION = re.compile(r"[/\\](?P<name>torch(?:vision|audio|text))[/\\]")

PACKAGE = re.compile(r"-packages[/\\](?P<name>\w+)")


@explains("compiled-for-another")
def compiled_for_another(failure: Failure) -> Hits:
    yield failure.hit(_of_another_torch(failure))


@explains("library-of-another")
def library_of_another(failure: Failure) -> Hits:
    who = _who(failure)
    if who:
        yield failure.hit(say("was-compiled-another-pytorch", who=who))


def _who(failure: Failure, deepest: int = 3) -> str:
    """The companion whose loading failed: it is told in the message, or one of the deepest frames is its."""
    places = [failure.message, *(frame.path for frame in failure.frames[: -deepest - 1 : -1])]
    found = (COMPANION.search(place) for place in places)
    return next((match["name"] for match in found if match), "")


@explains("reader-not-loaded")
def reader_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(say("torchvision-s-own-readers"))


@explains("asks-for-what-torch-lacks")
def asks_for_what_torch_lacks(failure: Failure) -> Hits:
    who = _who(failure, deepest=1)
    if who:
        yield failure.hit(say("asks-what-torch-does", who=who))


def _of_another_torch(failure: Failure) -> str:
    """Where torchvision, as a rule, has no operators for the PyTorch that is installed."""
    who = failure.groups.get("who") or "torchvision"
    if "from the 'CUDA' backend" in failure.message:
        says = "the torchvision that is installed has no CUDA, beside a PyTorch that has"
        return f"{says}: install both together from one index, as .../whl/cu128"
    if "different CUDA" in failure.message:
        says = f"PyTorch and {who} are for two versions of CUDA"
        return f"{says}: install both together from one index, as .../whl/cu128"
    found = PACKAGE.search(failure.raised_in)
    if (
        "register_fake" in failure.message
        and found
        and found["name"] not in ("torch", "torchvision")
    ):
        says = f"{found['name']} asks for what came with torch 2.4"
        return f"{says}: a newer torch, or an older {found['name']}"
    says = "the torchvision that is installed was compiled for another PyTorch"
    return f"{says}: install both together, as 2.9 and 0.24, 2.8 and 0.23"
