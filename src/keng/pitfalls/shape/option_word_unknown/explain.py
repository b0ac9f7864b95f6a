"""Error messages: a word, or a number that stands for one, chooses what a function does, and is none that it knows."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("none-of-the-known")
def none_of_the_known(failure: Failure) -> Hits:
    name = failure.groups.get("name") or failure.message.partition("Expected ")[2].partition(" ")[0]
    name, known = name.removesuffix(" argument"), failure.groups["known"]
    came = f", and not {failure.groups['came']}" if failure.groups.get("came") else ""
    yield failure.hit(f"`{name}` is one of {known.rstrip('. ')}{came}")


@explains("not-known-yet")
def not_known_yet(failure: Failure) -> Hits:
    function, name, came = (failure.groups[group] for group in ("function", "name", "came"))
    yield failure.hit(
        f"{function} of this PyTorch knows no {name} '{came}': another, or a newer one"
    )


@explains("padding-of-another-name")
def padding_of_another_name(failure: Failure) -> Hits:
    yield failure.hit(
        f"pad knows 'constant', 'reflect', 'replicate' and 'circular', and not {failure.groups['came']}"
    )


@explains("padding-of-a-convolution")
def padding_of_a_convolution(failure: Failure) -> Hits:
    yield failure.hit(
        f"padding of a convolution is numbers, 'same' or 'valid', and not {failure.groups['came']}"
    )


@explains("norm-that-is-none")
def norm_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(
        f"a matrix has no norm {failure.groups['came']}: 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2; vector_norm takes any number"
    )


@explains("distances-of-another-way")
def distances_of_another_way(failure: Failure) -> Hits:
    yield failure.hit(
        f"cdist knows compute_mode='use_mm_for_euclid_dist_if_necessary', 'use_mm_for_euclid_dist' and 'donot_use_mm_for_euclid_dist', and not {failure.groups['came']}"
    )


@explains("reduction-of-another-name")
def reduction_of_another_name(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("functional.py"):
        yield failure.hit(f"reduction is 'none', 'mean' or 'sum', and not {failure.groups['came']}")
