"""How two checkpoints differ: names, shapes, dtypes, values.

Values are the same where the CRC-32 of their bytes are. Those that a zip stores are taken without
reading a tensor; where they differ the bytes are read, for a writer may have stored something else
(torch.serialization.set_crc32_options).
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Dict, Opaque, Path, Storage, Tensor
from keng.ckpt.pickle.numpy_scalars import number
from keng.ckpt.tree import by_name, inside, walk
from keng.ckpt.writing.contents import pieces, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Advance = Callable[[int, int], None]
"""Is told how many tensors are compared, and of how many."""
Values = tuple[tuple[int, ...], str, int]
"""Shape, dtype and CRC-32."""
GROUPS = (list, tuple, Dict, Opaque)
ABSENT = "-"
"""In place of a plain value that one of the two has not."""


@dataclass(slots=True)
class Differences:
    """By names: `renamed` leads from the first file's to the second's, the other pairs are what the
    first and the second file have. `same` counts tensors that are equal in all; `unread` are those of
    remote files whose values were not compared, as no checksum is stored."""

    only_first: list[str] = field(default_factory=list)
    only_second: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, tuple[str, str]] = field(default_factory=dict)
    dtypes: dict[str, tuple[str, str]] = field(default_factory=dict)
    values: list[str] = field(default_factory=list)
    plain: dict[str, tuple[str, str]] = field(default_factory=dict)
    metadata: dict[str, tuple[str, str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    same: int = 0

    def __bool__(self) -> bool:
        tensors = self.only_first or self.only_second or self.renamed or self.shapes or self.dtypes
        return bool(tensors or self.values or self.plain or self.metadata)


class Contents:
    """The tensors and plain values of a checkpoint, by name."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        tensors: list[tuple[Path, Tensor]] = []
        plain: list[tuple[Path, str]] = []
        for path, leaf in _leaves(checkpoint.root):
            if isinstance(leaf, Tensor):
                tensors.append((path, leaf))
            elif isinstance(leaf, Storage):
                tensors.append((path, Tensor("uint8", (leaf.nbytes,), (1,), 0, leaf)))
            else:
                plain.append((path, str(leaf)))
        self.tensors, self.plain = by_name(tensors), by_name(plain)

    def stored_crc(self, name: str) -> int | None:
        """Of the bytes of a tensor that is all of its storage."""
        tensor = self.tensors[name]
        whole = tensor.contiguous and not tensor.offset and tensor.nbytes == tensor.storage.nbytes
        return tensor.storage.crc if whole and not tensor.parts else None

    def crc(self, name: str) -> int:
        """Read. Raises OSError and ValueError."""
        tensor, crc = self.tensors[name], 0
        if tensor.storage.device == "meta":
            return crc
        known = tensor.dtype in SIZES  # of an array of texts, its header is compared as well
        made = rows(self.checkpoint, tensor) if known else pieces(self.checkpoint, tensor.storage)
        for piece in made:
            crc = zlib.crc32(piece, crc)
        return crc

    def values(self, name: str) -> Values:
        tensor, crc = self.tensors[name], self.stored_crc(name)
        return tensor.shape, tensor.dtype, self.crc(name) if crc is None else crc


def compare(first: Checkpoint, second: Checkpoint, advance: Advance) -> Differences:
    """Raises OSError and ValueError where bytes cannot be read."""
    one, other = Contents(first), Contents(second)
    found = Differences()
    both = [name for name in one.tensors if name in other.tensors]
    for n, name in enumerate(both):
        _compare(one, other, name, found)
        advance(n, len(both))
    _alone(one, other, found)
    for name in [*one.plain, *(name for name in other.plain if name not in one.plain)]:
        pair = one.plain.get(name, ABSENT), other.plain.get(name, ABSENT)
        if pair[0] != pair[1]:
            found.plain[name] = pair
    for name in {**first.metadata, **second.metadata}:
        pair = first.metadata.get(name, ABSENT), second.metadata.get(name, ABSENT)
        if pair[0] != pair[1] and _has_metadata(first, second):
            found.metadata[name] = pair
    return found


