"""A running program: the loss has been the same number at each step, whatever the batch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from keng.model import Span, say
from keng.run.device_reads import Underway
from keng.run.events import Backward, NewOptimizer
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

EVERY, LOOKS = 4, 12
"""Backwards of a line from one look to the next, and looks from the first one on."""
LINES = 6
"""Lines that call `backward` and are followed."""
APART = 1e-5
"""How far the losses may be apart, relative to their size: batches that are not the same differ by more."""
WHOLE = 1e-6
"""Losses nearer to a whole number are left alone: those divided by themselves are 1, a hinge may be 0 or 1."""
HALF_AND_HALF = math.log(2)


@dataclass(slots=True)
class Course:
    """The losses at one line."""

    backwards: int = 0
    values: list[float] = field(default_factory=list)
    late: Underway | None = None
    ended: bool = False


class ConstantLosses(Recorder):
    """Reads a loss now and then, from the first backward of its line on: one that has converged was not constant
    at first. On a device a loss is read at the next look, when it has long been computed. When all lines are known
    to change, nothing is listened to until an optimizer is new."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.courses: dict[Span | None, Course] = {}

    def new_optimizer(self, event: NewOptimizer) -> None:
        """A new phase of the program, which may come by the same lines."""
        self.courses.clear()
        self.listen(Backward)

    def backward(self, event: Backward) -> None:
        if not event.accumulates or len(event.outputs) != 1 or event.outputs[0].numel() != 1:
            return
        where = here()
        course = self.courses.get(where)
        if course is None:
            if len(self.courses) == LINES:
                self.ignore(Backward)
                return
            course = self.courses[where] = Course()
        course.backwards += 1
        if course.ended or course.backwards % EVERY != 1:
            return
        with unwatched():
            now = Underway(event.outputs[0].detach().double().reshape(1))
        late, course.late = course.late, now
        ready = now if event.outputs[0].is_cpu else late
        if ready is not None and ready.come():
            self._add(course, ready.values()[0], where)

    def _add(self, course: Course, value: float, where: Span | None) -> None:
        values = course.values
        values.append(value)
        steady = math.isfinite(value) and max(values) - min(values) <= APART * abs(value)
        course.ended = not steady or len(values) == LOOKS
        if steady and course.ended and abs(value - round(value)) > WHOLE:
            numbers = {"loss": f"{value:.4g}", "steps": course.backwards}
            even = abs(value - HALF_AND_HALF) < 1e-4
            says = say("even-odds", **numbers) if even else say("same-loss", **numbers)
            self.report(says, where=where)
        if all(each.ended for each in self.courses.values()):
            self.ignore(Backward)
