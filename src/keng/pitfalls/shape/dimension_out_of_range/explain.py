"""Error messages: a dimension is named that the tensor does not have."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

JOINED = re.compile(r"\bcat\(")

KEY = re.compile(r"[\w)\]]\[[\"']")
SPECTRUM = re.compile(r"\b(?:i?stft|i?r?fft)\b")


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    count, named = int(failure.groups["n"]), [o.name for o in failure.live.operands]
    name, has = "the tensor", "one dimension or none" if count == 1 else f"{count} dimensions"
    if len(named) == 1:
        name = f"`{named[0]}`"
        has = has.partition(" or")[0] if failure.live.operands[0].shape else "no dimensions"
    lost = "; a squeeze() or an index may have taken the batch away"
    if count == 1 and JOINED.search(failure.line):
        lost = ": torch.stack joins vectors in a dimension of its own"
    yield failure.hit(f"{name} has {has}, so no dimension {failure.groups['dim']}{lost}")


@explains("more-indices-than-dimensions")
def more_indices_than_dimensions(failure: Failure) -> Hits:
    yield failure.hit(_indexed_too_often(failure))


@explains("another-number-to-permute")
def another_number_to_permute(failure: Failure) -> Hits:
    has, named = int(failure.groups["n"]), int(failure.groups["dims"])
    says = f"permute names {named} dimensions of a tensor that has {has}"
    yield failure.hit(says + _permuted_otherwise(has, named))


@explains("past-the-end-of-a-shape")
def past_the_end_of_a_shape(failure: Failure) -> Hits:
    text = failure.line or failure.surrounding
    read = re.findall(r"([\w.]+)\.(?:shape|size\(\))\[-?\d\]", text)
    torn = ".size()[" in text or (failure.surrounding and failure.line_uses_torch)
    if read and (failure.in_forward or torn):
        names = " or ".join(f"`{name}`" for name in dict.fromkeys(read))
        yield failure.hit(say("has-fewer-dimensions-than", names=names))


@explains("one-number")
def one_number(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-one-number-without"))


@explains("too-few-dimensions")
def too_few_dimensions(failure: Failure) -> Hits:
    has = failure.groups.get("has") or "no"
    cure = (
        "the last is -1" if has != "no" else "x.unsqueeze(0), or torch.stack to join such numbers"
    )
    yield failure.hit(say("tensor-has-dimensions-another", cure=has, cure_2=cure))


@explains("not-all-named")
def not_all_named(failure: Failure) -> Hits:
    yield failure.hit(say("permute-names-each-dimension"))


def _indexed_too_often(failure: Failure) -> str:
    """What is meant by a tensor that is indexed in more dimensions than it has."""
    if KEY.search(failure.line):
        return _asked_for_a_key(failure.groups["n"])
    if SPECTRUM.search(f"{failure.line} {failure.surrounding} {failure.context} {failure.message}"):
        says = "a spectrum is complex in newer PyTorch, without a last dimension of 2"
        return f"{says}: torch.view_as_real(x), or x.real and x.imag"
    says = f"a tensor of {failure.groups['n']} dimensions takes no more indices than that"
    return f"{says}: one was lost before, or a batch is missing"


def _asked_for_a_key(count: str) -> str:
    """Of a tensor in the place of a dict."""
    says = "a tensor is asked for a key, as a dict is"
    if count == "1":
        what = "a batch of numbers, as where __getitem__ or a transform returns one, or a part of a batch"
        return f"{says}: {what}; print what this is before it"
    return f"{says}: print what this is before it"


def _permuted_otherwise(has: int, named: int) -> str:
    """Why permute may name one dimension more than a tensor has, or one less."""
    if named - has == 1:
        return ": a batch is missing, or the channel of a grey image, unsqueeze(0)"
    if has - named == 1:
        return ": a batch stands before the others, which stays first, permute(0, ...)"
    return ""
