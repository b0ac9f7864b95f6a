"""Which part of what a layer or a model returns is meant."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

RECURRENT = re.compile(r"(?:lstm|gru|rnn)\w{0,20}\(", re.IGNORECASE)
SHAPES = re.compile(r"(?:\.shape|\.size\(\))\[")


def is_output_and_state(failure: Failure) -> bool:
    """Whether a tuple that is indexed in several dimensions comes of a layer, as far as the text tells."""
    line = failure.line or failure.around
    shown = failure.in_forward or RECURRENT.search(line) is not None
    return shown and SHAPES.search(line) is None


def part_that_is_meant(kind: str, name: str) -> str:
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


RETURNED = re.compile(
    r"\w, ?[\w, ()]{1,80} = (?P<of>(?:self\.)?"
    r"(?:model|net|encoder|decoder|generator|discriminator|policy|actor)\d?)\("
)
KEPT = re.compile(
    r"\w, ?[\w, ()]{1,80} = (?P<of>(?:model_|net_)?(?:predictions?|preds?|outputs?)|logits)$",
    re.MULTILINE,
)
"""What a model gave in a line before."""


def unpacked_otherwise(text: str, wants: str) -> str:
    """Of what a model of the user's own returns, by the line that takes it apart."""
    parts, rows = "has another number of parts than the", "a single tensor is taken apart by rows"
    if found := RETURNED.search(text):
        says = f"what `{found['of']}` returns {parts} {wants} that are unpacked"
        return f"{says}: as many as its forward returns; {rows}"
    if found := KEPT.search(text):
        says = f"`{found['of']}`, if a model returned it, {parts} {wants} that are unpacked"
        return f"{says}: as many as forward returns with these options; {rows}"
    return ""
