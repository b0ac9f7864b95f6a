"""Computes with the weights of several checkpoints: averages, and adapters (LoRA) merged and extracted.

NumPy computes, in float32; of float64 in float64. Tensors are computed one at a time, when they are written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from keng._util.texts import listed, sentence
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Storage, Tensor, steps
from keng.ckpt.writing.casting import DTYPES, decoded, encoded
from keng.ckpt.writing.contents import Bytes, Made, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tensors = Mapping[str, Tensor]

PREFIX = "base_model.model."
"""What PEFT puts before the names of an adapter."""
NAMED = 6
"""Names that an error lists."""
ZERO = 1e-12
"""Of the norm of a weight: below that nothing has changed."""


class Loaded:
    """Tensors by name, with the checkpoint that has their bytes."""

    def __init__(self, name: str, checkpoint: Checkpoint, tensors: Tensors) -> None:
        self.name, self.checkpoint, self.tensors = name, checkpoint, tensors

    def array(self, name: str) -> Any:
        """The values of a floating point tensor, in its shape: float64 of float64, else float32. Raises
        ValueError and OSError."""
        import numpy

        tensor = self.tensors[name]
        if tensor.dtype not in DTYPES:
            says = sentence("not_floating", file=self.name, name=name, dtype=tensor.dtype)
            raise ValueError(says)
        data = b"".join(rows(self.checkpoint, tensor))
        values = decoded(data, tensor.dtype, numpy).reshape(tensor.shape)
        return values if tensor.dtype == "float64" else values.astype("f4")


def computed(like: Tensor, name: str, values: Callable[[], Any]) -> Tensor:
    """A tensor of the shape and dtype of another, whose values are computed when it is written."""

    def pieces(_: Checkpoint) -> Iterator[Bytes]:
        import numpy

        yield encoded(numpy.ascontiguousarray(values()), like.dtype, numpy)

    nbytes = like.numel * SIZES[like.dtype]
    storage: Storage = Made(name, like.dtype, nbytes, "cpu", pieces)
    return Tensor(like.dtype, like.shape, steps(like.shape), 0, storage)


# Averages


def averaged(files: Sequence[Loaded]) -> dict[str, Tensor]:
    """The mean of each floating point tensor; others are those of the first file. Raises ValueError where
    names, shapes or dtypes differ."""
    first = files[0]
    for other in files[1:]:
        _same(first, other)
    made = {}
    for name, tensor in first.tensors.items():
        made[name] = tensor
        if tensor.dtype in DTYPES:
            mean = lambda name=name: _mean(files, name)  # noqa: E731
            made[name] = computed(tensor, name, mean)
    return made


def _mean(files: Sequence[Loaded], name: str) -> Any:
    """Summed in float64, in which the order of the files makes no difference that is left in float32."""
    total = files[0].array(name).astype("f8")
    for each in files[1:]:
        total += each.array(name)
    return total / len(files)


def _same(one: Loaded, other: Loaded) -> None:
    lone = one.tensors.keys() ^ other.tensors.keys()
    if lone:
        names = _some(lone)
        raise ValueError(sentence("names_not_same", one=one.name, other=other.name, names=names))
    for name, tensor in one.tensors.items():
        there = other.tensors[name]
        if (tensor.shape, tensor.dtype) != (there.shape, there.dtype):
            kinds = {"one": _kind(tensor), "other": _kind(there)}
            files = {"first": one.name, "second": other.name}
            raise ValueError(sentence("kinds_not_same", name=name, **kinds, **files))


def _kind(tensor: Tensor) -> str:
    return f"{tensor.dtype} {list(tensor.shape)}"


def _some(names: Iterable[str]) -> str:
    every = sorted(names)
    n = len(every) - NAMED
    more = [sentence("n_more", n=n)] if n > 0 else []
    return listed([*(f"`{name}`" for name in every[:NAMED]), *more])


# Adapters


class Adapter:
    """A LoRA in PEFT's layout, with its configuration."""

    def __init__(self, loaded: Loaded, config: Mapping[str, Any]) -> None:
        """Raises ValueError for what is no LoRA, or one that is more than two matrices for a weight."""
        self.loaded, self.config = loaded, config
        kind = config.get("peft_type", "LORA")
        if kind != "LORA" or config.get("use_dora"):
            said = "DoRA" if config.get("use_dora") else kind
            raise ValueError(sentence("not_lora", file=loaded.name, kind=said))
        self.pairs: dict[str, tuple[str, str]] = {}
        self.whole: dict[str, str] = {}
        for name in loaded.tensors:
            self._sort(name)
        if not self.pairs:
            raise ValueError(sentence("no_lora_pairs", file=loaded.name))

    def _sort(self, name: str) -> None:
        bare = name.removeprefix(PREFIX).replace(".default", "")
        for first, second in (("lora_A", "lora_B"), ("lora_embedding_A", "lora_embedding_B")):
            module, found, _ = bare.partition(f".{first}")
            if found:
                other = name.replace(first, second)
                if other not in self.loaded.tensors:
                    file = self.loaded.name
                    raise ValueError(sentence("lora_half", file=file, name=name, other=second))
                self.pairs[f"{module}.weight"] = name, other
                return
            if f".{second}" in bare:
                return
        if "lora_" in bare:
            raise ValueError(sentence("lora_unknown", file=self.loaded.name, name=name))
        self.whole[bare.replace(".modules_to_save", "").replace(".base_layer", "")] = name

    def scale(self, target: str) -> float:
        """Of a module, for which the configuration may have a rank and an alpha of its own."""
        module = target.removesuffix(".weight")
        rank = self.loaded.tensors[self.pairs[target][0]].shape[0]
        alpha = float(self._of(module, "alpha_pattern", self.config.get("lora_alpha") or rank))
        return alpha / math.sqrt(rank) if self.config.get("use_rslora") else alpha / rank

    def _of(self, module: str, pattern: str, default: Any) -> Any:
        import re

        found = self.config.get(pattern) or {}
        return next((v for k, v in found.items() if re.match(rf"(.*\.)?({k})$", module)), default)

    def delta(self, target: str) -> Any:
        """What is added to a weight: B times A, times the scale."""
        import numpy

        first, second = self.pairs[target]
        a, b = self.loaded.array(first), self.loaded.array(second)
        if "lora_embedding" in first:
            return (b @ a).T * self.scale(target)
        made = numpy.tensordot(b.reshape(b.shape[0], -1), a, 1) * self.scale(target)
        return made.T if self.config.get("fan_in_fan_out") else made


