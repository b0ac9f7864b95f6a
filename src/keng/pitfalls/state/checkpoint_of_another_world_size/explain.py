"""Error messages: a checkpoint that is split over processes is loaded by another number of them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("other-number-of-files")
def other_number_of_files(failure: Failure) -> Hits:
    files, world = failure.groups["files"], failure.groups["world"]
    if files == "0":
        yield failure.hit("there is no file of weights (*.pth) in this folder: look at its path")
        return
    yield failure.hit(
        f"the model lies in {files} files, of as many processes, and {world} came: torchrun --nproc-per-node {files}, on as many cards, or its Hugging Face version, which any number loads"
    )


@explains("state-of-other-processes")
def state_of_other_processes(failure: Failure) -> Hits:
    saved, world = failure.groups["saved"], failure.groups["world"]
    yield failure.hit(
        f"{saved} processes have saved the optimizer's state and {world} load it: as many as then, a universal checkpoint, "
        "or load_optimizer_states=False"
    )
