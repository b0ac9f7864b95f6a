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


@explains("operator-not-known")
def operator_not_known(failure: Failure) -> Hits:
    yield failure.hit(say("tensorrt-has-no-newer", op=failure.groups["op"]))


@explains("form-not-taken")
def form_not_taken(failure: Failure) -> Hits:
    where, says = failure.groups["where"], failure.groups["says"]
    yield failure.hit(say("tensorrt-s-parser-stops", says=where, strip=says.strip()))


@explains("numbers-of-another-kind")
def numbers_of_another_kind(failure: Failure) -> Hits:
    name, number = failure.groups["name"], failure.groups["type"]
    kind = dict(enumerate(ONNX_KINDS)).get(int(number), f"of ONNX's type {number}")
    cure = "model.float(), or another dtype for it, before the export"
    if COUNTERS.search(name):
        cure = "a counter that thop's profile() left in the model: export one that was not profiled, or del layer.total_ops, layer.total_params"
    yield failure.hit(f"`{name}` is {kind}, which this TensorRT does not read: {cure}")


@explains("built-elsewhere")
def built_elsewhere(failure: Failure) -> Hits:
    of, wants, got = (failure.groups[name].rstrip(".") for name in ("of", "wants", "got"))
    yield failure.hit(say("engine-was-built-machine", wants=of, got=got, wants_2=wants))


@explains("api-of-another-version")
def api_of_another_version(failure: Failure) -> Hits:
    yield failure.hit(say("went-out-tensorrt-s", name=failure.groups["name"]))
