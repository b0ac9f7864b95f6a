"""Error messages: an error of a DataLoader's worker, or of a replica, is told without its traceback."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

MADE_WITH = {
    "'doc' and 'pos'": ", as json.JSONDecodeError",
    "'cmd'": ", as subprocess.CalledProcessError",
    "'stdout' and 'stderr'": ", as ffmpeg.Error",
    "'operation_name'": ", as botocore's ClientError",
    "'code', 'msg', 'hdrs', and 'fp'": ", as urllib's HTTPError",
}
"""What else an exception is made with -> whose it is."""


@explains("told-by-a-replica")
def told_by_a_replica(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = (
        f"the model raised {kind} in replica {number} of DataParallel, and where is not told here"
    )
    listed = (
        "; in torch 1.5 to 1.11 a ParameterList is empty in replicas"
        if kind == "IndexError"
        else ""
    )
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try a single card{listed}")


@explains("told-in-one-line")
def told_in_one_line(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = f"the dataset raised {kind} in worker {number}, and where is not told here"
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try num_workers=0")


@explains("not-raised-again")
def not_raised_again(failure: Failure) -> Hits:
    """Of older versions, which made each exception anew of its text alone."""
    last = failure.frames[-1] if failure.frames else None
    if last is None or "exc_type(" not in last.text or "/torch/" not in last.posix:
        return
    lacks = failure.groups.get("lacks", "")
    what = f"an exception of more than a text ({lacks}{MADE_WITH.get(lacks, '')})"
    if not lacks:
        what = (
            "a UnicodeDecodeError, as a file is in another encoding than open(..., encoding=) says"
        )
    says = f"the dataset raised {what}, which an older PyTorch cannot raise again from a worker"
    yield failure.hit(f"{says}: num_workers=0 tells where")
