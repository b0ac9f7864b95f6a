"""Error messages: a checkpoint file is cut off, or is something else."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FIRST = {
    "v": "a Git LFS pointer: git lfs pull",
    "<": "a web page, not the file: download it anew",
    "{": "JSON text",
    "E": "text, as `Entry not found` of the Hub: look at its first lines, and at the name asked for",
    "H": "an HDF5 file, as Keras writes its weights (.h5): h5py reads it",
    "\\xff": "a JPEG picture: the arguments are exchanged, or the path is another's",
    "\\x08": "an ONNX file, or another one of protobuf: onnxruntime or onnx.load",
    **dict.fromkeys(
        ("\\x0a", "\\x0d"),
        "text that begins with a line break, as some web pages do, or a protobuf file: look at its "
        "first lines",
    ),
    "\\x00": "filled with zeros: its writing was broken off",
    "\\x1f": "gzip: unpack it first",
}
SAFE = "no pickle: safetensors.torch.load_file reads .safetensors"
OTHERWISE = "no checkpoint of torch.save: look at its first lines, or read it by what wrote it"


@explains("cut-off")
def cut_off(failure: Failure) -> Hits:
    more = failure.groups.get("more", "")
    lacks = f"{more} bytes are missing at its end" if more else "its end is missing or damaged"
    cure = "delete it, from a cache too, and fetch it again; one's own was not written to its end, or by several ranks at once"
    if any(map(failure.contains, ("jit.load", "jit::load", "torch/jit/_serialization.py"))):
        cure = "or it is no TorchScript archive, as a Git LFS pointer, or a checkpoint of before 1.6, for torch.load"
    yield failure.hit(f"the file is no whole checkpoint, {lacks}: {cure}")


@explains("another-archive")
def another_archive(failure: Failure) -> Hits:
    says = say("archive-whole-torch-save")
    yield failure.hit(says)


@explains("not-opened")
def not_opened(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-archive-name"))


@explains("something-else")
def something_else(failure: Failure) -> Hits:
    code = int(failure.groups.get("code") or 0)
    first = failure.groups.get("first") or (chr(code) if 31 < code < 127 else f"\\x{code:02x}")
    what, sure = _told_of(first, failure.contains(".safetensors"))
    yield failure.hit(say("file-begins", what=first, what_2=what), sure=sure)


@explains("header-of-something-else")
def header_of_something_else(failure: Failure) -> Hits:
    says = say("file-no-whole-safetensors")
    if failure.groups["why"].lower().replace(" ", "") == "headertoolarge":
        says = say("file-no-safetensors-most")
    yield failure.hit(says)


@explains("pickle-is-lost")
def pickle_is_lost(failure: Failure) -> Hits:
    cut = "cut off" if failure.groups.get("cut") else "no checkpoint, or a damaged one"
    if failure.groups.get("torchs") or failure.passed_through("torch/serialization.py"):
        yield failure.hit(
            f"the file is {cut}: look at its size and first bytes (a Git LFS pointer has about 130), fetch it again"
        )


@explains("empty")
def empty(failure: Failure) -> Hits:
    says = say("file-empty-writing-or")
    yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


def _told_of(first: str, named_safe: bool) -> tuple[str, bool]:
    """What it is, and whether that is certain. `named_safe` tells that a name ends in .safetensors."""
    what = FIRST.get(first) or (SAFE if named_safe else "")
    return what or OTHERWISE, bool(what)
