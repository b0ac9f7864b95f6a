"""`keng ckpt show`: what is in a checkpoint."""

from __future__ import annotations

from keng import ckpt
from keng.faces.cli import Usage
from keng.faces.options import Parser
from keng.stored import dotted


def parser() -> Parser:
    parser = Parser(
        "ckpt show", "Show what is in a checkpoint, without torch and without running it."
    )
    parser.add_argument("file")
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    try:
        found = ckpt.read(options.file)
    except OSError as error:
        raise Usage(
            f"ckpt show: {options.file}: {(error.strerror or str(error)).lower()}"
        ) from None
    for path, tensor in found.tensors.items():
        print(f"{dotted(path)}  {tensor.dtype} {list(tensor.shape)}")
    return 0
