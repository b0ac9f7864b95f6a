"""Error messages: what a function returns is taken for a tensor."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

RECURRENT = re.compile(r"(?:lstm|gru|rnn)\w{0,20}\(", re.IGNORECASE)
SHAPES = re.compile(r"(?:\.shape|\.size\(\))\[")

PARTS = {
    "eig": "eigenvalues and eigenvectors",
    "eigh": "eigenvalues and eigenvectors",
    "svd": "U, S and V or Vh",
    "qr": "Q and R",
    "lu": "P, L and U",
    "lstsq": "solution, residuals, rank and singular_values",
    "slogdet": "sign and logabsdet",
}


@explains("of-packed-sequences")
def of_packed_sequences(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("packed-sequences-have-no", name=name))


@explains("of-values-and-indices")
def of_values_and_indices(failure: Failure) -> Hits:
    function, name = failure.groups["function"], failure.groups["name"]
    parts = PARTS.get(function.removeprefix("linalg_"))
    says = say("over-dimension-gives-values", name=function, name_2=name)
    if parts:
        says = say("gives-take-one-meant", name=function, parts=parts, name_2=name)
    yield failure.hit(says)


@explains("computed-with-both")
def computed_with_both(failure: Failure) -> Hits:
    function = failure.groups["function"]
    yield failure.hit(say("gives-values-indices-values", function=function))


@explains("of-a-comparison")
def of_a_comparison(failure: Failure) -> Hits:
    if failure.groups["name"] in ("float", "long", "cpu", "cuda", "to") or "==" in failure.line:
        yield failure.hit(say("comparison-gave-one-truth"))


@explains("of-a-number")
def of_a_number(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-s-plain-already", kind=failure.groups["kind"]))


@explains("of-a-property")
def of_a_property(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    what = {"Size": "a shape, a tuple of numbers", "device": "a device: str(device) is its text"}
    yield failure.hit(say("asked-not-tensor", what=name, kind=what.get(kind, "a dtype")))


@explains("indexed-like-a-tensor")
def indexed_like_a_tensor(failure: Failure) -> Hits:
    if _is_output_and_state(failure):
        yield failure.hit(say("tuple-indexed-like-tensor"))


@explains("of-what-a-model-returns")
def of_what_a_model_returns(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        say("cure-has-no-name", cure=kind, name=name, kind=_part_that_is_meant(kind, name))
    )


def _is_output_and_state(failure: Failure) -> bool:
    """Whether a tuple that is indexed in several dimensions comes of a layer, as far as the text tells."""
    line = failure.line or failure.surrounding
    shown = failure.in_forward or RECURRENT.search(line) is not None
    return shown and SHAPES.search(line) is None


def _part_that_is_meant(kind: str, name: str) -> str:
    """Of a tuple, of an output of transformers, or of what a tokenizer gives."""
    if kind == "tuple":
        return "the model was called with return_dict=False: outputs[0], or return_dict=True"
    if "Output" not in kind:
        tensors = "gives a dict of tensors: inputs['input_ids'], inputs.to(device)"
        return f"tokenizer(texts, return_tensors='pt') {tensors}"
    if kind in ("InceptionOutputs", "GoogLeNetOutputs"):
        return "while it is trained the model gives logits and aux_logits: .logits, or model.eval()"
    if name in ("last_hidden_state", "pooler_output"):
        return "AutoModel gives it, a model with a head .hidden_states[-1] with output_hidden_states=True"
    if kind == "BaseModelOutputWithPooling":
        both = "get_image_features and get_text_features give it within this since transformers 5"
        return f"take .pooler_output, or .last_hidden_state; {both}"
    return "take the part that is meant, .loss, .logits or .last_hidden_state"
