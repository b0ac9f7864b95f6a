"""Error messages: a collective gets a tensor on a device that its backend does not serve."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-served")
def not_served(failure: Failure) -> Hits:
    device = failure.groups["device"]
    cure = ': x.to(local_rank) before the call, or the group with "cpu:gloo,cuda:nccl"'
    if device != "cpu":
        cure = ': the group with "cpu:gloo,cuda:nccl", or x.cpu() before the call'
    if device not in ("cpu", "cuda"):
        cure = ": x.cpu() before the call and back, with gloo in the group"
    yield failure.hit(f"the tensor is on {device}, which no backend of the group serves{cure}")


@explains("in-pieces")
def in_pieces(failure: Failure) -> Hits:
    yield failure.hit(say("collective-wants-tensor-one"))


@explains("dtype-not-carried")
def dtype_not_carried(failure: Failure) -> Hits:
    yield failure.hit(say("gloo-does-not-carry"))


@explains("normalized-over-ranks")
def normalized_over_ranks(failure: Failure) -> Hits:
    cure = "move the model before it is wrapped"
    if failure.groups["run"]:
        cure = "BatchNorm in its place for a run on the CPU (SyncBN in a config: BN), or the model and its input on a card"
    yield failure.hit(say("batch-norm-over-ranks", cure=cure))


@explains("backend-not-built")
def backend_not_built(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-was-built-without", name=failure.groups["name"]))


@explains("dtype-unknown-to-nccl")
def dtype_unknown_to_nccl(failure: Failure) -> Hits:
    yield failure.hit(say("nccl-carries-no-send", dtype=failure.groups["dtype"] or "such dtype"))


@explains("collective-not-there")
def collective_not_there(failure: Failure) -> Hits:
    backend, op = failure.groups["backend"], failure.groups["op"]
    yield failure.hit(say("has-no-another-backend", op=backend, op_2=op))


@explains("not-by-gloo")
def not_by_gloo(failure: Failure) -> Hits:
    says = f"gloo does not carry tensors of {failure.groups['device']} in this call"
    yield failure.hit(f"{says}: .cpu() first, or nccl")
