"""Error messages: a batch, or what a layer returns, is unpacked into another number of names than it has parts."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LOADER = re.compile(
    r"(?:for (?P<names>[^\n]{1,120}?) in|(?P<into>[\w, ()]{3,120}) = next\() ?(?P<of>[^\n]{0,60}?(?:[Ll]oader|_dl\b|data_?iter)[^\n]{0,60})"
)


BATCH = re.compile(
    r"[\w, ()]{3,80} = (?:\w+ for \w+ in )?(?:batch|batch_data|data_batch|sample)$|"
    r"\b(?:inputs?|images?|imgs?|data), (?:labels?|targets?|masks?) = (?:data|item|d)$",
    re.MULTILINE,
)


COUNTED = re.compile(r"\w+, ?[(\[]")


FIELD = re.compile(r"\w+, ?\w*len\w* = (?P<of>(?:batch|b)\.\w+)")
"""Of a batch of torchtext's."""


AS_RETURNED = "as many as __getitem__ or collate_fn returns, and by name where that is a dict"


RECURRENT = re.compile(
    r"(?P<names>[\w, ()]{3,80}) = (?:self\.)?\w{0,30}(?P<kind>lstm|LSTM|gru|GRU|rnn|RNN)\w{0,30}\("
)

RETURNED = re.compile(
    r"\w, ?[\w, ()]{1,80} = (?P<of>(?:self\.)?"
    r"(?:model|net|encoder|decoder|generator|discriminator|policy|actor)\d?)\("
)
KEPT = re.compile(
    r"\w, ?[\w, ()]{1,80} = (?P<of>(?:model_|net_)?(?:predictions?|preds?|outputs?)|logits)$",
    re.MULTILINE,
)
"""What a model gave in a line before."""


@explains("other-parts")
def other_parts(failure: Failure) -> Hits:
    text = failure.line or failure.surrounding
    if _in_collate(failure):
        yield failure.hit(say("collate-fn-gets-list"))
    elif found := LOADER.search(text):
        yield failure.hit(_of_a_loader(found, failure))
    elif found := FIELD.search(text):
        yield failure.hit(say("text-alone-field-gives", batch=found["of"]))
    elif found := BATCH.search(text):
        wants, came = failure.groups["wants"], failure.groups["came"] or "another number of"
        yield failure.hit(
            f"a batch has {came} parts, and {wants} are unpacked: {AS_RETURNED}",
            sure=failure.line_uses_torch,
        )
    elif says := _unpacked_otherwise(text, failure.groups["wants"]):
        yield failure.hit(says, sure=False)
    elif "batch_sizes = " in text:
        yield failure.hit(say("packedsequence-has-four-fields"))
    elif found := RECURRENT.search(text):
        gated = "(" in found["names"]
        yield failure.hit(say("gru-rnn-have-one") if gated else say("lstm-returns-output-pair"))


def _of_a_loader(found: re.Match[str], failure: Failure) -> str:
    names, of, wants = found["names"], found["of"].strip(" :"), failure.groups["wants"]
    if names and COUNTED.match(names) and "enumerate" not in of:
        return f"a loader gives batches without their number: `enumerate({of})`"
    came = failure.groups["came"]
    parts = "1 part" if came == "1" else f"{came or 'more'} parts"
    return f"a batch of `{of}` has {parts}, and {wants} are unpacked: {AS_RETURNED}"


@explains("sample-of-nothing")
def sample_of_nothing(failure: Failure) -> Hits:
    if _in_collate(failure):
        yield failure.hit(say("sample-none-returned-nothing"))


def _in_collate(failure: Failure) -> bool:
    """Whether the user's own collate_fn takes its batch apart."""
    last = failure.frames[-2:]
    called = len(last) == 2 and last[0].posix.endswith("_utils/fetch.py")
    return called and "collate_fn(" in last[0].text


def _unpacked_otherwise(text: str, wants: str) -> str:
    """Of what a model of the user's own returns, by the line that takes it apart."""
    parts, rows = "has another number of parts than the", "a single tensor is taken apart by rows"
    if found := RETURNED.search(text):
        says = f"what `{found['of']}` returns {parts} {wants} that are unpacked"
        return f"{says}: as many as its forward returns; {rows}"
    if found := KEPT.search(text):
        says = f"`{found['of']}`, if a model returned it, {parts} {wants} that are unpacked"
        return f"{says}: as many as forward returns with these options; {rows}"
    return ""
