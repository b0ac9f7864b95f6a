"""Error messages: an error in a DataLoader worker or a replica is reported without its traceback."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MADE_WITH = {
    "'doc' and 'pos'": "json.JSONDecodeError",
    "'cmd'": "subprocess.CalledProcessError",
    "'stdout' and 'stderr'": "ffmpeg.Error",
    "'operation_name'": "botocore ClientError",
    "'code', 'msg', 'hdrs', and 'fp'": "urllib HTTPError",
}
"""What else an exception is made with -> whose it is."""


@explains("told-by-a-replica")
def told_by_a_replica(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    if kind == "IndexError":
        yield failure.hit(say("index-error-in-replica", number=number))
    else:
        yield failure.hit(say("raised-in-replica", kind=kind, number=number))


@explains("not-raised-again")
def not_raised_again(failure: Failure) -> Hits:
    """Of older versions, which made each exception again of its text alone."""
    last = failure.frames[-1] if failure.frames else None
    if last is None or "exc_type(" not in last.text or "/torch/" not in last.posix:
        return
    lacks = failure.groups.get("lacks", "")
    if not lacks:
        yield failure.hit(say("decoding-not-raised-again"))
    elif lacks in MADE_WITH:
        says = say("known-not-raised-again", lacks=lacks, kind=MADE_WITH[lacks])
        yield failure.hit(says)
    else:
        yield failure.hit(say("other-not-raised-again", lacks=lacks))
