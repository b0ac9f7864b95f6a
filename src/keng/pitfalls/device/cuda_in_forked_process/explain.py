"""Error messages: a forked process uses CUDA."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("started-in-a-worker")
def started_in_a_worker(failure: Failure) -> Hits:
    if not any("/data/_utils/" in frame.path for frame in failure.frames):
        return
    default = any(frame.posix.endswith("torch/utils/_device.py") for frame in failure.frames)
    cure = "keep CUDA out of the dataset, and move batches in the training loop"
    if default:
        cure = "torch.set_default_device('cuda') reaches the dataset: leave the default at the CPU, and move batches in the training loop"
    yield failure.hit(f"a forked worker of the DataLoader uses CUDA: {cure}")


@explains("forked-after-the-start")
def forked_after_the_start(failure: Failure) -> Hits:
    worker = any("/data/_utils/" in frame.path for frame in failure.frames)
    kind, cure = failure.groups["kind"], 'start the process by "spawn"'
    data = f"keep {kind} out of the dataset, and move batches in the training loop"
    if worker or not failure.frames:
        cure = data if worker else f"in a loader's workers {data}; else {cure}"
    yield failure.hit(f"{kind} had started before this process was forked: {cure}")


@explains("a-cell-has-started-cuda")
def a_cell_has_started_cuda(failure: Failure) -> Hits:
    yield failure.hit(say("cell-or-import-has", what=failure.groups["what"]))


@explains("autograd-in-a-fork")
def autograd_in_a_fork(failure: Failure) -> Hits:
    yield failure.hit(say("backward-runs-forked-process"))
