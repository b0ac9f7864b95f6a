"""Error messages: the letters of an einsum do not fit its tensors."""

from __future__ import annotations

from keng.explain.advice.fits import other_letter
from keng.explain.advice.matrices import letter_apart, without_letters
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("letter-of-two-sizes")
def letter_of_two_sizes(failure: Failure) -> Hits:
    groups, there = failure.groups, [o.name for o in failure.live.operands]
    letter, size, nth = groups["letter"], groups["size"], int(groups["operand"])
    says = f"{letter} is {groups['before']} before and {size} in operand {nth}"
    if len(there) == 2 and nth == 1:
        says = f"{letter} is {groups['before']} in {there[0]} and {size} in {there[1]}"
    yield failure.hit(
        f"{says}: one letter is one size", other_letter(failure, letter, nth, int(size))
    )


@explains("letters-and-dimensions")
def letters_and_dimensions(failure: Failure) -> Hits:
    groups, there, nth = failure.groups, failure.live.operands, int(failure.groups["operand"])
    several = len(there) == 2 and nth < 2
    what = f"`{there[nth].name}` of shape {there[nth].shape}" if several else f"operand {nth}"
    dims, letters = int(groups["dims"]), int(groups["letters"])
    cure = without_letters(dims, letters)
    yield failure.hit(f"{what} has {dims} dimensions, but {letters} letters: {cure}")


@explains("letter-from-nowhere")
def letter_from_nowhere(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['letter']} stands after -> only: no operand has such a dimension"
    )


@explains("size-of-a-letter-before")
def size_of_a_letter_before(failure: Failure) -> Hits:
    operand, dim = failure.groups["operand"], failure.groups["dim"]
    yield failure.hit(
        f"dimension {dim} of operand {operand} is not as large as its letter was before: one letter is one size"
    )


@explains("letters-of-two-sizes")
def letters_of_two_sizes(failure: Failure) -> Hits:
    met = letter_apart(failure.groups["shapes"])
    yield failure.hit(f"two dimensions of one letter differ in size{met}")
