"""Error messages: nCCL, which carries data between GPUs, failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

WHY_NCCL = {
    "system": "a small /dev/shm of a container (--shm-size=8g), or the network between the ranks",
    "cuda": "the card's memory used up, two ranks on one card, or a card that is newer than this NCCL",
    "usage": "two ranks on one card, or more processes than cards: torch.cuda.set_device(local_rank) first",
    "argument": "two ranks on one card, or more processes than cards: torch.cuda.set_device(local_rank) "
    "first",
    "internal": "the network, or cards that do not reach each other (NCCL_P2P_DISABLE=1 as a test)",
    "remote": "another rank has ended, whose error stands first, or the network between them broke",
}
"""A word of what NCCL calls its failure -> what is behind it most often."""
LAST = re.compile(r"Last error:\s{1,9}(?P<said>\S[^\n]{3,160})")


@explains("two-ranks-on-one-card")
def two_ranks_on_one_card(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    says = say("ranks-use-same-gpu", other=one, other_2=other)
    yield failure.hit(says)


@explains("says-little")
def says_little(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message:
        yield failure.hit(_of_nccl(failure.groups["what"], failure.message))


@explains("the-other-side-is-gone")
def the_other_side_is_gone(failure: Failure) -> Hits:
    why = failure.groups["why"].lower()
    how = "it died first" if "timeout" not in why else "it is still busy before this, or died"
    yield failure.hit(f"rank 0 did not answer ({why}): {how}, see its log")


@explains("says-less")
def says_less(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message and "NCCL error in" not in failure.message:
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", failure.groups["what"]).lower()
        yield failure.hit(_of_nccl(what, failure.message))


@explains("address-not-reached")
def address_not_reached(failure: Failure) -> Hits:
    why, where = failure.groups["why"].split(",")[0].lower(), failure.groups.get("where")
    through = failure.groups.get("infiniband", "")
    yield failure.hit(_not_reached(where or "the other ranks", why, through))


@explains("no-room-in-shm")
def no_room_in_shm(failure: Failure) -> Hits:
    mib = int(failure.groups["bytes"]) >> 20
    yield failure.hit(say("nccl-wants-mib-more", size=mib))


def _of_nccl(what: str, message: str) -> str:
    """One line about a failure of NCCL's, which it calls "unhandled system error"."""
    last = LAST.search(message)
    why = next((why for word, why in WHY_NCCL.items() if word in what), "see its last lines")
    said = f"{what}, {last['said'].strip()}" if last is not None else what
    return f"NCCL failed ({said}): {why}; NCCL_DEBUG=WARN makes it say which"


def _not_reached(where: str, why: str, through: str) -> str:
    """One line about an address that NCCL does not reach, `why` in its words; `through` is InfiniBand."""
    if "no socket interface" in why:
        return (
            "NCCL finds no network interface: NCCL_SOCKET_IFNAME names none of this machine, as "
            "`ip -br addr` has them"
        )
    if through:
        return (
            f"InfiniBand or RoCE does not carry NCCL's data ({why}): NCCL_IB_DISABLE=1 as a test, then "
            "NCCL_IB_HCA and NCCL_IB_GID_INDEX"
        )
    if re.search(r"closed by|reset by|broken pipe", why):
        return f"the rank at {where} is gone ({why}): it has ended, and its own error comes first"
    return (
        f"NCCL does not reach {where} ({why}): a firewall, or an interface that others cannot see; "
        "NCCL_SOCKET_IFNAME names the right one"
    )
