"""Error messages: the loss hangs on nothing that learns."""

from __future__ import annotations

from keng.explain.advice.passes import CAUSES, hangs_on_nothing
from keng.explain.advice.shown import frozen_whole
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-to-go-back-through")
def nothing_to_go_back_through(failure: Failure) -> Hits:
    live = failure.live.unlearned
    if live is not None and live.frozen and not live.off:
        names = " and ".join(f"all {n} parameters of `{name}`" for name, n in live.frozen.items())
        frozen = failure.code.frozen_at() if failure.code is not None else []
        by = f", turned off on line {frozen[0].lineno}" if len(frozen) == 1 else ""
        yield failure.hit(f"nothing learns: {names} have requires_grad=False{by}; leave some on")
        return
    if (before := failure.mended("differentiated_before")) is not None:
        text, call, fix = before
        says = f"`{text}` is a gradient, made on line {call.lineno} without a graph of its own"
        yield failure.hit(f"{says}: create_graph=True there", fix)
        return
    if frozen := frozen_whole(failure):
        yield failure.hit(
            f"nothing learns: all parameters of `{frozen}` are frozen in the loop over them; leave some on, or set the new layers after it"
        )
        return
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = code.lost_on(line) if code is not None else []
    if not losses:
        yield failure.hit(hangs_on_nothing(failure))
        return
    loss = losses[0]
    ends = code.graph_ends(loss)
    off, silenced = code.unrecorded(loss), code.silenced(loss)
    if off is None and silenced is not None:
        told, decorator = silenced
        why = f"`{told.name}`, which it is computed by, records none: `@{told.code.text_of(decorator)}`"
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield failure.hit(says, where=told.code.span(decorator))
        return
    if off is not None:
        why = f"`{code.text_of(off)}` is computed on line {off.lineno}, where gradients are off"
    elif ends:
        why = f"`{code.text_of(ends[0])}` on line {ends[0].lineno} ends its graph"
    else:
        why = f"{CAUSES} its graph"
    yield failure.hit(f"`{loss.id}` hangs on nothing that learns: {why}")
