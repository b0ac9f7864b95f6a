"""Source code: a distributed sampler gives every epoch the same order."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def same_order_in_every_epoch(code: Code) -> Hits:
    for made, sampler, epochs in code.samplers_over_epochs():
        if code.is_constant(code.argument(made, "shuffle", position=3), False):
            continue
        epoch, fix = code.counter(epochs) if epochs else "", None
        if epochs and epoch:
            line = code.new_line_before(epochs.node.body[0], f"{sampler}.set_epoch({epoch})")
            fix = Fix("Tell the sampler the epoch", (line,)) if line else None
        says = f"`{sampler}` is never told the epoch, so that each one has the same order"
        yield code.hit(made, says, fix=fix)
    for place, made in code.samplers_from_elsewhere():
        if not code.is_constant(code.argument(made, "shuffle", position=3), False):
            says = "has a DistributedSampler that is never told the epoch: each has the same order"
            yield code.hit(place, f"`{code.text_of(place)}` {says}")
