"""Error messages: `torchrun` or `init_process_group` is given a value that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PACKAGES = {
    "hccl": "torch_npu",
    "ccl": "oneccl_bindings_for_pytorch",
    "xla": "torch_xla.distributed.xla_backend",
    "smddp": "smdistributed.dataparallel.torch.torch_smddp",
}
"""Backends that a package brings -> what is imported for it."""


@explains("address-of-no-kind")
def address_of_no_kind(failure: Failure) -> Hits:
    yield failure.hit(say("no-way-meet-tcp", kind=failure.groups["kind"]))


@explains("number-as-text")
def number_as_text(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("text-from-environment-int", upper=name, upper_2=name.upper()))


@explains("no-such-backend")
def no_such_backend(failure: Failure) -> Hits:
    yield failure.hit(_unknown_backend(failure.groups["name"]))


@explains("rank-beyond-size")
def rank_beyond_size(failure: Failure) -> Hits:
    rank, size = failure.groups["rank"], failure.groups["size"]
    yield failure.hit(say("there-no-rank-they", size=rank, size_2=size))


@explains("no-such-card")
def no_such_card(failure: Failure) -> Hits:
    device, n = failure.groups["device"], failure.groups["n"]
    yield failure.hit(say("asked-on-machine-cards", n=device, n_2=n))


@explains("option-without-value")
def option_without_value(failure: Failure) -> Hits:
    says = "has no value of its kind: name=value, seconds as whole numbers, true or false"
    yield failure.hit(f"`{failure.groups['name']}` in --rdzv-conf {says}")


@explains("no-cards-to-count")
def no_cards_to_count(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/distributed/run.py"):
        yield failure.hit(say("nproc-per-node-counts", kind=failure.groups["name"].lower()))


@explains("folder-is-a-file")
def folder_is_a_file(failure: Failure) -> Hits:
    yield failure.hit(say("log-dir-names-file", path=failure.groups["path"]))


@explains("value-left-out")
def value_left_out(failure: Failure) -> Hits:
    yield failure.hit(_left_out(failure.groups["name"], failure.groups["came"] or ""))


def _unknown_backend(name: str) -> str:
    package = PACKAGES.get(name.lower())
    if package is not None:
        return (
            f"`{name}` is the backend of another package, which is imported first: import {package}"
        )
    return f"`{name}` is no backend: nccl for cards, gloo for the CPU"


def _left_out(name: str, came: str) -> str:
    """What is wrong with the number that follows an option; `came` is what stood there, if anything did."""
    empty = (
        "a variable that stands there is empty, as $RANDOM is in sh: bash train.sh, or the number"
    )
    if not came:
        return f"`--{name}` has no value: {empty}"
    if came.endswith((".py", ".sh")) or came.startswith("-"):
        return f"`--{name}` has no value of its own and takes `{came}` for it: {empty}"
    return f"`--{name}` is a whole number, and `{came}` is none"
