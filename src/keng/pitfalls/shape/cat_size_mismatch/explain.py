"""Error messages: tensors to be joined differ in another dimension."""

from __future__ import annotations

from keng.explain.advice.dimensions import lacking
from keng.explain.advice.fits import brought_to_one_size
from keng.explain.advice.joined import cure_of_dimensions, cure_of_sizes
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("sizes-differ")
def sizes_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    one, other = int(groups["one"] or groups["first"]), int(groups["other"] or groups["second"])
    says = f"sizes {one} and {other} meet in a dimension that is not joined"
    if len(there) > 1:
        says = " and ".join(f"`{operand.name}` has the shape {operand.shape}" for operand in there)
    same_tail = len(there) == 2 and there[0].shape[2:] == there[1].shape[2:]
    if same_tail and groups["dim"] != "0" and there[0].shape[0] != there[1].shape[0]:
        cure = "make both for the batch that came, or drop_last=True where the last one is smaller"
    else:
        cure = cure_of_sizes(failure, one, other, groups["dim"], groups["at"] or "")
    # Up to torch 1.4 stack joined too, along a dimension of its own: there it was most often a batch.
    stacked = groups["dim"] == "0" and bool(groups["first"])
    fix = brought_to_one_size(failure) if cure.startswith("as when") else None
    yield failure.hit(f"{says}: {cure}", fix, sure=not stacked, one=one, other=other)


@explains("sizes-without-their-numbers")
def sizes_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "sizes differ in a dimension that is not joined: resize images, pad sequences, or make both for one batch, before"
    )


@explains("dimensions-differ")
def dimensions_differ(failure: Failure) -> Hits:
    one, other = int(failure.groups["one"]), int(failure.groups["other"])
    there = failure.live.operands
    small = [o for o in there if len(o.shape) == min(one, other)]
    name = small[0].name if len(small) == 1 else "x"
    large = {o.shape for o in there if len(o.shape) == min(one, other) + 1}
    missing = [
        str(n)
        for shape in large
        for n in (lacking(small[0].shape, shape) if len(large) == len(small) == 1 else ())
    ]
    says, fix = f"tensors of {one} and {other} dimensions are joined", None
    cure = cure_of_dimensions(failure, one, other)
    if len(missing) == 1:
        cure = f"{name}.unsqueeze({missing[0]}) gives the smaller one what it lacks"
        fix = failure.turned(name, f"{{}}.unsqueeze({missing[0]})")
    yield failure.hit(f"{says}: {cure}", fix)


@explains("numbers")
def numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.cat joins tensors of one dimension at least: torch.stack for single numbers"
    )


@explains("quoted-in-part")
def quoted_in_part(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"sizes {one} and {other} meet in a dimension that is not joined: {cure_of_sizes(failure, int(one), int(other))}"
    )
