"""Error messages: `torchaudio.load` has no backend that can read audio files."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PYTHONS = re.compile(r"\blibpython3[\w.]{0,20}\.(?:so|dylib)[\w.]{0,10}")
FFMPEGS = re.compile(r"FFmpeg|libav\w+|\bundefined symbol\b")


@explains("torchcodec-not-loaded")
def torchcodec_not_loaded(failure: Failure) -> Hits:
    """torchcodec tries each FFmpeg in turn, and reports what the loader said of each."""
    text = f"{failure.message}\n{failure.context}"
    python = PYTHONS.search(text)
    if python is not None:
        yield failure.hit(say("torchcodec-without-python", file=python[0]))
    elif FFMPEGS.search(text) is not None:
        yield failure.hit(say("torchcodec-not-loaded"))
    else:
        yield failure.hit(say("torchcodec-not-loaded-unsaid"))


@explains("nothing-reads")
def nothing_reads(failure: Failure) -> Hits:
    file = failure.groups.get("file")
    yield failure.hit(say("no-backend-for-file", file=file) if file else say("no-backend"))
