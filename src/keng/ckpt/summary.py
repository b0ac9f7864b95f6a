"""What stands out in a checkpoint: where its weights are, what else it holds, who wrote it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from keng.stored import Checkpoint, Dict, Tensor

VERSIONS = ("pytorch-lightning_version", "version", "torch_version", "transformers_version")
COUNTERS = ("epoch", "global_step", "step", "iteration", "iter", "best_acc", "best_acc1")
MOMENTS = {
    frozenset(("exp_avg", "exp_avg_sq")): "Adam",
    frozenset(("momentum_buffer",)): "SGD with momentum",
    frozenset(("square_avg",)): "RMSprop",
    frozenset(("sum",)): "Adagrad",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """`devices` counts storages by their tag, `dtypes` bytes, `modules` parameters by the first part
    of their names; `holds` is what was recognised, in words."""

    tensors: int
    storages: int
    nbytes: int
    numel: int
    shared: int
    devices: dict[str, int]
    dtypes: dict[str, int]
    modules: dict[str, int]
    holds: tuple[str, ...]


def summary(checkpoint: Checkpoint) -> Summary:
    tensors = checkpoint.tensors
    storages = checkpoint.storages
    owners = Counter(id(tensor.storage) for tensor in tensors.values() if not tensor.parts)
    dtypes: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for path, tensor in tensors.items():
        dtypes[tensor.dtype] += tensor.nbytes
        modules[_module(path)] += tensor.numel
    return Summary(
        len(tensors),
        len(storages),
        sum(storage.nbytes for storage in storages),
        sum(tensor.numel for tensor in tensors.values()),
        sum(count > 1 for count in owners.values()),
        dict(Counter(storage.device for storage in storages)),
        dict(dtypes.most_common()),
        dict(modules),
        tuple(_holds(checkpoint.root)),
    )


def _module(path: tuple[Any, ...]) -> str:
    """ "state_dict.layer1" of ("state_dict", "layer1.0.weight")"""
    *above, name = (str(key) for key in path)
    return ".".join([*above[:2], name.partition(".")[0]] if "." in name else above[:2])


def _holds(root: Any) -> list[str]:
    if not isinstance(root, Dict):
        return []
    entries = root.names
    found = [
        f"{key} {entries[key]}"
        for key in (*COUNTERS, *VERSIONS)
        if isinstance(entries.get(key), int | float | str)
    ]
    for key, value in entries.items():
        if (kind := optimizer_of(value)) is not None:
            found.append(f"{key} ({kind})")
    return found


def optimizer_of(value: Any) -> str | None:
    """The kind of optimizer whose state this is, by the names of its moments; "state of an optimizer"
    where they are of no kind that is known, None where it is none."""
    if isinstance(value, list) and len(value) == 1:  # Lightning keeps a list of them
        value = value[0]
    if not isinstance(value, Dict) or not isinstance(value.get("param_groups"), list):
        return None
    state = value.get("state")
    first = state.pairs[0][1] if isinstance(state, Dict) and state.pairs else None
    names = (
        {key for key, v in first.pairs if isinstance(v, Tensor)} if isinstance(first, Dict) else ()
    )
    return next((kind for keys, kind in MOMENTS.items() if keys <= set(names)), "optimizer")
