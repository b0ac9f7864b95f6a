"""Error messages: conda installs packages over each other, or a damaged one."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("over-each-other")
def over_each_other(failure: Failure) -> Hits:
    what, path = failure.groups["what"].rpartition("::")[2], failure.groups["path"]
    if "torch" in failure.message or failure.mentions_torch:
        yield failure.hit(
            f"{path} comes with {what} and with another package too, and the last one wins: a fresh environment from one channel, or pip"
        )


@explains("not-as-listed")
def not_as_listed(failure: Failure) -> Hits:
    yield failure.hit(
        f"the unpacked {failure.groups['what']} in conda's cache is damaged or was edited: conda clean --all, then install again"
    )


@explains("channel-not-reached")
def channel_not_reached(failure: Failure) -> Hits:
    yield failure.hit(
        f"the channel answers {failure.groups['code']} or the connection broke: try again later, see proxy and mirror in .condarc, or pip install torch"
    )
