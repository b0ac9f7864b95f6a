"""Error messages: an audio file is of a form that its reader does not know, or damaged."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-by-sox")
def not_by_sox(failure: Failure) -> Hits:
    file, what = failure.groups.get("file"), failure.groups.get("what")
    if what == "unknown length":
        yield failure.hit(say("sox-without-length"))
    elif file and file.lower().endswith((".wav", ".flac")):
        yield failure.hit(say("sound-of-another-kind", file=file))
    elif file:
        yield failure.hit(say("sox-cannot-read-file", file=file))
    elif what:
        yield failure.hit(say("sox-rejects-file", what=what))
    else:
        yield failure.hit(say("sox-cannot-read"))


@explains("not-by-ffmpeg")
def not_by_ffmpeg(failure: Failure) -> Hits:
    file, what = failure.groups["file"], failure.groups["what"]
    if what.startswith("No such"):
        yield failure.hit(say("file-not-there", file=file))
    else:
        yield failure.hit(say("ffmpeg-finds-nothing", file=file))


@explains("form-not-known")
def form_not_known(failure: Failure) -> Hits:
    file, what = failure.groups["file"].strip("'"), failure.groups.get("what")
    if file and what:
        yield failure.hit(say("form-rejected", file=file, what=what.rstrip(". ")))
    elif file:
        yield failure.hit(say("form-unknown", file=file))
    else:
        yield failure.hit(say("bytes-unknown"))
