"""Error messages: worker processes start the program again, since its main part is not guarded."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CELL = re.compile(r"<ipython-input|[\\/]ipykernel_\d")
"""Of a notebook."""


@explains("child-gone-at-its-start")
def child_gone_at_its_start(failure: Failure) -> Hits:
    on_windows = any("\\" in frame.path for frame in failure.frames)
    if on_windows and failure.passed_through("torch/utils/data/dataloader.py"):
        cell = CELL.search("\n".join(frame.path for frame in failure.frames))
        yield failure.hit(say("child-of-a-cell") if cell else say("child-starts-children"))
