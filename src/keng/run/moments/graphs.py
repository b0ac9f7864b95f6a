"""What the graph of a loss is made of, as it stands before its backward."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from keng.model import Span
from keng.run.moments.base import Moment, moment


class Pairing(NamedTuple):
    """A difference between a model's output and something of another shape, which met as every one
    with every other: `output` (N, 1) or (N,), `result` (N, N)."""

    module: str
    output: tuple[int, ...]
    result: tuple[int, ...]
    where: Span | None


class Logarithm(NamedTuple):
    """A logarithm whose input is rounded to 0 or overflows: of a "softmax", a "sigmoid" or "1 + exp"."""

    of: str
    where: Span | None


class Widened(NamedTuple):
    """The first operation that made float64 of float32, in the forward of a module whose parameters are all
    float32."""

    operation: str
    module: str
    where: Span | None


class Mixed(NamedTuple):
    """A view that reads the elements of a tensor of `given` sizes in the order of other dimensions; `call` is
    how the user wrote it."""

    call: str
    given: tuple[int, ...]
    made: tuple[int, ...]
    where: Span


class RawScores(NamedTuple):
    """What a linear layer, or a convolution, gave to `nll_loss` as it is, and its greatest value."""

    module: str
    highest: float
    where: Span | None


@moment("loss.graph")
class LossGraph(Moment):
    """A backward is about to begin. Only some of the graphs are looked at: the first ones, and then now
    and then."""

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        pairings: tuple[Pairing, ...] = self.ask.pairings()
        return pairings

    @cached_property
    def logarithms(self) -> tuple[Logarithm, ...]:
        logarithms: tuple[Logarithm, ...] = self.ask.logarithms()
        return logarithms

    @cached_property
    def widened(self) -> Widened | None:
        widened: Widened | None = self.ask.widened()
        return widened

    @cached_property
    def mixed(self) -> tuple[Mixed, ...]:
        mixed: tuple[Mixed, ...] = self.ask.mixed()
        return mixed

    @cached_property
    def raw_scores(self) -> RawScores | None:
        """None where a logarithm of a sum is taken beside it, which makes cross-entropy by hand."""
        raw: RawScores | None = self.ask.raw_scores()
        return raw


@moment("loss.term")
class UselessTerm(Moment):
    """A term of the sum that a loss is, as it is written: gradients that were computed without a graph."""

    term: str
    loss: str
