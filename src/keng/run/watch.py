"""Watches the code that runs between its start and its end."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from keng._util.texts import sentence
from keng.model import Finding, Pitfall, Watcher
from keng.run.bus import Bus
from keng.run.events import RunEnd, WatchedObjects
from keng.run.findings import Findings, Overhead, Result
from keng.run.import_hook import when_torch_is_there
from keng.run.plan import Plan
from keng.run.recorder import PROVIDERS, Recorder
from keng.run.tracebacks import ended_with, strip

if TYPE_CHECKING:
    from torch.nn import Module as Module
    from torch.optim import Optimizer as Optimizer

    from keng.ranks.collect.on_join import Joint
    from keng.run.state import RunState


@contextmanager
def _uncollected() -> Iterator[None]:
    """What lasts as long as the run is not searched for garbage while it is made: together with all that
    torch has just made, that takes twice as long as to make it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Watch:
    """One watched stretch of a program. `result` may be asked for at any time; it is complete when
    watching has stopped."""

    def __init__(
        self,
        pitfalls: Iterable[Pitfall],
        on_finding: Callable[[Finding], None] | None = None,
        plan: Plan | None = None,
    ) -> None:
        self._findings = Findings(pitfalls, on_finding)
        self._plan = plan or Plan()
        self._joint: Joint | None = None
        self._bus: Bus | None = None
        self._begun = self._ended = 0.0
        self._gone = ""
        self.given: tuple[Module, list[Optimizer]] | None = None
        self._take_off: Callable[[], None] | None = None
        self._call_off: Callable[[], None] | None = None
        self.rendered: Callable[[Result, str], str] | None = None
        self.on_end: Callable[[Result], None] = lambda result: None

    def __repr__(self) -> str:
        """What a notebook shows of a watch that was not started."""
        if self._call_off is not None:
            return "<keng.watch: it watches; stop() ends it>"
        return "<keng.watch: it does not watch; start() begins, or `with keng.watch():`>"

    @property
    def result(self) -> Result:
        result = self._findings.result(self._overhead(), self._gone)
        return replace(result, rendered=self.rendered)

    def _overhead(self) -> Overhead:
        if self._bus is None:
            return Overhead()
        seconds = (self._ended or perf_counter()) - self._begun
        run = self._bus.run
        return Overhead(run.step - 1, seconds, run.spent, run.models, run.backwards)

    def start(self) -> Watch:
        if self._call_off is None:
            self._call_off = when_torch_is_there(self._put_on)
        return self

    def stop(self, gone: str = "") -> Result:
        """`gone` tells the other ranks of a job how this one ended, where that was no plain end."""
        if self._call_off is None:
            return self.result
        self._call_off()
        self._call_off = None
        self._gone = gone or sentence("rank_ended")
        if self._bus is not None and self._take_off is not None:
            if self._joint is not None:
                self._joint.gone = self._gone
            self._bus.dispatch(RunEnd)
            self._take_off()
            self._take_off = None
            self._ended = perf_counter()
        return self.result

    def fail(self, error: BaseException) -> Result:
        """Stops where an error ended what was watched, and takes keng's frames out of its traceback."""
        strip(error)
        return self.stop(ended_with(error))

    def __enter__(self) -> Watch:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.on_end(self.stop() if error is None else self.fail(error))

    @_uncollected()
    def _put_on(self) -> None:
        from keng.run.clock import StepLimit
        from keng.run.state import RunState
        from keng.run.taps import put_on

        run = RunState(self._findings)
        recorders = [*self._planned(run), *self._recorders(run)]
        if self._plan.steps:
            recorders.append(StepLimit(run, self._plan.steps))
        self._begun, self._ended = perf_counter(), 0.0
        self._bus = Bus(run, recorders, self._findings.record_failure, self._plan.follows)
        try:
            self._take_off = put_on(self._bus, self._plan.spawned)
        except Exception as error:  # another torch than was known: the program must not suffer
            self._findings.record_failure("the watch", error)
        if self.given is not None:
            self._bus.dispatch(WatchedObjects, *self.given)

    def _planned(self, run: RunState) -> Iterator[Recorder]:
        """What the plan asks for. A step that is replayed is put in place before others look at it."""
        from keng.run.history.scalars import Scalars
        from keng.run.replay.operations import OperationTrace
        from keng.run.replay.recorders import ReplayedStep, SavedStep

        plan = self._plan
        if plan.replay is not None:
            yield ReplayedStep(run, dict(plan.replay))
        if plan.record is not None:
            yield Scalars(run, plan.record)
        if plan.about is not None:
            from keng.run.history.about import AboutRun

            yield AboutRun(run, plan.about)
        if plan.keep is not None:
            yield SavedStep(run, *plan.keep)
        if plan.trace is not None:
            yield OperationTrace(run, plan.trace)
        if plan.compare is not None:
            from keng.run.comparison.recorder import (
                ComparedStep,
            )  # with the probes, of use here alone

            yield ComparedStep(run, plan.compare)

    def _recorders(self, run: RunState) -> list[Recorder]:
        """Marks are first, for others to read. The budget and the clock are last: a step ends when all
        others have seen it."""
        from keng.run.budget import Budget
        from keng.run.clock import StepCounter, TrainingSeen
        from keng.run.graph.output_marks import OutputMarks
        from keng.run.replay.probe import ProbedForwards

        recorders = [*self._shared(run), *self._of_pitfalls(run)]
        handled = {event for recorder in recorders for event in recorder.handlers}
        first, second, last, seen = (
            [kind(run)] if handled.intersection(kind.prepares) else []
            for kind in (OutputMarks, ProbedForwards, Budget, TrainingSeen)
        )
        return [*first, *second, *recorders, *last, *seen, *self._ranks(run), StepCounter(run)]

    def _shared(self, run: RunState) -> Iterator[Recorder]:
        """What provides the facts that the rules watch."""
        kinds = (kind for fact in self._findings.watchers for kind in PROVIDERS[fact])
        yield from (kind(run) for kind in dict.fromkeys(kinds))

    def _of_pitfalls(self, run: RunState) -> Iterator[Recorder]:
        import torch

        for pitfall, rule in self._findings.rules:
            lacks = rule.needs == "cuda" and not torch.cuda.is_available()
            if isinstance(rule, Watcher) or lacks:
                continue
            try:
                recorder: Recorder = rule(run)
            except Exception as error:
                self._findings.record_failure(f"recorder {rule.__name__}", error)
                continue
            recorder.pitfall = pitfall
            yield recorder

    def _ranks(self, run: RunState) -> list[Recorder]:
        """What makes the ranks one: nothing where torch is built without."""
        import torch.distributed

        if not torch.distributed.is_available():
            return []
        from keng.ranks.collect.on_join import Joint, ListenOnJoin

        self._joint = Joint(run, self._plan)
        compare: list[Recorder] = [*self._joint.parts, self._joint]
        return [ListenOnJoin(run, compare), *compare]
