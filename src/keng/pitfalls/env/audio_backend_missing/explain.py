"""Error messages: `torchaudio` has nothing to read audio files with."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-reads")
def nothing_reads(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "any file"
    yield failure.hit(f"no backend of torchaudio reads {file}: pip install soundfile, or FFmpeg")


@explains("codec-missing")
def codec_missing(failure: Failure) -> Hits:
    yield failure.hit("since 2.9 torchaudio reads by a package of its own: pip install torchcodec")


@explains("codec-not-loaded")
def codec_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        "torchcodec does not load: FFmpeg 4 to 7 with its libraries is missing, or it is not the torchcodec of this torch"
    )
