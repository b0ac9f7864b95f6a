"""Error messages: pyTorch finds no NVIDIA driver, or no card."""

from __future__ import annotations

import re

from keng.explain.advice import cards
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

BUILDS = re.compile(
    r"failed to solve: |The command '/bin/sh -c|\] RUN |Step \d{1,3}/\d{1,3} : RUN|\b(?:during|in|while) (?:the )?\W?docker build|docker build\W? (?:fail|sequence|sta|step|time)"
)


WHILE_BUILT = "no card is there while an image is built: leave what needs it to the start of the container (--gpus all), or make nvidia the default runtime of Docker's daemon"


FOR_AMD = ("webui-directml", "webui-amdgpu")


OTHER_WEB_UI = "this web UI is the one for AMD's cards, whose torch has no CUDA: --use-directml or --use-zluda there, and the original one for an NVIDIA card"


@explains("no-driver")
def no_driver(failure: Failure) -> Hits:
    built = BUILDS.search(f"{failure.told} {failure.message}")
    yield failure.hit(WHILE_BUILT if built else cards.no_driver(failure))


@explains("old-driver")
def old_driver(failure: Failure) -> Hits:
    major, minor = (failure.groups.get(part) or "" for part in ("major", "minor"))
    yield failure.hit(cards.old_driver(major, minor))


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    web_ui = "able to use GPU" in failure.message and any(map(failure.shows, FOR_AMD))
    built = BUILDS.search(f"{failure.told} {failure.message}")
    yield failure.hit(OTHER_WEB_UI if web_ui else WHILE_BUILT if built else cards.no_card(failure))
