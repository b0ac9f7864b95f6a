"""Error messages: processes are started by `torch.distributed.launch`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("spelled-otherwise")
def spelled_otherwise(failure: Failure) -> Hits:
    yield failure.hit(
        "the launcher adds this argument, which the program lacks or spells otherwise: torchrun adds none and sets LOCAL_RANK; or "
        "add_argument('--local-rank', '--local_rank', type=int)"
    )


@explains("warned")
def warned(failure: Failure) -> Hits:
    yield failure.hit("start with torchrun, and read LOCAL_RANK from the environment")
