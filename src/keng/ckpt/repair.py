"""Applies a mapping plan to a checkpoint, and takes checkpoints from one form to another."""

from __future__ import annotations

from collections.abc import Mapping

from keng._util.texts import sentence
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.mapping import Move, Plan
from keng.ckpt.nodes import Dict, Storage, Tensor, steps
from keng.ckpt.state_dicts import Tensors, tensors_of
from keng.ckpt.writing import write_safetensors, write_zip
from keng.ckpt.writing.contents import Advance, contiguous, joined, stacked
from keng.ckpt.writing.values import Change, Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def at(root: Any, keys: tuple[str, ...]) -> Any:
    """What the keys lead to; None where they lead nowhere."""
    for key in keys:
        root = root.get(key) if isinstance(root, Dict) else None
    return root


def mended(checkpoint: Checkpoint, plan: Plan) -> Dict:
    """The checkpoint's tree with the planned state dict in the place of its own. What would need values
    to be made up is left out, but for counters of batches, which begin at 0. Raises ValueError where
    the plan is of another file."""
    state = Dict(
        "OrderedDict", list(_planned(tensors_of(at(checkpoint.root, plan.nesting)), plan).items())
    )
    return _with(checkpoint.root, plan.nesting, state)


def _planned(tensors: Tensors, plan: Plan) -> Tensors:
    made: Tensors = {}
    for move in plan.exact:
        sources = [tensors.get(name) for name in (move.source, *move.more)]
        found = [tensor for tensor in sources if tensor is not None]
        if len(found) < len(sources):
            raise ValueError(sentence("plan_of_other_file", name=move.source))
        made[move.target] = _moved(found, move)
    for each in plan.missing:
        if each.why == "counter":
            zero = Storage(each.name, "int64", 8, inline=bytes(8))
            made[each.name] = Tensor("int64", (), (), 0, zero)
    return made


def _moved(tensors: list[Tensor], move: Move) -> Tensor:
    tensor = tensors[0]
    if move.how == "join":
        tensor = stacked(tensors)
        return _turned(tensor) if move.turned else tensor
    if move.how != "copy" and tensor.parts:
        tensor = joined(tensor)
    if move.how == "transpose":
        return _turned(tensor)
    if move.how == "split":
        return _rows(_turned(tensor) if move.turned else tensor, *move.rows)
    if move.how == "reshape" and move.shape is not None:
        whole = tensor if tensor.contiguous else contiguous(tensor)
        return whole.but(shape=move.shape, stride=steps(move.shape))
    return tensor


def _turned(tensor: Tensor) -> Tensor:
    return tensor.but(shape=tensor.shape[::-1], stride=tensor.stride[::-1])


def _rows(tensor: Tensor, start: int, stop: int, count: int) -> Tensor:
    there, *rest = tensor.shape or (0,)
    if not 0 <= start < stop <= count == there:
        rows = {"start": start, "stop": stop, "count": count, "rows": there}
        raise ValueError(sentence("plan_of_other_rows", **rows))
    offset = tensor.offset + start * tensor.stride[0]
    return tensor.but(shape=(stop - start, *rest), offset=offset)


def _with(root: Any, keys: tuple[str, ...], state: Dict) -> Dict:
    if not keys or not isinstance(root, Dict):
        return state
    pairs = [
        (key, _with(value, keys[1:], state) if key == keys[0] else value)
        for key, value in root.pairs
    ]
    return Dict(root.kind, pairs, root.state)


def size_of(root: Any) -> int:
    """Bytes of the storages in a tree."""
    return sum(storage.nbytes for storage in Checkpoint("", "unknown", root).storages)


def save(
    path: str,
    root: Any,
    checkpoint: Checkpoint,
    advance: Advance,
    change: Change = lambda tensor: tensor,
    metadata: Mapping[str, str] | None = None,
) -> Written:
    """Writes a tree: its state dict alone where the path says .safetensors, with the metadata. Raises
    ValueError, OSError and writing.values.Refused."""
    if path.endswith(".safetensors"):
        return write_safetensors(path, tensors_of(root), checkpoint, advance, change, metadata)
    return write_zip(path, root, checkpoint, advance, change)


def shared(tensors: Mapping[str, Tensor]) -> list[tuple[str, ...]]:
    """The names of tensors that lie in one storage."""
    groups: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        groups.setdefault(id(tensor.storage), []).append(name)
    return [tuple(names) for names in groups.values() if len(names) > 1]
