"""Error messages: a dataset of torchvision is not in its folder, or not whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        "its files are not below the root that was given, seen from this directory: download=True once"
    )


@explains("not-whole")
def not_whole(failure: Failure) -> Hits:
    yield failure.hit(
        "its files are not there or broken off: delete what is there, and download=True again, or put them there by hand where the host sends a page in their place"
    )


@explains("not-fetched")
def not_fetched(failure: Failure) -> Hits:
    yield failure.hit(
        f"no mirror gave {failure.groups['file']}: fetch it where there is a network, into root/.../raw"
    )


@explains("not-fetched-by-hand")
def not_fetched_by_hand(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} is never fetched by itself: download it by hand and put it, packed, into root"
    )
