"""DeepSpeed's ZeRO checkpoints: each rank holds a stretch of the weights, laid out flat in float32.

Layout as deepspeed/utils/zero_to_fp32.py reads it: in stages 1 and 2 the ranks' stretches of a group
follow each other, and the group's parameters one another in them; in stage 3 every parameter is cut
into as many equal stretches as there are ranks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from keng.ckpt.nodes import Dict, Opaque, Part, Storage, Tensor, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Flat = list[Tensor]
"""Stretches that follow each other."""


def merged(root: Any) -> Dict:
    """The weights as one state dict. Raises ValueError where the files do not tell."""
    files = root.names if isinstance(root, Dict) else {}
    if any(re.search(r"mp_rank_0*[1-9]", name) for name in files):
        raise ValueError(
            "the model itself is cut over several ranks (mp_rank_01): merge these first"
        )
    if any("_expert_" in name for name in files):
        raise ValueError(
            "a mixture of experts, each in files of its own, which keng does not merge"
        )
    models = [files[name] for name in _by_rank(files, "_model_states.pt")]
    ranks = [
        _inner(files[name], "optimizer_state_dict") for name in _by_rank(files, "_optim_states.pt")
    ]
    if models and not ranks:
        return _whole(models[0])
    if not models:
        raise ValueError("the folder lacks its *_model_states.pt")
    _all_there(ranks)
    third = _stage(_inner(ranks[0], "zero_stage")) == 3
    made = _buffers(models[0])
    made.pairs += _frozen(models, third)
    shapes = _inner(models[0], "param_shapes")
    groups = (
        [group.names for group in shapes if isinstance(group, Dict)]
        if isinstance(shapes, list)
        else []
    )
    if not groups:
        raise ValueError("the files do not tell the shapes of the parameters: an older DeepSpeed")
    made.pairs += _cut_each(groups, ranks) if third else _in_a_row(groups, ranks)
    made.pairs += _aliases(made, _inner(models[0], "shared_params"))
    return made


def _all_there(ranks: list[Any]) -> None:
    """Raises ValueError where there are not as many as there were when they were written."""
    told = _inner(ranks[0], "partition_count")
    counts = told if isinstance(told, list) else [told]
    count = max((each for each in counts if isinstance(each, int)), default=len(ranks))
    if count != len(ranks):
        raise ValueError(f"{count} ranks wrote it, and {len(ranks)} *_optim_states.pt are there")


def _whole(model: Any) -> Dict:
    """Of stage 0, which cuts nothing and has no *_optim_states.pt."""
    found = _names(_inner(model, "module"))
    weights = [(name, each) for name, each in found.items() if isinstance(each, Tensor)]
    if not any(each.numel for _, each in weights):
        raise ValueError("the folder lacks its *_optim_states.pt, and no weights are in the others")
    return Dict("OrderedDict", weights)


def _stage(value: Any) -> Any:
    """A number, or the member of DeepSpeed's enumeration that stands for it."""
    return value.first if isinstance(value, Opaque) else value


def _by_rank(files: dict[str, Any], end: str) -> list[str]:
    names = [name for name in files if name.endswith(end)]
    return sorted(names, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])


def _inner(node: Any, key: str) -> Any:
    return node.get(key) if isinstance(node, Dict) else None


def _buffers(model: Any) -> Dict:
    """What no rank cuts."""
    names, found = _inner(model, "buffer_names"), _names(_inner(model, "module"))
    kept = names if isinstance(names, list) else []
    pairs = [(name, found[name]) for name in kept if isinstance(found.get(name), Tensor)]
    return Dict("OrderedDict", [(name, each) for name, each in pairs if each.numel])


def _frozen(models: list[Any], third: bool) -> Iterator[tuple[str, Tensor]]:
    """Parameters that no optimizer has; stage 3 cuts them, too."""
    whole = [_names(_inner(model, "module")) for model in models[:1]]
    cut = [_names(_inner(model, "frozen_param_fragments")) for model in models]
    for name, shape in _names(_inner(models[0], "frozen_param_shapes")).items():
        holders = cut if third else [each for each in (cut[0], whole[0]) if name in each][:1]
        found = [each[name] for each in holders if isinstance(each.get(name), Tensor)]
        parts = list(_stretch(found, 0, math.prod(shape)))
        yield name, _assembled(name, shape, parts) if third else found[0]


def _names(node: Any) -> dict[str, Any]:
    return node.names if isinstance(node, Dict) else {}


def _groups(rank: Any, key: str) -> Flat:
    found = _inner(rank, key)
    return [each for each in found if isinstance(each, Tensor)] if isinstance(found, list) else []


def _in_a_row(groups: list[dict[str, Any]], ranks: list[Any]) -> Iterator[tuple[str, Tensor]]:
    for n, group in enumerate(groups):
        parts = [_groups(rank, "single_partition_of_fp32_groups") for rank in ranks]
        if any(len(each) <= n for each in parts):
            raise ValueError("a rank lacks its part of the weights")
        at, flat = 0, [each[n] for each in parts]
        for name, shape in group.items():
            count = math.prod(shape)
            yield name, _assembled(name, shape, list(_stretch(flat, at, count)))
            at += count


def _cut_each(groups: list[dict[str, Any]], ranks: list[Any]) -> Iterator[tuple[str, Tensor]]:
    flats = [_groups(rank, "fp32_flat_groups") for rank in ranks]
    at = 0
    for name, shape in ((name, shape) for group in groups for name, shape in group.items()):
        count = math.prod(shape)
        each = -(-count // len(ranks))
        cuts = [min(each, max(0, count - n * each)) for n in range(len(ranks))]
        parts = [
            part for flat, cut in zip(flats, cuts, strict=True) for part in _stretch(flat, at, cut)
        ]
        yield name, _assembled(name, shape, parts)
        at += each


def _stretch(flat: Flat, at: int, count: int) -> Iterator[Tensor]:
    """Elements `at : at + count` of what follows each other."""
    for tensor in flat:
        skipped = min(at, tensor.numel)
        taken = min(count, tensor.numel - skipped)
        if taken:
            yield Tensor(tensor.dtype, (taken,), (1,), tensor.offset + skipped, tensor.storage)
        at, count = at - skipped, count - taken
    if count:
        raise ValueError("a rank lacks its part of the weights")


def _assembled(name: str, shape: tuple[int, ...], pieces: list[Tensor]) -> Tensor:
    at, parts = 0, []
    for piece in pieces:
        parts.append(Part((at,), piece))
        at += piece.numel
    dtype = pieces[0].dtype if pieces else "float32"
    storage = Storage(name, dtype, math.prod(shape) * 4)
    return Tensor(dtype, shape, steps(shape), 0, storage, parts=tuple(parts))


def _aliases(made: Dict, shared: Any) -> list[tuple[str, Tensor]]:
    """Names of weights that are another's as well."""
    pairs = shared.pairs if isinstance(shared, Dict) else shared if isinstance(shared, list) else []
    known = made.names
    return [(pair[0], known[pair[1]]) for pair in pairs if len(pair) == 2 and pair[1] in known]
