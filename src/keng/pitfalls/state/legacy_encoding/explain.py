"""Error messages: a checkpoint was pickled under Python 2."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("bytes-without-encoding")
def bytes_without_encoding(failure: Failure) -> Hits:
    if not failure.passed_through("torch/serialization.py", "torch/_weights_only_unpickler.py"):
        return
    byte, last = failure.groups["byte"], failure.frames[-1]
    as_text = failure.groups["codec"] not in ("ascii", "utf-8") or "codecs" in last.posix
    if as_text or "f.read(" in last.text:
        yield failure.hit(say("file-was-opened-text", byte=byte))
        return
    yield failure.hit(say("byte-of-python-2", byte=byte))
