"""Another dtype for what is floating point, a buffer at a time, rounded as torch rounds: by float32.

NumPy computes it; nothing else of keng's checkpoints needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Storage, Tensor
from keng.ckpt.writing.contents import Bytes, Made, pieces

DTYPES = ("float64", "float32", "float16", "bfloat16")
CALLED = {
    **dict.fromkeys(("fp64", "double"), "float64"),
    **dict.fromkeys(("fp32", "float"), "float32"),
    **dict.fromkeys(("fp16", "half"), "float16"),
    "bf16": "bfloat16",
}
"""What else they are called."""


class Casting:
    """A change of tensors: those that share a storage still share one. `overflowed` counts, by the id of the
    tensor's old storage, the finite values that become infinite as they are written. Raises ImportError where
    there is no NumPy."""

    def __init__(self, dtype: str) -> None:
        import numpy

        self.dtype = dtype
        self._numpy: Any = numpy
        self._made: dict[tuple[int, str], tuple[Storage, Storage]] = {}
        self.overflowed: dict[int, int] = {}

    def __call__(self, tensor: Tensor) -> Tensor:
        if tensor.dtype not in DTYPES or tensor.dtype == self.dtype:
            return tensor
        key = id(tensor.storage), tensor.dtype
        if key not in self._made:
            self._made[key] = tensor.storage, self._cast(tensor.storage, tensor.dtype)
        return tensor.but(dtype=self.dtype, storage=self._made[key][1])

    def _cast(self, storage: Storage, dtype: str) -> Storage:
        count = storage.nbytes // SIZES[dtype]

        def cast(checkpoint: Checkpoint) -> Iterator[Bytes]:
            if checkpoint.byteorder == "big":
                raise ValueError("its numbers are big-endian: --dtype takes little-endian ones")
            for piece in pieces(checkpoint, storage):
                values = decoded(piece, dtype, self._numpy)
                made = encoded(values, self.dtype, self._numpy)
                self._count(storage, values, made)
                yield made

        nbytes = count * SIZES[self.dtype]
        return Made(storage.key, self.dtype, nbytes, storage.device, cast)

    def _count(self, storage: Storage, values: Any, made: bytes) -> None:
        if SIZES[self.dtype] >= values.itemsize and self.dtype != "float16":
            return  # as wide at least
        isinf = self._numpy.isinf
        lost = int(isinf(decoded(made, self.dtype, self._numpy)).sum()) - int(isinf(values).sum())
        if lost:
            self.overflowed[id(storage)] = self.overflowed.get(id(storage), 0) + lost


def decoded(piece: Bytes, dtype: str, numpy: Any) -> Any:
    """The numbers of a floating point dtype: of bfloat16 as float32, of others as they are."""
    if dtype == "bfloat16":
        words = numpy.frombuffer(piece, "<u2").astype("<u4") << 16
        return words.view("<f4")
    return numpy.frombuffer(piece, f"<f{SIZES[dtype]}")


def encoded(values: Any, dtype: str, numpy: Any) -> bytes:
    """Numbers in the bytes of a dtype, rounded to it by way of float32 as torch does."""
    with numpy.errstate(over="ignore", invalid="ignore"):
        if dtype == "float64":
            return bytes(values.astype("<f8").data)
        single = values.astype("<f4")
        if dtype == "bfloat16":
            return bytes(_rounded(single, numpy).data)
        return bytes(single.astype(f"<f{SIZES[dtype]}").data)


def _rounded(single: Any, numpy: Any) -> Any:
    """To the nearest, ties to even; what is no number stays none."""
    bits = single.view("<u4").astype("<u8")
    words = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")
    words[numpy.isnan(single)] = 0x7FC0
    return words
