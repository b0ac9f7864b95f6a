r"""Memory that is to become a tensor, or goes over to another library, does not fit.

`torch.frombuffer` reads the bytes of an object that shows its memory: bytes, a bytearray, an array, a memory map. Their number is to be a whole number
of elements of the dtype, behind the offset. A list shows no memory. What goes over by DLPack is a plain tensor with memory of its own, of a dtype
that both sides know, and a capsule is taken once: the second time it is empty.

Cure: `dtype=`, `offset=` and `count=` as the file or the protocol has them; `torch.tensor(x)` for lists; `torch.from_dlpack(array)` with the array
itself and not a capsule of it.

Bad (a cut message):

```python
import torch

x = torch.frombuffer(bytearray(7), dtype=torch.float32)  # seen: 7 is no multiple of 4
```

Bad (a list):

```python
import torch

x = torch.frombuffer([1, 2], dtype=torch.int64)  # seen: `torch.tensor(x)`
```

Bad (a capsule twice):

```python
import torch

capsule = torch.utils.dlpack.to_dlpack(torch.ones(3))
x = torch.from_dlpack(capsule)
y = torch.from_dlpack(capsule)  # seen: `once`
```

Good:

```python
import torch

x = torch.frombuffer(bytearray(8), dtype=torch.float32)
y = torch.from_dlpack(x)
z = torch.tensor([1, 2])
```

Message (torch 2.13; `empty`):

```text
ValueError: both buffer length (0) and count (-1) must not be 0
```

Message (torch 2.13; `36 bytes`):

```text
ValueError: requested buffer length (9 * 4 bytes) after offset (0 bytes) must not be greater than actual buffer length (8 bytes)
```

Message (torch 2.13; `offset=`):

```text
ValueError: offset (9 bytes) must be non-negative and no greater than buffer length (4 bytes) minus 1
```

Message (torch 2.13; `to_dense()`):

```text
BufferError: Can't export tensors with layout other than torch.strided
```

Message (torch 2.13; `no memory`):

```text
BufferError: Cannot pack tensors on meta
```

Message (NumPy 2, of a tensor of bfloat16; `x.float()`):

```text
RuntimeError: Unsupported dtype in DLTensor.
```

Message (torch 2.13; `bytes`):

```text
RuntimeError: torch.UntypedStorage(): Expected a sequence type, but got Tensor
```

Message (torch 2.13; `12 places`):

```text
IndexError: index 99 out of range for storage of size 12
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"buffer length \((?P<length>\d+) bytes\) after offset \((?P<offset>\d+) bytes\) must be a multiple of element size \((?P<size>\d+)\)",
    odds=0.97,
)
def no_whole_elements(failure: Failure) -> Hits:
    length, size = (
        int(failure.groups["length"]) - int(failure.groups["offset"]),
        failure.groups["size"],
    )
    yield failure.hit(
        f"{length} bytes are no whole number of elements of {size}: another dtype=, offset= a header, or what was read is cut"
    )


@pitfall.explains(
    r"requested buffer length \((?P<count>\d+) \* (?P<size>\d+) bytes\) after offset \((?P<offset>\d+) bytes\) must not be greater "
    r"than actual buffer length \((?P<length>\d+) bytes\)",
    odds=0.97,
)
def more_than_there_is(failure: Failure) -> Hits:
    count, size, offset, length = (
        int(failure.groups[n]) for n in ("count", "size", "offset", "length")
    )
    yield failure.hit(
        f"count={count} asks for {count * size} bytes, and there are {length - offset}: a smaller count=, or what was read is cut"
    )


@pitfall.explains(
    r"index (?P<index>-?\d+) out of range for storage of size (?P<size>\d+)", odds=0.97
)
def outside_the_storage(failure: Failure) -> Hits:
    size = failure.groups["size"]
    yield failure.hit(
        f"the storage has {size} places: it is flat, and untyped_storage() counts in bytes"
    )


CAPSULE = "what is given is no capsule, or one that was taken: each goes over once; torch.from_dlpack(array) takes the array itself"
CURES = {
    "both buffer length (0) and count": "the buffer is empty: nothing was read or received",
    "object does not implement Python buffer protocol": "a list or a tensor shows no memory: torch.tensor(x); frombuffer takes bytes, "
    "a bytearray or an array",
    "must be non-negative and no greater than buffer length": "offset= lies behind the end of the buffer: what was read is cut",
    "from_dlpack received an invalid capsule": CAPSULE,
    "Can't export tensors with layout other than torch.strided": "DLPack knows no sparse tensors: x.to_dense() first",
    "Cannot pack tensors on meta": "a tensor on meta has no memory to hand over",
    "Unknown device type meta for Dlpack": "a tensor on meta has no memory to hand over",
    "QUInt/QInt types are not supported by dlpack": "DLPack knows no quantized tensors: x.dequantize() first",
    "Unsupported dtype in DLTensor": "the other library does not know this dtype: x.float() before it goes over",
    "torch.UntypedStorage(): Expected a sequence": "a storage is made of a number of bytes, or of a list of them: x.untyped_storage() is that of a tensor",
}
pitfall.answers(CURES, odds=0.97)
