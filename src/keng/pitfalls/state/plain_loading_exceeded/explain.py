"""Error messages: a file wants more of `torch.load` than plain loading does."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("reaches-the-system")
def reaches_the_system(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file would call `{failure.groups['name']}` as it is read, which no weights need: do not load it; `keng ckpt scan` says what it does"
    )


@explains("not-allowed-itself")
def not_allowed_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file makes a `{failure.groups['name']}`, which is not among the classes allowed: safe_globals for it too, or plain data"
    )


@explains("not-imported")
def not_imported(failure: Failure) -> Hits:
    module = failure.groups["module"]
    yield failure.hit(
        f"the file holds tensors that `{module}` makes, and the program has not imported it: import {module} before torch.load"
    )
