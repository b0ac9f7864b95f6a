"""Error messages: an optimizer is given the result of an operation."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-leaf")
def no_leaf(failure: Failure) -> Hits:
    computed = [o.name for o in failure.live.operands if not o.is_leaf]
    name = f"`{computed[0]}`" if computed else "what the optimizer gets"
    yield failure.hit(
        f"{name} is the result of an operation, as .to(device) or `* 0.1` behind it is: compute first, then requires_grad_(), or nn.Parameter(x.to(device))"
    )
