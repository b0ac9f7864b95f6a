"""Error messages: a file of `torch.save` is read by `pickle`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("reference-to-a-tensor")
def reference_to_a_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/serialization.py"):
        yield failure.hit(
            "torch.load finds a pickle without its archive: it wants the whole file, not the data.pkl unpacked of it; or several objects were saved into one file, which holds one since 1.6"
        )
        return
    yield failure.hit(
        "the file was written by torch.save, and pickle cannot read it: torch.load, and the whole file"
    )
