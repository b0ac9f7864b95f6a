"""One rank's forward against that of a single process that has the rows of all ranks."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import Module
from torch.overrides import TorchFunctionMode

from keng.run.comparison.isolated import Both
from keng.run.probes.call import Call
from keng.run.probes.compare import OTHER_SHAPES
from keng.run.probes.copies import copied
from keng.run.probes.nested import leaves, rebuild
from keng.run.probes.rows import NoRows, Rows

PATIENCE = timedelta(seconds=60)
"""How long a rank waits for the others to come to the same step."""


class Unfit(Exception):  # noqa: N818
    """Why the ranks cannot be compared: the id of a reason."""


def gathered(inputs: tuple[Any, Any], name: str) -> list[tuple[Any, Any]]:
    """The inputs of all ranks, by way of the store of the job. Raises: Unfit where a rank does not come."""
    import torch.distributed as dist
    from torch.distributed.distributed_c10d import _get_default_store

    store, rank, size = _get_default_store(), dist.get_rank(), dist.get_world_size()
    plain = rebuild(inputs, lambda _, each: each.detach().cpu().clone())
    buffer = io.BytesIO()
    torch.save(plain, buffer)
    store.set(f"keng/compare/{name}/{rank}", buffer.getvalue())  # type: ignore[arg-type]
    keys = [f"keng/compare/{name}/{each}" for each in range(size)]
    try:
        store.wait(keys, PATIENCE)
    except Exception:  # DistStoreError, or what another kind of store raises
        raise Unfit("ranks-apart") from None
    found = [store.get(key) for key in keys] if rank == 0 else []
    return [torch.load(io.BytesIO(each), weights_only=False) for each in found] or [plain]


def both_ways(call: Call, everyone: list[tuple[Any, Any]], rank: int) -> Both:
    """Raises: Unfit where the inputs of the ranks cannot be joined."""
    model, inputs = call.model, (call.args, dict(call.kwargs))
    own = _rows(inputs)
    counts = [_rows(each).count for each in everyone]
    joined = _joined(everyone, own) if rank == 0 else inputs
    total = sum(counts)

    def align(ours: Tensor, theirs: Tensor) -> Tensor | None:
        for axis, size in enumerate(ours.shape[:2]):
            if size == own.count and theirs.ndim == ours.ndim and theirs.size(axis) == total:
                part = theirs.narrow(axis, 0, own.count)
                return part if part.shape == ours.shape else None
        return None

    return Both(
        program=lambda: copied(model),
        other=lambda: _whole(copied(model)),
        again=lambda: _whole(copied(model)),
        inputs=inputs,
        others=joined,
        align=align,
        factor=OTHER_SHAPES,
    )


def _rows(inputs: Any) -> Rows:
    try:
        return Rows(inputs)
    except NoRows as error:
        raise Unfit(str(error)) from None


def _joined(everyone: list[tuple[Any, Any]], rows: Rows) -> tuple[Any, Any]:
    """The inputs of all ranks as one batch."""
    parts = [dict(leaves(each)) for each in everyone]

    def leaf(path: Any, own: Tensor) -> Tensor:
        axis = rows.axes.get(path)
        if axis not in (0, 1):
            return own
        try:
            return torch.cat([each[path] for each in parts], dim=axis).to(own.device)
        except (KeyError, RuntimeError):  # padded to other lengths
            raise Unfit("ranks-shapes") from None

    joined: tuple[Any, Any] = rebuild(everyone[0], leaf)
    return joined


class WholeBatchNorm(nn.SyncBatchNorm):
    """Statistics of the batch that is there: it has the rows of all ranks."""

    def forward(self, input: Tensor) -> Tensor:
        return nn.modules.batchnorm._BatchNorm.forward(self, input)


def _whole(model: Module) -> Module:
    for module in model.modules():
        if type(module) is nn.SyncBatchNorm:
            module.__class__ = WholeBatchNorm
    return model


class WithoutDropout(TorchFunctionMode):
    """Functional dropout returns what it was given."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = dict(kwargs or {})
        if getattr(func, "__name__", "").endswith("dropout") and args:
            return args[0]
        if "dropout_p" in given:
            given["dropout_p"] = 0.0
        return func(*args, **given)


@contextmanager
def without_dropout() -> Iterator[None]:
    """Rows of another rank draw other numbers."""
    with WithoutDropout():
        yield
