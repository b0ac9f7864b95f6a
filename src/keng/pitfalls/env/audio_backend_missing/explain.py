"""Error messages: `torchaudio.load` has no backend that can read audio files."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-reads")
def nothing_reads(failure: Failure) -> Hits:
    file = failure.groups.get("file")
    yield failure.hit(say("no-backend-for-file", file=file) if file else say("no-backend"))
