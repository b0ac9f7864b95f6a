"""What stands out in a checkpoint: where its weights are, what else it holds, who wrote it."""

from __future__ import annotations

from collections import Counter

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import Dict, Path, Tensor, bytes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSIONS = ("pytorch-lightning_version", "version", "torch_version", "transformers_version")
COUNTERS = ("epoch", "global_step", "step", "iteration", "iter", "best_acc", "best_acc1")
MOMENTS = {
    frozenset(("exp_avg", "exp_avg_sq")): "Adam",
    frozenset(("momentum_buffer",)): "SGD with momentum",
    frozenset(("square_avg",)): "RMSprop",
    frozenset(("sum",)): "Adagrad",
}


class Summary:
    """`devices` counts storages by their tag, `dtypes` bytes, `modules` parameters by the first part
    of their names; `shared` storages belong to several tensors; `holds` is what was recognised, in
    words. What wraps other tensors is counted by these."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        tensors, storages = checkpoint.tensors, checkpoint.storages
        wrappers = {id(tensor.storage) for tensor in tensors.values() if tensor.wraps}
        tensors = {path: each for path, each in tensors.items() if not each.wraps}
        storages = [each for each in storages if id(each) not in wrappers]
        owners = Counter(id(tensor.storage) for tensor in tensors.values() if not tensor.parts)
        self.tensors, self.storages = len(tensors), len(storages)
        self.nbytes = sum(storage.nbytes for storage in storages)
        self.numel = 0
        self.shared = sum(count > 1 for count in owners.values())
        tagged = storages if _has_tags(checkpoint) else []
        self.devices = Counter(storage.device for storage in tagged)
        self.dtypes: Counter[str] = Counter()
        counts: Counter[tuple[Any, ...]] = Counter()
        for path, tensor in tensors.items():
            numel = tensor.numel
            self.numel += numel
            self.dtypes[tensor.dtype] += bytes_of(numel, tensor.dtype)
            counts[_module(path)] += numel
        self.modules: Counter[str] = Counter()
        for module, numel in counts.items():
            self.modules[".".join(map(str, module))] += numel
        self.holds = _holds(checkpoint.root)


def _has_tags(checkpoint: Checkpoint) -> bool:
    """Whether the format says of a storage which device it was on."""
    last = checkpoint.files[-1] if checkpoint.files else ""
    return checkpoint.format not in ("npz", "gguf", "onnx") and not last.endswith(".safetensors")


def _module(path: Path) -> Path:
    """("state_dict", "layer1") of ("state_dict", "layer1.0.weight"), ("scale",) of ("scale",)"""
    name = str(path[-1]) if path else ""  # a tensor may be the whole file
    first, dot, _ = name.partition(".")
    return (*path[:-1][:2], first) if dot or len(path) < 2 else path[:-1][:2]


def _holds(root: Any) -> list[str]:
    if not isinstance(root, Dict):
        return []
    entries = root.names
    found = [
        f"{key} {entries[key]}"
        for key in (*COUNTERS, *VERSIONS)
        if isinstance(entries.get(key), int | float | str)
    ]
    if (kind := optimizer_of(root)) is not None:
        found.append(f"the state of an optimizer ({kind})")
    for key, value in entries.items():
        if (kind := optimizer_of(value)) is not None:
            found.append(f"{key} ({kind})")
    return found


def optimizer_of(value: Any) -> str | None:
    """The kind of optimizer whose state this is, by the names of its moments; "state of an optimizer"
    where they are of no kind that is known, None where it is none."""
    if isinstance(value, list) and len(value) == 1:  # Lightning keeps a list of them
        value = value[0]
    if not isinstance(value, Dict) or not isinstance(value.get("param_groups"), list | Dict):
        return None
    state = value.get("state")
    first = state.pairs[0][1] if isinstance(state, Dict) and state.pairs else None
    names = (
        {key for key, v in first.pairs if isinstance(v, Tensor)} if isinstance(first, Dict) else ()
    )
    return next((kind for keys, kind in MOMENTS.items() if keys <= set(names)), "optimizer")
