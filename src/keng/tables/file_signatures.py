"""What a file is that torch.load takes for a pickle, by the first byte that is no instruction of one."""

from __future__ import annotations

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


def told_of(first: str, named_safe: bool) -> tuple[str, bool]:
    """What it is, and whether that is certain. `named_safe` tells that a name ends in .safetensors."""
    what = FIRST.get(first) or (SAFE if named_safe else "")
    return what or OTHERWISE, bool(what)
