"""Error messages: tensorRT does not take a model, or an engine of another version or card."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ONNX_KINDS = (
    "nothing float32 uint8 int8 uint16 int16 int32 int64 text bool float16 float64 uint32 uint64 complex64 complex128 bfloat16"
).split()


COUNTERS = re.compile(r"\btotal_(?:ops|params)$")


@explains("form-not-taken")
def form_not_taken(failure: Failure) -> Hits:
    where, says = failure.groups["where"], failure.groups["says"]
    yield failure.hit(say("parser-stops", where=where, says=says.strip()))


@explains("numbers-of-another-kind")
def numbers_of_another_kind(failure: Failure) -> Hits:
    name, number = failure.groups["name"], failure.groups["type"]
    kind = dict(enumerate(ONNX_KINDS)).get(int(number))
    if COUNTERS.search(name):
        yield failure.hit(say("counter-of-thop", name=name))
    elif kind:
        yield failure.hit(say("weights-of-type", name=name, type=kind))
    else:
        yield failure.hit(say("weights-of-unknown-type", name=name, number=number))


@explains("built-elsewhere")
def built_elsewhere(failure: Failure) -> Hits:
    of, wants, got = (failure.groups[name].rstrip(".") for name in ("of", "wants", "got"))
    yield failure.hit(say("built-elsewhere", of=of, got=got, wants=wants))
