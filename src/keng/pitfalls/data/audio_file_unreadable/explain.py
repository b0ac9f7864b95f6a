"""Error messages: an audio file is of a form that its reader does not know, or damaged."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-by-sox")
def not_by_sox(failure: Failure) -> Hits:
    file, what = failure.groups.get("file") or "the file", failure.groups.get("what")
    says = f" ({what})" if what else ", as Opus, AAC or a damaged one, or it is not there"
    if what == "unknown length":
        yield failure.hit(
            "SoX cannot tell how long the file is, as of MP3s without a length in their head: ffmpeg -i FILE out.wav"
        )
    elif file.lower().endswith((".wav", ".flac")):
        yield failure.hit(f"{file} is not there, or holds something else than its name says")
    else:
        yield failure.hit(f"SoX cannot read {file}{says}: ffprobe tells what it is")


@explains("not-by-sox-alone")
def not_by_sox_alone(failure: Failure) -> Hits:
    yield failure.hit(
        f"SoX cannot read {failure.groups['file']}, and torchaudio found no FFmpeg, by which it reads MP3 since 0.12: FFmpeg 4; or it is damaged, or not there"
    )


@explains("not-by-ffmpeg")
def not_by_ffmpeg(failure: Failure) -> Hits:
    file, what = failure.groups["file"], failure.groups["what"]
    if what.startswith("No such"):
        yield failure.hit(f"{file} is not there, from this working directory")
    else:
        yield failure.hit(
            f"FFmpeg finds no audio in {file}: it is empty, damaged or something else"
        )


@explains("form-not-known")
def form_not_known(failure: Failure) -> Hits:
    file, what = failure.groups["file"].strip("'") or "the bytes", failure.groups.get("what")
    says = f" ({what.rstrip('. ')})" if what else ""
    yield failure.hit(
        f"{file} is no audio of a form that is read here{says}: ffprobe tells what it is"
    )


@explains("not-by-audioread")
def not_by_audioread(failure: Failure) -> Hits:
    yield failure.hit(
        "none of audioread's readers can open the file: it is empty or damaged, which ffprobe tells, or an MP3 or M4A, and there is no FFmpeg here"
    )
