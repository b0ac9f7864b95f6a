"""Error messages: backward is called on more than one number."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("several-numbers")
def several_numbers(failure: Failure) -> Hits:
    several = [o for o in failure.live.operands if o.requires_grad and o.shape != ()]
    written = re.search(r"([\w.]+)\.backward\(|grad\(\s*([\w.]+)", failure.line)
    name = several[0].name if several else ""
    name = name or (written[1] or written[2] if written else "")
    shape = several[0].shape if several else None
    if written and written[2]:  # a mean would give a part of each slope
        known = say("differentiated-with-shape", name=name, shape=shape)
        says = known if several else say("differentiated", name=name)
        yield failure.hit(says, failure.rewrite(name, "{}.sum()"))
        return
    fix = failure.rewrite(name, "{}.mean()")
    if several:
        yield failure.hit(say("loss-with-shape", name=name, shape=shape), fix)
    elif name:
        yield failure.hit(say("loss-not-scalar", name=name), fix)
    else:
        yield failure.hit(say("not-scalar"), fix)


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/autograd/__init__.py"):
        yield failure.hit(say("stands-where-backward-or", came=failure.groups["came"]))
