"""Error messages: an audio file is of a form that its reader does not know, or damaged."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-by-sox")
def not_by_sox(failure: Failure) -> Hits:
    file, what = failure.groups.get("file") or "the file", failure.groups.get("what")
    says = f" ({what})" if what else ", as Opus, AAC or a damaged one, or it is not there"
    if what == "unknown length":
        yield failure.hit(say("sox-cannot-tell-how"))
    elif file.lower().endswith((".wav", ".flac")):
        yield failure.hit(say("not-there-or-holds", file=file))
    else:
        yield failure.hit(f"SoX cannot read {file}{says}: ffprobe tells what it is")


@explains("not-by-sox-alone")
def not_by_sox_alone(failure: Failure) -> Hits:
    yield failure.hit(say("sox-cannot-read-torchaudio", file=failure.groups["file"]))


@explains("not-by-ffmpeg")
def not_by_ffmpeg(failure: Failure) -> Hits:
    file, what = failure.groups["file"], failure.groups["what"]
    if what.startswith("No such"):
        yield failure.hit(say("not-there-from-working", file=file))
    else:
        yield failure.hit(say("ffmpeg-finds-no-audio", file=file))


@explains("form-not-known")
def form_not_known(failure: Failure) -> Hits:
    file, what = failure.groups["file"].strip("'") or "the bytes", failure.groups.get("what")
    says = f" ({what.rstrip('. ')})" if what else ""
    yield failure.hit(
        f"{file} is no audio of a form that is read here{says}: ffprobe tells what it is"
    )


@explains("not-by-audioread")
def not_by_audioread(failure: Failure) -> Hits:
    yield failure.hit(say("none-audioread-s-readers"))
