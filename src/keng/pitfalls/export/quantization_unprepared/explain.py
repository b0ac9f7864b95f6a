"""Error messages: a model is prepared for quantization in the wrong mode, or with layers that do not fuse."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-training")
def not_training(failure: Failure) -> Hits:
    yield failure.hit(
        "preparing for training wants model.train() first; prepare is for model.eval()"
    )


@explains("not-in-eval")
def not_in_eval(failure: Failure) -> Hits:
    yield failure.hit("batch norm is fused with what it has learned: model.eval() first")


@explains("not-fused")
def not_fused(failure: Failure) -> Hits:
    kinds = ", ".join(re.findall(r"\.(\w+)'>", failure.groups["kinds"]))
    yield failure.hit(
        f"there is no fused layer for {kinds} in that order: a convolution, its BatchNorm, ReLU, or a Linear and ReLU, no other activation"
    )


@explains("embedding")
def embedding(failure: Failure) -> Hits:
    yield failure.hit(
        "an Embedding is quantized by its weight alone: its own qconfig = torch.ao.quantization.float_qparams_weight_only_qconfig, or None"
    )


@explains("without-an-example")
def without_an_example(failure: Failure) -> Hits:
    yield failure.hit(
        "since torch 1.13 prepare_fx wants an example too: prepare_fx(model, qconfig_mapping, example_inputs=(x,))"
    )


@explains("not-calibrated")
def not_calibrated(failure: Failure) -> Hits:
    yield failure.hit(
        "a part of the model was never run between prepare and convert, so it is not calibrated: give it some batches first"
    )


@explains("no-such-engine")
def no_such_engine(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no engine of quantization, which runs on the CPU: x86, or qnnpack on ARM; torchao for a card"
    )
