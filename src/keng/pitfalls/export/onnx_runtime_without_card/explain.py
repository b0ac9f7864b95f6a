"""Error messages: oNNX Runtime does not reach the card, or is not told to."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-loaded")
def not_loaded(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(
            "CUDA and cuDNN of the versions that this onnxruntime-gpu wants are not found: `import torch` before it, or onnxruntime.preload_dlls()"
        )


@explains("not-told")
def not_told(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(
            'providers=["CUDAExecutionProvider", "CPUExecutionProvider"] is to be given'
        )


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(
            f"this build has no {failure.groups['name']}: uninstall onnxruntime, which hides it, then install onnxruntime-gpu again"
        )
