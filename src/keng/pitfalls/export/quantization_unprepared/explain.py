"""Error messages: a model is prepared for quantization in the wrong mode, or with layers that do not fuse."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-training")
def not_training(failure: Failure) -> Hits:
    yield failure.hit(say("preparing-training-wants-model"))


@explains("not-in-eval")
def not_in_eval(failure: Failure) -> Hits:
    yield failure.hit(say("batch-norm-fused-what"))


@explains("not-fused")
def not_fused(failure: Failure) -> Hits:
    kinds = ", ".join(re.findall(r"\.(\w+)'>", failure.groups["kinds"]))
    yield failure.hit(say("there-no-fused-layer", kinds=kinds))


@explains("embedding")
def embedding(failure: Failure) -> Hits:
    yield failure.hit(say("embedding-quantized-weight-alone"))


@explains("without-an-example")
def without_an_example(failure: Failure) -> Hits:
    yield failure.hit(say("since-torch-prepare-fx"))


@explains("not-calibrated")
def not_calibrated(failure: Failure) -> Hits:
    yield failure.hit(say("part-model-was-never"))


@explains("no-such-engine")
def no_such_engine(failure: Failure) -> Hits:
    yield failure.hit(say("no-engine-quantization-runs", name=failure.groups["name"]))
