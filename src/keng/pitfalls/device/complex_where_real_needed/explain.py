"""Error messages: a function for real numbers gets complex ones, or two columns that are not two."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("loss-is-complex")
def loss_is_complex(failure: Failure) -> Hits:
    yield failure.hit(
        "the loss is complex, and backward starts from a real number: loss.abs(), or loss.real"
    )


@explains("without-an-order")
def without_an_order(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} knows no complex numbers, as these have no order: z.abs(), or z.real and z.imag by themselves"
    )


@explains("half-of-it-dropped")
def half_of_it_dropped(failure: Failure) -> Hits:
    yield failure.hit(
        "the imaginary part is dropped on the way into real numbers: z.real says so, z.abs() keeps the size"
    )


@explains("no-pairs")
def no_pairs(failure: Failure) -> Hits:
    yield failure.hit(
        "the last dimension is not 2, real and imaginary part: x.reshape(*x.shape[:-1], -1, 2)"
    )


@explains("no-floats")
def no_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"pairs of floats make complex numbers, and these are {failure.groups['came']}: x.float()"
    )
