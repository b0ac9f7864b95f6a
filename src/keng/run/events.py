"""The events of a watched run, one class each.

A tap dispatches them and a recorder handles them, in a method that has the event's name in lower
case and takes the event alone: `def step_end(self, event: StepEnd) -> None`. What is not the
program's own is not dispatched: nothing while keng itself works, in other threads than the one that
trains, in forked processes, or under vmap, a compiler or another mode that replaces tensors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module
    from torch.optim import Optimizer

Event: TypeAlias = tuple[Any, ...]

# Batches. `iterator` is torch's own, a `_BaseDataLoaderIter`.


class EpochBegin(NamedTuple):
    """A loader has returned the first batch of a pass, before `Batch` of the same."""

    iterator: Any
    batch: Any


class BatchWanted(NamedTuple):
    """A loader is about to fetch the next batch of a pass, or to find that there is none."""

    iterator: Any


class Batch(NamedTuple):
    """A loader has returned a batch. `waited` is how long that took, in seconds."""

    iterator: Any
    batch: Any
    waited: float


class EpochEnd(NamedTuple):
    """A loader is exhausted; not dispatched for a pass that the program leaves early."""

    iterator: Any


class LoaderFailed(NamedTuple):
    """A loader, or a worker of it, has raised."""

    iterator: Any
    error: Exception


class LoaderStalled(NamedTuple):
    """The workers of a loader have returned nothing for one of its waits, of 5 or `timeout`
    seconds."""

    iterator: Any
    seconds: float


# Forward passes.


class RootModule(NamedTuple):
    """A module is about to be called for the first time that no other module calls."""

    module: Module


class Forward(NamedTuple):
    """A module is about to be called by the program, not by another module. `inputs` are the
    tensors in `args` and `kwargs`."""

    module: Module
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    inputs: list[Tensor]


class ForwardEnd(NamedTuple):
    """The module of the last `Forward` has returned `output`. `outputs` are the tensors in it."""

    module: Module
    inputs: list[Tensor]
    outputs: list[Tensor]
    output: Any = None


class InferenceEnd(NamedTuple):
    """The module of the last `Forward` has returned `outputs` without recording gradients; follows
    `ForwardEnd`."""

    module: Module
    inputs: list[Tensor]
    outputs: list[Tensor]


class ForwardFailed(NamedTuple):
    """The module of the last `Forward` has raised."""

    module: Module
    inputs: list[Tensor]
    error: Exception


class Recurrent(NamedTuple):
    """A recurrent layer is about to run. `function` is "lstm", "gru", "rnn_tanh" or "rnn_relu";
    `input` is (batch, time, features) with `batch_first`, else (time, batch, features); packed
    sequences are left out."""

    function: str
    input: Tensor
    batch_first: bool


class RecurrentEnd(NamedTuple):
    """A recurrent layer has run. `weight` is its first weight; `state` the hidden state it began
    with and `final_state` the one it ended with, each (layers, batch, features)."""

    weight: Tensor
    state: Tensor
    final_state: Tensor


class EmbeddingLookup(NamedTuple):
    """Rows of an embedding have been read. `padding` is the row of `padding_idx`, -1 where there is
    none."""

    weight: Tensor
    indices: Tensor
    padding: int


class Interpolate(NamedTuple):
    """`F.interpolate` is about to resize a tensor of three dimensions by its nearest values."""

    input: Tensor


class Dropout(NamedTuple):
    """A dropout function, or `F.scaled_dot_product_attention` with dropout (`function` is
    "attention"), is about to be called without a dropout module. `args` are the tensor, the
    probability and whether it is training."""

    function: str
    args: tuple[Any, ...]


class Attention(NamedTuple):
    """`F.scaled_dot_product_attention` is about to be called. `query` and `key` are (batch, heads,
    positions, features); `mask` is None, boolean (True where a position is seen) or added to the
    scores; `causal` is `is_causal`."""

    query: Tensor
    key: Tensor
    mask: Tensor | None
    causal: bool


# Losses. `function` is the name of one in `torch.nn.functional`, `args` are those of the C function under it.


class Loss(NamedTuple):
    """A loss function is about to be called, by a loss module or by itself."""

    function: str
    args: tuple[Any, ...]


class LossEnd(NamedTuple):
    """A loss function has returned `output`."""

    function: str
    args: tuple[Any, ...]
    output: Tensor


class LossFailed(NamedTuple):
    """A loss function has raised."""

    function: str
    args: tuple[Any, ...]


# Backward passes: `Tensor.backward`, `torch.autograd.backward` and `torch.autograd.grad`.


class Backward(NamedTuple):
    """A backward pass is about to begin at `outputs`. `accumulates` unless it is
    `torch.autograd.grad`."""

    outputs: list[Tensor]
    accumulates: bool


class BackwardEnd(NamedTuple):
    """The backward pass of the last `Backward` is over."""

    outputs: list[Tensor]
    accumulates: bool


class BackwardFailed(NamedTuple):
    """The backward pass of the last `Backward` has raised."""

    outputs: list[Tensor]
    error: RuntimeError


class GraphRetained(NamedTuple):
    """The backward pass that is about to begin keeps its graph (`retain_graph=True`, without
    `create_graph`)."""

    outputs: list[Tensor]


class AutogradGrad(NamedTuple):
    """`torch.autograd.grad` has returned gradients that have no graph (no `create_graph`)."""


# What is done to gradients before the step.


class Scale(NamedTuple):
    """A `GradScaler` is about to scale a loss, or several in a list."""

    scaler: Any
    outputs: Any


class Unscale(NamedTuple):
    """The program is about to call `GradScaler.unscale_`."""

    scaler: Any
    optimizer: Optimizer


class ScalerStep(NamedTuple):
    """`GradScaler.step` is about to step an optimizer, or to skip the step."""

    scaler: Any
    optimizer: Optimizer


class ScalerStepEnd(NamedTuple):
    """`GradScaler.step` has stepped the optimizer, skipped the step, or raised."""

    scaler: Any
    optimizer: Optimizer


class ScalerUpdate(NamedTuple):
    """`GradScaler.update` has chosen the scale of the next step."""

    scaler: Any


class Clip(NamedTuple):
    """Gradients are about to be clipped to a norm, or just were (torch 2.4). `total_norm` is the
    norm that they had."""

    parameters: Any
    max_norm: Any
    total_norm: Any


# Optimizers and schedulers.


class NewOptimizer(NamedTuple):
    """An optimizer is about to take its first step; `Step` follows."""

    optimizer: Optimizer


class Step(NamedTuple):
    """An optimizer is about to step. Not dispatched for one that another optimizer steps."""

    optimizer: Optimizer


class StepEnd(NamedTuple):
    """The optimizer of the last `Step` has stepped. `RunState.step` counts these."""

    optimizer: Optimizer


class ZeroGrad(NamedTuple):
    """`zero_grad` of an optimizer or a module is about to clear gradients, to None or to zeros."""

    owner: Optimizer | Module
    set_to_none: bool


class SchedulerInit(NamedTuple):
    """The constructor of a scheduler has set the first learning rates."""

    scheduler: Any


class SchedulerStep(NamedTuple):
    """A scheduler has stepped."""

    scheduler: Any


# States and checkpoints.


class StateTaken(NamedTuple):
    """`Module.state_dict` has returned `state`; not dispatched for the parts of that module."""

    module: Module
    state: dict[str, Any]


class StateLoading(NamedTuple):
    """`Module.load_state_dict` is about to load `state`."""

    module: Module
    state: Any


class StateLoaded(NamedTuple):
    """`Module.load_state_dict` has returned `result`, with its `missing_keys` and
    `unexpected_keys`."""

    module: Module
    strict: bool
    result: Any


class StateRestoring(NamedTuple):
    """`load_state_dict` of an optimizer, a scheduler or a `GradScaler` is about to restore it from
    `state`."""

    owner: Any
    state: Any


class StateRestored(NamedTuple):
    """`load_state_dict` of an optimizer, a scheduler or a `GradScaler` has restored it."""

    owner: Any


class CheckpointLoaded(NamedTuple):
    """`torch.load` has returned `result`. `mapped` if it was given a `map_location`."""

    mapped: bool
    result: Any


class CheckpointSaved(NamedTuple):
    """`torch.save` has written `state` to `file`, a path or a file object."""

    file: Any
    state: Any


class TensorsSaved(NamedTuple):
    """safetensors is about to write `tensors`, by name, to a file."""

    tensors: Any


class StorageRestored(NamedTuple):
    """`torch.load` is about to put a storage on the device from which it was saved, `location`."""

    location: str


class AverageUpdated(NamedTuple):
    """`AveragedModel.update_parameters` has added weights to an average."""

    average: Any


# Modules.


class ModuleMoved(NamedTuple):
    """`.to()`, `.half()` or the like has given parameters of a module new memory. `before` is where each
    of them, in the order of `parameters()`, lay until then."""

    module: Module
    before: list[int]


class TrainModeSet(NamedTuple):
    """`train()` or `eval()` has reached `Module.train` of a module whose class overrides
    `train`."""

    module: Module
    training: bool


class ParameterInit(NamedTuple):
    """The program itself is about to fill a tensor by a random `function` of `torch.nn.init`."""

    function: str
    tensor: Tensor


# Single operations. The first four are dispatched only while a recorder has asked to see each operation.


class GraphCut(NamedTuple):
    """An operation is about to cut a tensor from its graph: "detach", "data", "item", "numpy" and
    the like."""

    operation: str
    tensor: Tensor


class TensorIndexed(NamedTuple):
    """A tensor is about to be indexed."""

    tensor: Tensor
    index: Any


class TorchFunction(NamedTuple):
    """A function of torch has returned `result`."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] | None
    result: Any


