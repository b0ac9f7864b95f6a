"""Error messages: ONNX Runtime runs on the CPU instead of the GPU."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-loaded")
def not_loaded(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("cuda-cudnn-versions-onnxruntime"))


@explains("not-told")
def not_told(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("providers-cudaexecutionprovider-cpuexecution"))


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("build-has-no-uninstall", name=failure.groups["name"]))
