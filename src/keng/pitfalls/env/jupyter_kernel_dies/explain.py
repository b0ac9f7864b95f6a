"""Error messages: a notebook's kernel dies, and its error is not shown."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("ended-unseen")
def ended_unseen(failure: Failure) -> Hits:
    says = "the kernel's process was ended, mostly as memory was full, else by compiled code: num_workers=0, see `free -h`, and run it as a script, which shows the message"
    if failure.groups.get("full"):
        says = "the main memory of the session is full: smaller batches, fewer workers, data read in parts, no lists of tensors that grow, or a session with more"
    yield failure.hit(says)
