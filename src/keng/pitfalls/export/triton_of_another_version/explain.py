"""Error messages: triton is of another version than PyTorch or the card wants."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-triton")
def another_triton(failure: Failure) -> Hits:
    yield failure.hit(
        f"the Triton that is installed has no `{failure.groups['name']}`: each PyTorch wants one Triton; pip install --force-reinstall torch, or "
        "update what asks for it"
    )


@explains("card-too-new")
def card_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"the assembler ptxas is older than the card, {failure.groups['card']}: a newer PyTorch with its Triton, or TRITON_PTXAS_PATH"
    )


@explains("triton-itself")
def triton_itself(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton cannot compile this kernel for this card, as bfloat16 or FP8 on an older one: another dtype, or a newer Triton"
    )


@explains("not-one")
def not_one(failure: Failure) -> Hits:
    yield failure.hit(
        "two Tritons are installed, as triton and pytorch-triton: pip uninstall both, then torch again"
    )


@explains("assembler-too-old")
def assembler_too_old(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(
        f"Triton writes PTX {wants}, and the assembler ptxas that it finds reads {has} at most: unset TRITON_PTXAS_PATH, or a newer toolkit"
    )


@explains("toolkit-too-new")
def toolkit_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"this Triton does not know CUDA {failure.groups['cuda']}, which is newer than it: a newer Triton and PyTorch"
    )
