"""Error messages: worker processes start the program again, since its main part is not guarded."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CELL = re.compile(r"<ipython-input|[\\/]ipykernel_\d")
"""Of a notebook."""


@explains("not-guarded")
def not_guarded(failure: Failure) -> Hits:
    yield failure.hit(say("child-imports-file-would"))


@explains("set-twice")
def set_twice(failure: Failure) -> Hits:
    yield failure.hit(say("start-method-was-set"))


@explains("child-gone-at-its-start")
def child_gone_at_its_start(failure: Failure) -> Hits:
    on_windows = any("\\" in frame.path for frame in failure.frames)
    if on_windows and failure.passed_through("torch/utils/data/dataloader.py"):
        cause = 'most often since it started children itself: put what runs under if __name__ == "__main__":'
        if CELL.search("\n".join(frame.path for frame in failure.frames)):
            cause = "since it knows no class or function that a cell defines: num_workers=0, or the dataset in a file of its own"
        yield failure.hit(f"a child has ended as it began, {cause}")
