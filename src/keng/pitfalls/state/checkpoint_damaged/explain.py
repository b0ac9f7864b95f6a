"""Error messages: a checkpoint file is cut off, or is something else."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("cut-off")
def cut_off(failure: Failure) -> Hits:
    more = failure.groups.get("more", "")
    if any(map(failure.contains, ("jit.load", "jit::load", "torch/jit/_serialization.py"))):
        yield failure.hit(say("no-torchscript-archive"))
    elif more:
        yield failure.hit(say("bytes-missing", more=more))
    else:
        yield failure.hit(say("end-missing"))


@explains("another-archive")
def another_archive(failure: Failure) -> Hits:
    says = say("archive-whole-torch-save")
    yield failure.hit(says)


@explains("something-else")
def something_else(failure: Failure) -> Hits:
    code = int(failure.groups.get("code") or 0)
    first = failure.groups.get("first") or (chr(code) if 31 < code < 127 else f"\\x{code:02x}")
    known = _told_of(first)
    if known is None and failure.contains(".safetensors"):
        known = say("safetensors", first=first)
    yield failure.hit(known or say("not-by-torch-save", first=first), sure=known is not None)


@explains("header-of-something-else")
def header_of_something_else(failure: Failure) -> Hits:
    says = say("file-no-whole-safetensors")
    if failure.groups["why"].lower().replace(" ", "") == "headertoolarge":
        says = say("file-no-safetensors-most")
    yield failure.hit(says)


@explains("pickle-is-lost")
def pickle_is_lost(failure: Failure) -> Hits:
    if failure.groups.get("torchs") or failure.passed_through("torch/serialization.py"):
        cut = failure.groups.get("cut")
        yield failure.hit(say("pickle-cut-off") if cut else say("pickle-damaged"))


@explains("empty")
def empty(failure: Failure) -> Hits:
    says = say("file-empty-writing-or")
    yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


def _told_of(first: str) -> Message | None:
    """What a file is that begins with this character or escaped byte."""
    match first:
        case "v":
            return say("git-lfs-pointer", first=first)
        case "<":
            return say("web-page", first=first)
        case "{":
            return say("json-text", first=first)
        case "E":
            return say("plain-text", first=first)
        case "H":
            return say("hdf5-file", first=first)
        case "\\xff":
            return say("jpeg-image", first=first)
        case "\\x08":
            return say("protobuf-file", first=first)
        case "\\x0a" | "\\x0d":
            return say("begins-with-line-break", first=first)
        case "\\x00":
            return say("zeros", first=first)
        case "\\x1f":
            return say("gzip", first=first)
    return None
