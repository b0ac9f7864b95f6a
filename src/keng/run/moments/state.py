"""Checkpoints as they are read, and what is made of them."""

from __future__ import annotations

from functools import cached_property

from keng.run.moments.base import Moment, moment


@moment("state.loaded")
class LoadedState(Moment):
    """`Module.load_state_dict` has returned. `loaded` of `total` are tensors of the module that the
    state had; `unexpected` counts its names that the module does not know. `ignored` where the answer was
    thrown away."""

    strict: bool
    loaded: int
    total: int
    unexpected: int
    ignored: bool
    example: str

    @cached_property
    def module(self) -> str:
        return str(self.ask.module())


@moment("average.evaluated")
class EvaluatedAverage(Moment):
    """A plain average of the weights of `updates` moments is run in eval mode, and the statistics of its
    batch norms are those of the last of these, which have moved in between."""

    module: str
    updates: int


@moment("state.lost")
class LostState(Moment):
    """The state of `module`, that was taken on the moment's line, is loaded, and is the module's own memory,
    which has changed since: `steps` steps later."""

    module: str
    steps: int


@moment("checkpoint.read")
class ReadCheckpoint(Moment):
    """`torch.load` has returned. `mapped` where it was told where to put tensors, `devices` where they
    are, `rank` this process's among `ranks`, and `device` its own."""

    mapped: bool
    devices: tuple[str, ...]
    rank: int
    ranks: int
    device: str


@moment("resume.partial")
class PartialResume(Moment):
    """Training goes on from a checkpoint of which some parts were restored: `restored` and `left`, as
    ("optimizer", its key in the checkpoint). `left` are in use."""

    restored: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


@moment("optimizers.overlap")
class OverlappingOptimizers(Moment):
    """Two optimizers have stepped one after the other on the same gradients of `count` parameters, which
    both of them hold; twice by now."""

    first: str
    second: str
    count: int


@moment("module.moved")
class MovedModule(Moment):
    """The parameters of a DistributedDataParallel module were moved or cast to other memory."""

    module: str


@moment("module.untrained")
class UntrainedNorm(Moment):
    """A module is run in eval mode before the spectral norm of some of its layers was ever estimated."""

    module: str
    layers: tuple[str, ...]


@moment("forward.failed")
class FailedForward(Moment):
    """A module's forward, or a backward, has raised."""

    error: str
    message: str

    @cached_property
    def module(self) -> str:
        return str(self.ask.module())

    @cached_property
    def devices(self) -> tuple[str, str] | None:
        """Where all parameters lie and where all inputs do, where these are two devices."""
        devices: tuple[str, str] | None = self.ask.devices()
        return devices

    @cached_property
    def indices(self) -> tuple[int, int, int] | None:
        """The lowest and the highest index into an embedding, and the rows of its table."""
        indices: tuple[int, int, int] | None = self.ask.indices()
        return indices

    @cached_property
    def graphs_held(self) -> int:
        """Graphs of steps before the last one that are still alive."""
        return int(self.ask.graphs_held())

    @cached_property
    def in_vain(self) -> bool:
        """Whether the module is in eval mode and gradients are recorded."""
        return bool(self.ask.in_vain())


@moment("state.own")
class OwnState(Moment):
    """A module that an optimizer trains was given its own state, just taken, by one line, `times` times with
    steps between: what was to follow it is no copy."""

    module: str
    times: int