class ByteArithmetic(NamedTuple):
    """An image of `uint8` is about to be added to, subtracted from or multiplied (`sign`) by
    `other`. `compute` is the same operation of Python."""

    tensor: Tensor
    other: Any
    sign: str
    compute: Callable[[Any, Any], Any]


class HostRead(NamedTuple):
    """The program has read the `value` of a tensor that is not on the CPU: `item`, `tolist`, `cpu`,
    `bool()`."""

    tensor: Tensor
    value: Any


class AsyncCopy(NamedTuple):
    """A tensor has been copied to `result` with `non_blocking=True`."""

    tensor: Tensor
    result: Tensor


class Lstsq(NamedTuple):
    """`torch.linalg.lstsq` is about to solve for a matrix. `driver` as the program has given it."""

    matrix: Tensor
    driver: str | None


# Around torch.


class RandomSeed(NamedTuple):
    """A generator is about to be seeded, or its state set. `home` is "torch", "random" or
    "numpy.random"."""

    home: str


class RandomDraw(NamedTuple):
    """The program itself is about to draw from `random` or `numpy.random` (`home`)."""

    home: str
    function: str


class BuildLockWait(NamedTuple):
    """The build of an extension is about to wait for the lock file at `path`."""

    path: str


# Processes.


class ProcessGroupCreated(NamedTuple):
    """The default process group has been initialized, or was when the run began to be watched."""


class ProcessGroupDestroyed(NamedTuple):
    """The default process group is about to be destroyed; its store can still be used."""


class ModelWrapped(NamedTuple):
    """A `DistributedDataParallel` has been constructed."""

    model: Any


class StageGradientsDivided(NamedTuple):
    """A schedule of `torch.distributed.pipelining` is about to divide the gradients of a stage's module by
    the number of micro-batches."""

    module: Module
    by: int


# The run itself.


class WatchedObjects(NamedTuple):
    """The model and the optimizers that `keng.watch` was given; the first event, where it was given
    any."""

    model: Module
    optimizers: list[Optimizer]


class Paused(NamedTuple):
    """Sampled events are not dispatched from now on (`Recorder.sampled`)."""


class RunEnd(NamedTuple):
    """The program has ended, or is watched no longer."""


def handler_name(event: type[Event]) -> str:
    """The method that handles an event: `step_end` for `StepEnd`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


def _declared() -> dict[str, type[Event]]:
    kinds = (kind for kind in globals().values() if isinstance(kind, type))
    return {handler_name(kind): kind for kind in kinds if kind.__module__ == __name__}


EVENTS = _declared()
"""Name of a handler -> the event that it takes."""
