"""Error messages: `torchvision` or `torchaudio` was built for a different PyTorch version."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
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
        yield failure.hit(say("compiled-for-another", who=who))


def _who(failure: Failure, deepest: int = 3) -> str:
    """The companion whose loading failed: it is reported in the message, or one of the deepest frames is its."""
    places = [failure.message, *(frame.path for frame in failure.frames[: -deepest - 1 : -1])]
    found = (COMPANION.search(place) for place in places)
    return next((match["name"] for match in found if match), "")


@explains("asks-for-what-torch-lacks")
def asks_for_what_torch_lacks(failure: Failure) -> Hits:
    who = _who(failure, deepest=1)
    if who:
        yield failure.hit(say("lacks-in-torch", who=who))


def _of_another_torch(failure: Failure) -> Message:
    """Where torchvision, as a rule, has no operators for the PyTorch that is installed."""
    who = failure.groups.get("who") or "torchvision"
    if "from the 'CUDA' backend" in failure.message:
        return say("torchvision-without-cuda")
    if "different CUDA" in failure.message:
        return say("cuda-versions-differ", who=who)
    found = PACKAGE.search(failure.raised_in)
    if (
        "register_fake" in failure.message
        and found
        and found["name"] not in ("torch", "torchvision")
    ):
        return say("needs-torch-2-4", name=found["name"])
    return say("torchvision-for-another")
