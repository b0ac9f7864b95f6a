"""Error messages: the process has used up the files it may open."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SENDING = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/pin_memory.py")


@explains("thread-that-pins-has-ended")
def thread_that_pins_has_ended(failure: Failure) -> Hits:
    yield failure.hit(
        say("thread-pins-batches-has"),
    )


@explains("no-more-files")
def no_more_files(failure: Failure) -> Hits:
    cause = "each tensor from a worker holds one; raise `ulimit -n`, or set_sharing_strategy('file_system')"
    sent = failure.passed_through(*SENDING) or failure.contains("multiprocessing")
    if failure.frames and not sent:
        cause = f"what is opened is to be closed, with open(...) as file; {cause}"
    yield failure.hit(f"the limit is reached (Too many open files): {cause}")