def merged(base: Loaded, adapter: Adapter) -> dict[str, Tensor]:
    """The base with its adapter added. Raises ValueError where a weight of the adapter is not in the base, or
    has another shape."""
    made = dict(base.tensors)
    for target, (first, second) in adapter.pairs.items():
        name = _in_base(base, target)
        a, b = (adapter.loaded.tensors[each].shape for each in (first, second))
        _fits(base, name, a, b, first)
        add = lambda name=name, target=target: base.array(name) + adapter.delta(target)  # noqa: E731
        made[name] = computed(base.tensors[name], name, add)
    for target, name in adapter.whole.items():
        there, tensor = _in_base(base, target), adapter.loaded.tensors[name]
        if base.tensors[there].shape != tensor.shape:
            shapes = {"base": list(base.tensors[there].shape), "adapter": list(tensor.shape)}
            raise ValueError(sentence("adapter_shape", name=there, **shapes))
        values = lambda name=name: adapter.loaded.array(name)  # noqa: E731
        made[there] = computed(base.tensors[there], there, values)
    return made


def _fits(base: Loaded, name: str, a: tuple[int, ...], b: tuple[int, ...], first: str) -> None:
    shape = base.tensors[name].shape
    wanted = {shape, shape[::-1]}
    outer = (b[0], *a[1:])
    if a[0] != (b[1] if len(b) > 1 else 0) or (outer not in wanted and outer[::-1] not in wanted):
        raise ValueError(sentence("lora_does_not_fit", first=first, name=name, shape=list(shape)))


def _in_base(base: Loaded, target: str) -> str:
    """The name of a weight in the base: itself, or the only one that ends so, or that it ends with."""
    if target in base.tensors:
        return target
    found = [n for n in base.tensors if n.endswith(f".{target}") or target.endswith(f".{n}")]
    if len(found) != 1:
        raise ValueError(sentence("base_lacks", name=target))
    return found[0]


class Extraction:
    """The adapter of a given rank that comes nearest to the difference of two models. `lost` is the share of
    the difference that it lacks, by the name of the weight; `others` changed and are no matrices."""

    def __init__(self, base: Loaded, tuned: Loaded, rank: int) -> None:
        """Raises ValueError where names or shapes differ, or nothing has changed."""
        self.rank = rank
        self.arrays: dict[str, Any] = {}
        self.lost: dict[str, float] = {}
        self.others: list[str] = []
        _same(base, tuned)
        for name, tensor in base.tensors.items():
            if tensor.dtype in DTYPES:
                self._weight(name, base.array(name), tuned.array(name))
        if not self.arrays:
            raise ValueError(sentence("nothing_differs"))

    def _weight(self, name: str, before: Any, after: Any) -> None:
        from numpy import linalg

        delta = (after - before).astype("f4")
        size = float(linalg.norm(delta))
        if size <= ZERO * max(1.0, float(linalg.norm(before))):
            return
        if delta.ndim != 2 or not name.endswith(".weight"):
            self.others.append(name)
            return
        u, s, v = linalg.svd(delta, full_matrices=False)
        rank, module = min(self.rank, len(s)), PREFIX + name.removesuffix(".weight")
        root = s[:rank] ** 0.5
        self.arrays[f"{module}.lora_A.weight"] = root[:, None] * v[:rank]
        self.arrays[f"{module}.lora_B.weight"] = u[:, :rank] * root
        self.lost[name] = float(linalg.norm(s[rank:])) / size

    @property
    def tensors(self) -> dict[str, Tensor]:
        return {name: _held(name, values) for name, values in self.arrays.items()}

    @property
    def config(self) -> dict[str, Any]:
        """adapter_config.json of PEFT."""
        ranks = {
            n.removesuffix(".lora_A.weight"): len(a)
            for n, a in self.arrays.items()
            if "lora_A" in n
        }
        modules = {name.removeprefix(PREFIX): rank for name, rank in ranks.items()}
        pattern = {name: rank for name, rank in modules.items() if rank != self.rank}
        return {
            "peft_type": "LORA",
            "r": self.rank,
            "lora_alpha": self.rank,
            "target_modules": sorted(modules),
            "rank_pattern": pattern,
            "alpha_pattern": pattern,
            "lora_dropout": 0.0,
            "bias": "none",
            "fan_in_fan_out": False,
            "use_rslora": False,
            "inference_mode": True,
            "base_model_name_or_path": None,
            "task_type": None,
        }


def _held(name: str, values: Any) -> Tensor:
    import numpy

    data = bytes(numpy.ascontiguousarray(values.astype("<f4")).data)
    shape = tuple(int(size) for size in values.shape)
    return Tensor(
        "float32", shape, steps(shape), 0, Storage(name, "float32", len(data), inline=data)
    )