def _has_metadata(first: Checkpoint, second: Checkpoint) -> bool:
    """Whether both are of a format that has any: torch.save has none to compare."""
    return all(each.metadata or each.format == "safetensors" for each in (first, second))


def _compare(one: Contents, other: Contents, name: str, found: Differences) -> None:
    a, b = one.tensors[name], other.tensors[name]
    if a.shape != b.shape:
        found.shapes[name] = str(list(a.shape)), str(list(b.shape))
    elif a.dtype != b.dtype:
        found.dtypes[name] = a.dtype, b.dtype
    elif _is_unread(one, other, name):
        found.unread.append(name)
    elif not _equal(one, other, name, name):
        found.values.append(name)
    else:
        found.same += 1


def _is_unread(one: Contents, other: Contents, name: str) -> bool:
    """Whether one had to download values to compare them. Two checksums that differ say enough."""
    remote = one.checkpoint.is_remote or other.checkpoint.is_remote
    return remote and None in (one.stored_crc(name), other.stored_crc(name))


def _equal(one: Contents, other: Contents, name: str, its_name: str) -> bool:
    stored = one.stored_crc(name), other.stored_crc(its_name)
    if stored[0] == stored[1] is not None:
        return True
    if one.checkpoint.is_remote or other.checkpoint.is_remote:
        return False
    return one.crc(name) == other.crc(its_name)


def _alone(one: Contents, other: Contents, found: Differences) -> None:
    """Names that one file has: another name for the same, or not at all in the other. Contents are
    looked at where a tensor of that shape and dtype is left on both sides."""
    left = [name for name in one.tensors if name not in other.tensors]
    right = [name for name in other.tensors if name not in one.tensors]
    if one.checkpoint.is_remote or other.checkpoint.is_remote:
        found.only_first, found.only_second = left, right
        return
    waiting: dict[object, list[str]] = defaultdict(list)
    kinds = {_kind(other.tensors[name]) for name in right} & {_kind(one.tensors[n]) for n in left}
    for name in right:
        if _kind(other.tensors[name]) in kinds:
            waiting[other.values(name)].append(name)
    for name in left:
        found_there = waiting.get(one.values(name)) if _kind(one.tensors[name]) in kinds else None
        if found_there:
            found.renamed[name] = _nearest(name, found_there)
            found_there.remove(found.renamed[name])
        else:
            found.only_first.append(name)
    taken = set(found.renamed.values())
    found.only_second += [name for name in right if name not in taken]


def _kind(tensor: Tensor) -> tuple[tuple[int, ...], str]:
    return tensor.shape, tensor.dtype


def _nearest(name: str, names: list[str]) -> str:
    """Zeros and ones are alike in many tensors: the longest end in common decides."""
    return max(names, key=lambda other: _common_end(name.split("."), other.split(".")))


def _common_end(one: list[str], other: list[str]) -> int:
    n = 0
    while n < min(len(one), len(other)) and one[-1 - n] == other[-1 - n]:
        n += 1
    return n


def _leaves(root: Any) -> Iterator[tuple[Path, Any]]:
    """Each place where a tensor or a plain value stands: a tensor with two names is met twice. A number
    of NumPy is one."""
    if not isinstance(root, GROUPS):
        yield (), root
    closed: Path | None = None
    for path, node in walk(root):
        if not isinstance(node, GROUPS) or (closed is not None and path[: len(closed)] == closed):
            continue
        if _number(node) is not None:
            yield path, _number(node)
            closed = path
            continue
        for more, child in inside(node):
            if not isinstance(child, GROUPS):
                yield path + more, child


def _number(node: Any) -> Any:
    return number(node) if isinstance(node, Opaque) else None
