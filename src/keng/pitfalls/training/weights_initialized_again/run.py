"""A running program: weights are initialized more than once, at each level of the model."""

from __future__ import annotations

from itertools import dropwhile
from types import FrameType
from typing import Any
from weakref import ref

from keng.model import Span, say
from keng.run.events import ParameterInit, Step
from keng.run.frames import user_frames
from keng.run.recorder import Recorder
from keng.run.state import RunState

Way = tuple[tuple[str, int], ...]


class RepeatedInits(Recorder):
    """Up to the first step. One way twice is a shared weight, or a draw until it pleases; two ways are two
    that do the same work."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.ways: dict[tuple[int, Span], tuple[ref[Any], str, set[Way]]] = {}

    def parameter_init(self, event: ParameterInit) -> None:
        tensor = event.tensor
        frames = dropwhile(lambda frame: _is_given(frame, tensor), user_frames())
        way = tuple((f.f_code.co_filename, f.f_lineno) for f in frames)
        if not way:
            return
        key = id(tensor), Span(*way[0])
        known = self.ways.get(key)
        if known is None or known[0]() is not tensor:
            known = self.ways[key] = ref(tensor), event.function, set()
        known[2].add(way[1:])

    def step(self, event: Step) -> None:
        self.ignore(Step, ParameterInit)
        ways, self.ways = self.ways, {}
        lines: dict[Span, list[tuple[Any, str, int]]] = {}
        for (_, line), (known, function, seen) in ways.items():
            tensor = known()
            if tensor is not None and len(seen) > 1:
                lines.setdefault(line, []).append((tensor, function, len(seen)))
        for line, drawn in lines.items():
            times = max(each[2] for each in drawn)
            name, more = self.run.parameter_name(drawn[0][0]), len(drawn) - 1
            values = {"function": drawn[0][1], "times": times}
            if not name:
                says = say("draws-parameter-again", **values)
            elif more:
                says = say("draws-several-again", name=name, more=more, **values)
            else:
                says = say("draws-again", name=name, **values)
            self.report(says, where=line, count=len(drawn), times=times)


def _is_given(frame: FrameType, tensor: Any) -> bool:
    """A function that draws what it is given is a way to draw; who chose the tensor called it."""
    code = frame.f_code
    return any(frame.f_locals.get(name) is tensor for name in code.co_varnames[: code.co_argcount])
