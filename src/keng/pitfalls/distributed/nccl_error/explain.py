"""Error messages: nCCL, which carries data between GPUs, failed."""

from __future__ import annotations

import re

from keng.explain.advice.processes import not_reached, of_nccl
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("two-ranks-on-one-card")
def two_ranks_on_one_card(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    says = f"ranks {one} and {other} use the same GPU: torch.cuda.set_device(local_rank) first, and no more processes than cards"
    yield failure.hit(says)


@explains("says-little")
def says_little(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message:
        yield failure.hit(of_nccl(failure.groups["what"], failure.message))


@explains("the-other-side-is-gone")
def the_other_side_is_gone(failure: Failure) -> Hits:
    why = failure.groups["why"].lower()
    how = "it died first" if "timeout" not in why else "it is still busy before this, or died"
    yield failure.hit(f"rank 0 did not answer ({why}): {how}, see its log")


@explains("says-less")
def says_less(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message and "NCCL error in" not in failure.message:
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", failure.groups["what"]).lower()
        yield failure.hit(of_nccl(what, failure.message))


@explains("address-not-reached")
def address_not_reached(failure: Failure) -> Hits:
    why, where = failure.groups["why"].split(",")[0].lower(), failure.groups.get("where")
    through = failure.groups.get("infiniband", "")
    yield failure.hit(not_reached(where or "the other ranks", why, through))


@explains("no-room-in-shm")
def no_room_in_shm(failure: Failure) -> Hits:
    mib = int(failure.groups["bytes"]) >> 20
    yield failure.hit(
        f"NCCL wants {mib} MiB more of /dev/shm, and a container has 64 MiB: --shm-size=8g, or --ipc=host"
    )
