"""One round of the training loop, operation by operation: what each value was computed from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch.overrides import TorchFunctionMode

from keng.model import Span
from keng.run.bus import TapGate
from keng.run.events import Backward, RunEnd, StepEnd
from keng.run.facts.probed_models import alone
from keng.run.frames import is_user
from keng.run.recorder import Fact, Recorder
from keng.run.replay.probe import may_probe
from keng.run.state import RunState, tensors_in
from keng.run.taps.patches import is_special

if TYPE_CHECKING:
    from torch import Tensor

FROM = 2
"""The step after which a round is followed: what is built at the first ones exists then."""
MOST = 4000
"""Operations of a round that is followed; a longer one is left alone."""
SPOKEN = {
    "radd": "add", "iadd": "add", "rsub": "sub", "isub": "sub", "subtract": "sub", "rmul": "mul",
    "imul": "mul", "multiply": "mul", "truediv": "div", "rtruediv": "div", "itruediv": "div",
    "divide": "div", "true_divide": "div", "rpow": "pow", "negative": "neg", "concat": "cat",
}  # fmt: skip
"""The names of one operation."""


@dataclass(slots=True, eq=False)
class Value:
    """A tensor of a round. `by` is the operation that made it, empty where it was there before; `given` are
    the tensors of that operation and `used` the values made from this one. `arguments` are the operation's
    own, without its tensors. `graph` if it has a gradient function, `recorded` if gradients were recorded as
    it was made."""

    by: str
    given: tuple[Value, ...]
    shape: tuple[int, ...]
    graph: bool
    recorded: bool
    arguments: tuple[Any, ...] = ()
    index: Tensor | None = None
    place: tuple[str, int] | None = None
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
    """A round of the loop, from one step of an optimizer to its next: all values that were made, in order,
    and those that backward was called on."""

    values: tuple[Value, ...]
    losses: tuple[Value, ...]


class Trace:
    """The values of a round. Tensors are known by their identity, as long as they are there."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.known: dict[int, tuple[ref[Tensor], Value]] = {}
        self.error: Exception | None = None

    def add(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        name = _name(func)
        made = [t for t in tensors_in(result) if _is_plain(t)]
        if not made or len(self.values) > MOST:
            return
        given = tuple(self.of(t) for t in tensors_in((args, kwargs or {})) if _is_plain(t))
        own = tuple(a for a in (*args, *(kwargs or {}).values()) if not torch.is_tensor(a))
        rows = _rows_of(name, args)
        place, recorded = _place(), torch.is_grad_enabled()
        for tensor in made:
            value = Value(
                name, given, tuple(tensor.shape), tensor.requires_grad, recorded, own, rows, place
            )
            for each in given:
                each.used.append(value)
            self.values.append(value)
            self.known[id(tensor)] = ref(tensor), value

    def of(self, tensor: Tensor) -> Value:
        known, value = self.known.get(id(tensor), (None, None))
        if value is None or known is None or known() is not tensor:
            value = Value("", (), tuple(tensor.shape), tensor.requires_grad, True)
            self.known[id(tensor)] = ref(tensor), value
        return value


class Tracing(TorchFunctionMode):
    def __init__(self, trace: Trace, gate: TapGate) -> None:
        super().__init__()
        self.trace = trace
        self.gate = gate

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        trace = self.trace
        special = self.gate.shut or trace.error is not None or is_special()
        if not special and torch._C._get_tracing_state() is None:
            try:
                trace.add(func, args, kwargs, result)
            except Exception as error:
                trace.error = error
        return result

    def is_on_top(self) -> bool:
        size = torch._C._len_torch_function_stack()
        return size > 0 and torch._C._get_function_stack_at(size - 1) is self


class TracedSteps(Recorder):
    """Follows one round of the loop by a mode, put on between two steps and taken off after the next one of
    the same optimizer, where no other mode is on: the program's own would be taken off in its place."""

    provides = (TracedStep,)
    dormant = (Backward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.mode: Tracing | None = None
        self.optimizer: ref[Any] | None = None
        self.losses: list[Value] = []

    def backward(self, event: Backward) -> None:
        if self.mode is not None and event.accumulates:
            self.losses += [self.mode.trace.of(t) for t in event.outputs]

    def step_end(self, event: StepEnd) -> None:
        if self.mode is None:
            if self.run.step >= FROM:
                self._begin(event.optimizer)
        elif self.optimizer is None or self.optimizer() in (None, event.optimizer):
            self._end()

    def run_end(self, event: RunEnd) -> None:
        """A round that is not over shows nothing. A mode that cannot be taken off does nothing any more."""
        if self.mode is not None and self.mode.is_on_top():
            self.mode.__exit__(None, None, None)
        self.mode = None

    def _begin(self, optimizer: Any) -> None:
        free = not torch._C._len_torch_function_stack() and not is_special()
        if self.bus is None or not (free and may_probe() and alone()):
            self.ignore(StepEnd)
            return
        self.optimizer = ref(optimizer)
        self.mode = Tracing(Trace(), self.bus.gate)
        self.mode.__enter__()
        self.listen(Backward)

    def _end(self) -> None:
        mode = self.mode
        if mode is None or not mode.is_on_top():
            return  # the program has put on one since: the next step may find it gone
        mode.__exit__(None, None, None)
        self.ignore(StepEnd, Backward)
        trace, losses = mode.trace, tuple(self.losses)
        self.mode, self.losses = None, []
        if trace.error is not None:
            raise trace.error
        if len(trace.values) <= MOST:
            self.show(TracedStep(self.run, tuple(trace.values), losses))


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
