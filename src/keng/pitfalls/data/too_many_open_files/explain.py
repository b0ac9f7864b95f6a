"""Error messages: the process has used up the files it may open."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SENDING = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/pin_memory.py")


@explains("no-more-files")
def no_more_files(failure: Failure) -> Hits:
    sent = failure.passed_through(*SENDING) or failure.contains("multiprocessing")
    opened = failure.frames and not sent
    yield failure.hit(say("files-not-closed") if opened else say("tensors-hold-files"))
