"""What a live exception answers: questions of several pitfalls by name, and those that one pitfall asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from keng.explain.live import (
    Failing,
    Fetched,
    Layer,
    LiveError,
    Loading,
    NotLearning,
    Operand,
    PlainTensor,
    ValueSummary,
)
from keng.model import ShapeTrail

if TYPE_CHECKING:
    from keng.explain.pasted.given import Given

T = TypeVar("T")


class Live:
    """What only the live exception shows, read from its frames when it is asked for. The engine keeps the
    exception until the diagnosis is made. For an error that is known only as text, every answer is empty.

    What one pitfall wants to know is a question in its own explain.py, a function of `LiveError`."""

    def __init__(
        self,
        error: LiveError | None = None,
        fetched: Fetched | None = None,
        caught: bool = False,
        given: Callable[[], Given] | None = None,
    ) -> None:
        """`caught` is true if there is an exception, even if torch is not loaded and `error` is None. `given`
        reads the operands of an error that is known as text from the code next to it."""
        self.fetched = fetched or Fetched(0)
        self.caught = caught
        self._read = given
        self._error = error
        self._answers: dict[Callable[..., Any], Any] = {}

    def ask(self, question: Callable[[LiveError], T]) -> T | None:
        """What a question finds out, asked once; None where there are no frames, or if it raises."""
        if self._error is None:
            return None
        if question not in self._answers:
            try:
                self._answers[question] = question(self._error)
            except Exception:
                self._answers[question] = None
        answer: T | None = self._answers[question]
        return answer

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The tensors of the user's expression that raised, as written from left to right."""
        from keng.explain.inspecting.operands import operands_of

        return self.ask(operands_of) or self.given_operands

    @cached_property
    def given(self) -> Given | None:
        """What pasted code gives the expression that raised; None of a live exception."""
        return self._read() if self._read is not None else None

    @property
    def given_operands(self) -> tuple[Operand, ...]:
        return self.given.operands if self.given is not None else ()

    @property
    def given_layer(self) -> str:
        """The layer that pasted code calls, by its name there."""
        return self.given.path if self.given is not None else ""

    @property
    def given_inputs(self) -> tuple[Operand, ...]:
        """What it is called with."""
        return self.given_operands if self.given_layer else ()

    @property
    def failing(self) -> Failing | None:
        from keng.explain.inspecting.expression import failing_of

        return self.ask(failing_of)

    @property
    def layer(self) -> Layer | None:
        from keng.explain.inspecting.modules import layer_of

        return self.ask(layer_of)

    @property
    def loss_inputs(self) -> tuple[Operand, ...]:
        """The input and the target of the loss that raised."""
        from keng.explain.inspecting.operands import loss_inputs_of

        return self.ask(loss_inputs_of) or (
            self.given.loss_inputs if self.given is not None else ()
        )

    @property
    def values(self) -> Mapping[str, ValueSummary]:
        """What the values are like that the failing call was given, by their names."""
        from keng.explain.inspecting.values import value_summaries

        return self.ask(value_summaries) or {}

    @property
    def plain_tensors(self) -> tuple[PlainTensor, ...]:
        """The plain tensors of modules that `.to()` of the model left as they were."""
        from keng.explain.inspecting.modules import plain_tensors_in

        return self.ask(plain_tensors_in) or ()

    @property
    def not_learning(self) -> NotLearning | None:
        from keng.explain.inspecting.autograd import not_learning

        return self.ask(not_learning)

    @property
    def trail(self) -> ShapeTrail | None:
        """The shapes on the way to the operands that failed, of an error about shapes."""
        if self._error is None:
            return None
        from keng.explain.trail.subject import trail_if_about_shapes

        return self.ask(trail_if_about_shapes)

    @property
    def loading(self) -> Loading | None:
        from keng.explain.inspecting.state_dicts import loading_of

        return self.ask(loading_of)
