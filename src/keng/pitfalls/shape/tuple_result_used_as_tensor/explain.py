"""Error messages: a tuple that a function returns is used as a tensor."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

RECURRENT = re.compile(r"(?:lstm|gru|rnn)\w{0,20}\(", re.IGNORECASE)
SHAPES = re.compile(r"(?:\.shape|\.size\(\))\[")

PARTS = {
    "eig": "L, V",
    "eigh": "L, Q",
    "svd": "U, S, Vh",
    "qr": "Q, R",
    "lu": "P, L, U",
    "lstsq": "solution, residuals, rank, singular_values",
    "slogdet": "sign, logabsdet",
}


@explains("of-values-and-indices")
def of_values_and_indices(failure: Failure) -> Hits:
    function, name = failure.groups["function"], failure.groups["name"]
    parts = PARTS.get(function.removeprefix("linalg_"))
    if parts:
        yield failure.hit(say("several-results", function=function, parts=parts, name=name))
    else:
        yield failure.hit(say("values-and-indices", function=function, name=name))


@explains("of-a-comparison")
def of_a_comparison(failure: Failure) -> Hits:
    if failure.groups["name"] in ("float", "long", "cpu", "cuda", "to") or "==" in failure.line:
        yield failure.hit(say("comparison-is-a-bool"))


@explains("of-a-property")
def of_a_property(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if kind == "Size":
        yield failure.hit(say("asked-of-a-shape", name=name))
    elif kind == "device":
        yield failure.hit(say("asked-of-a-device", name=name))
    else:
        yield failure.hit(say("asked-of-a-dtype", name=name))


@explains("indexed-like-a-tensor")
def indexed_like_a_tensor(failure: Failure) -> Hits:
    if _is_output_and_state(failure):
        yield failure.hit(say("tuple-is-indexed"))


@explains("of-what-a-model-returns")
def of_what_a_model_returns(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    advice = _part_that_is_meant(kind, name)
    yield failure.hit(say("output-has-no", kind=kind, name=name, advice=advice))


def _is_output_and_state(failure: Failure) -> bool:
    """Whether a tuple that is indexed in several dimensions comes of a layer, as far as the text tells."""
    line = failure.line or failure.surrounding
    shown = failure.in_forward or RECURRENT.search(line) is not None
    return shown and SHAPES.search(line) is None


def _part_that_is_meant(kind: str, name: str) -> Message:
    """Of a tuple, of an output of transformers, or of what a tokenizer gives."""
    if kind == "tuple":
        return say("without-return-dict")
    if "Output" not in kind:
        return say("tokenizer-returns-a-dict")
    if kind in ("InceptionOutputs", "GoogLeNetOutputs"):
        return say("logits-and-aux-logits")
    if name in ("last_hidden_state", "pooler_output"):
        return say("hidden-states-of-head")
    if kind == "BaseModelOutputWithPooling":
        return say("pooled-within-output")
    return say("take-a-part")
