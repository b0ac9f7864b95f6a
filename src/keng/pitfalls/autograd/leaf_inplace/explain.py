"""Error messages: a tensor that gathers gradients is changed in place."""

from __future__ import annotations

import re

from keng.explain.advice.passes import changed_leaf
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("changed-while-recording")
def changed_while_recording(failure: Failure) -> Hits:
    leaves = [o.name for o in failure.live.operands if o.is_leaf and o.requires_grad]
    written = re.match(r"([\w.]+?)(?:\.\w+_\(|\[|\s*[-+*/]=)", failure.line)
    name = leaves[0] if leaves else written[1] if written else ""
    part = "a part of " if failure.groups["part"] else ""
    thing = f"{part}`{name}`" if name else f"{part}a parameter"
    yield failure.hit(*changed_leaf(failure, thing))


@explains("made-a-result")
def made_a_result(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that gathers gradients was changed in place, after which it is a result: fill it before requires_grad_(), "
        "or change x.clone()"
    )


@explains("resized")
def resized(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that gathers gradients cannot get another size: reshape makes a view of it"
    )


@explains("written-to-out")
def written_to_out(failure: Failure) -> Hits:
    yield failure.hit(
        "a result that records gradients cannot be written to `out=`: leave it out, or torch.no_grad()"
    )


@explains("changed-by-python")
def changed_by_python(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"{what} changes numbers one by one, past every gradient: x.detach().clone().{what}(f)"
    )
