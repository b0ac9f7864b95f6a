"""Two rounds of the training loop, operation by operation: what each value was computed from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from keng.model import Span
from keng.run.events import Backward, Forward, RunEnd, StepEnd
from keng.run.facts.probed_models import alone
from keng.run.frames import called_by_user, is_user
from keng.run.recorder import Fact, Gate, Recorder
from keng.run.replay.probe import may_probe
from keng.run.state import RunState, tensors_in, unwatched
from keng.run.taps.patches import is_special

if TYPE_CHECKING:
    from torch import Tensor

FROM, ROUNDS = 2, 2
"""The step after which rounds are followed: what is built at the first ones exists then. What one round makes
may be of use in the next."""
MOST, STEPS = 4000, 16
"""Operations, and steps of all optimizers, of the rounds that are followed; longer ones are left alone."""
SPOKEN = {
    "radd": "add", "iadd": "add", "rsub": "sub", "isub": "sub", "subtract": "sub", "rmul": "mul",
    "imul": "mul", "multiply": "mul", "truediv": "div", "rtruediv": "div", "itruediv": "div",
    "divide": "div", "true_divide": "div", "rpow": "pow", "negative": "neg", "concat": "cat",
}  # fmt: skip
"""The names of one operation."""
FRESH = frozenset(
    "tensor as_tensor from_numpy stack getitem float eq ne gt lt ge le bitwise_not".split()
)
"""Operations that may make a mask."""
ASKED = frozenset("shape size dim ndim dtype device numel len requires_grad grad_fn".split())
"""Questions that do not read the numbers."""
TWO_WAYS = (nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerEncoder)
"""Modules that in evaluation compute by other kernels where a mode is on: the last bits would differ."""
LARGEST = 100_000
"""Numbers of a mask that are read."""
DRAWS = frozenset("rand randn rand_like randn_like normal uniform randperm".split())
"""Operations that draw numbers which do not come twice by chance."""
DRAWN, COMPARED = 8, 64
"""Numbers of a draw, at least, and those that are kept to know it again."""


@dataclass(slots=True, eq=False)
class Value:
    """A tensor of a round. `by` is the operation that made it, empty where it was there before; `given` are
    the tensors of that operation and `used` the values made from this one. `arguments` are the operation's
    own, without its tensors. `graph` if it has a gradient function, `recorded` if gradients were recorded as
    it was made. `drawn` are the first numbers of a random draw."""

    by: str
    given: tuple[Value, ...]
    shape: tuple[int, ...]
    graph: bool
    recorded: bool
    arguments: tuple[Any, ...] = ()
    index: Tensor | None = None
    place: tuple[str, int] | None = None
    tensor: ref[Tensor] | None = None
    flags: bool = False
    drawn: bytes = b""
    used: list[Value] = field(default_factory=list)

    @property
    def where(self) -> Span | None:
        return Span(*self.place) if self.place is not None else None

    def behind(self) -> Iterator[Value]:
        """This value and all that it was computed from."""
        seen, waiting = {id(self)}, [self]
        while waiting:
            value = waiting.pop()
            yield value
            for each in value.given:
                if id(each) not in seen:
                    seen.add(id(each))
                    waiting.append(each)


class TracedStep(Fact):
    """Two rounds of the loop, each from one step of an optimizer to its next: all values that were made, in
    order, `first` of them in the first round, and those that backward was called on. `whole` unless something
    was computed that the trace has not seen, as by a `torch.autograd.Function`."""

    values: tuple[Value, ...]
    first: int
    losses: tuple[Value, ...]
    whole: bool


class Trace:
    """The values of a round. Tensors are known by their identity, as long as they are there."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.known: dict[int, Value] = {}
        self.whole = True
        self.closed = False
        self.error: Exception | None = None

    def add(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        if len(self.values) > MOST:
            self.closed = True
            return
        name = _name(func)
        given = tuple(self.of(t) for t in tensors_in((args, kwargs or {})) if _is_plain(t))
        own = tuple(a for a in (*args, *(kwargs or {}).values()) if not torch.is_tensor(a))
        made = [t for t in tensors_in(result) if _is_plain(t)]
        place, recorded = (_place() if made else None), torch.is_grad_enabled()
        if not made and name not in ASKED:
            for each in given:  # a number, or an array that may be anything
                each.used.append(Value(name, given, (), False, recorded))
        for tensor in made:
            value = Value(name, given, tuple(tensor.shape), tensor.requires_grad, recorded, own)
            value.index, value.place, value.tensor = _rows_of(name, args), place, ref(tensor)
            value.flags = name in FRESH and _has_flags(tensor) and called_by_user()
            value.drawn = _drawn(tensor) if name in DRAWS else b""
            for each in given:
                each.used.append(value)
            self.values.append(value)
            self.known[id(tensor)] = value

    def of(self, tensor: Tensor) -> Value:
        value = self.known.get(id(tensor))
        if value is None or value.tensor is None or value.tensor() is not tensor:
            value = Value("", (), tuple(tensor.shape), tensor.requires_grad, True)
            value.tensor = ref(tensor)
            self.known[id(tensor)] = value
            self.whole &= tensor.grad_fn is None
        return value


class Tracing(TorchFunctionMode):
    def __init__(self, trace: Trace, gate: Gate) -> None:
        super().__init__()
        self.trace = trace
        self.gate = gate

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        trace = self.trace
        special = self.gate.shut or trace.closed or is_special()
        if not special and torch._C._get_tracing_state() is None:
            try:
                trace.add(func, args, kwargs, result)
            except Exception as error:
                trace.error, trace.closed = error, True
        return result

    def is_on_top(self) -> bool:
        size = torch._C._len_torch_function_stack()
        return size > 0 and torch._C._get_function_stack_at(size - 1) is self


class TracedSteps(Recorder):
    """Follows rounds of the loop by a mode, put on between two steps and taken off after later ones of the
    same optimizer, where no other mode is on: the program's own would be taken off in its place."""

    provides = (TracedStep,)
    dormant = (Backward, Forward)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.mode: Tracing | None = None
        self.optimizer: ref[Any] | None = None
        self.losses: list[Value] = []
        self.ends: list[int] = []
        self.steps = 0

    def backward(self, event: Backward) -> None:
        if self.mode is not None and event.accumulates:
            self.losses += [self.mode.trace.of(t) for t in event.outputs]

    def forward(self, event: Forward) -> None:
        closed = self.mode is not None and self.mode.trace.closed
        if closed or any(
            isinstance(m, TWO_WAYS) and not m.training for m in event.module.modules()
        ):
            self._leave()

    def step_end(self, event: StepEnd) -> None:
        if self.mode is None:
            if self.run.step >= FROM:
                self._begin(event.optimizer)
            return
        self.steps += 1
        if self.optimizer is not None and self.optimizer() is event.optimizer:
            self.ends.append(len(self.mode.trace.values))
        if len(self.ends) >= ROUNDS:
            self._end()
        elif self.steps >= STEPS:
            self._leave()

    def run_end(self, event: RunEnd) -> None:
        """A mode that cannot be taken off does nothing any more."""
        self._leave()

    def _leave(self) -> None:
        """Takes the mode off before its rounds are over, and shows nothing."""
        mode, self.mode, self.losses = self.mode, None, []
        self.ignore(StepEnd, Backward, Forward)
        if mode is None:
            return
        mode.trace.closed = True
        if mode.is_on_top():
            mode.__exit__(None, None, None)  # type: ignore[no-untyped-call]
        if mode.trace.error is not None:
            raise mode.trace.error

    def _begin(self, optimizer: Any) -> None:
        free = not torch._C._len_torch_function_stack() and not is_special()
        if self.bus is None or not (free and may_probe() and alone()):
            self.ignore(StepEnd)
            return
        self.optimizer = ref(optimizer)
        self.mode = Tracing(Trace(), self.bus.gate)
        self.mode.__enter__()  # type: ignore[no-untyped-call]
        self.listen(Backward, Forward)

    def _end(self) -> None:
        mode = self.mode
        if mode is None or not mode.is_on_top():
            return  # the program has put on one since: the next step may find it gone
        mode.__exit__(None, None, None)  # type: ignore[no-untyped-call]
        self.ignore(StepEnd, Backward, Forward)
        trace, losses = mode.trace, tuple(self.losses)
        self.mode, self.losses = None, []
        if trace.error is not None:
            raise trace.error
        if not trace.closed:
            values = tuple(trace.values)
            self.show(TracedStep(self.run, values, self.ends[0], losses, trace.whole))


def _name(func: Any) -> str:
    name = str(getattr(func, "__name__", ""))
    if name == "__get__":
        name = str(getattr(getattr(func, "__self__", None), "__name__", ""))
    name = name.strip("_")
    return SPOKEN.get(name, name)


def _is_plain(tensor: Tensor) -> bool:
    """A tensor or a parameter; questions to another class may run its own code."""
    return type(tensor) in (torch.Tensor, torch.nn.Parameter)


def _rows_of(name: str, args: Any) -> Tensor | None:
    """The numbers of rows that an operation takes, (N,), if it takes rows."""
    at = {"getitem": 1, "index_select": 2}.get(name)
    index = args[at] if at is not None and len(args) > at else None
    if type(index).__module__ == "numpy" and getattr(index, "ndim", 0) == 1:
        index = torch.as_tensor(index)
    if name == "index_select" and args[1] != 0:
        return None
    whole = isinstance(index, torch.Tensor) and index.dim() == 1 and index.dtype is torch.int64
    return index if whole else None


def _place() -> tuple[str, int] | None:
    frame: Any = sys._getframe(2)
    while frame is not None:
        if is_user(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def _drawn(tensor: Tensor) -> bytes:
    """The first numbers of a draw; nothing of few, or where reading them would wait for a device."""
    if not tensor.is_cpu or tensor.numel() < DRAWN or tensor.dtype is torch.bfloat16:
        return b""
    with unwatched():
        return tensor.detach().reshape(-1)[:COMPARED].contiguous().numpy().tobytes()


def _has_flags(tensor: Tensor) -> bool:
    """Whether a tensor without a graph has only zeros and ones, as a mask has."""
    if tensor.requires_grad or not tensor.dim() or not 1 < tensor.numel() <= LARGEST:
        return False
    if tensor.dtype is torch.bool or not (tensor.is_cpu and tensor.is_floating_point()):
        return tensor.dtype is torch.bool
    with unwatched():
        return bool(((tensor == 0) | (tensor == 1)).all())
