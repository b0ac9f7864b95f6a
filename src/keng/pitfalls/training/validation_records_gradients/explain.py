"""Error messages: validation records a graph that nobody will use."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

EVALUATES = re.compile(
    r"(?:run_|do_)?(?:validate|validation|evaluate?|evaluation|test)"
    r"(?:_(?:epoch|one_epoch|model|loop|net|all|dataset))?$|(?:epoch|model|run|do)_(?:val|valid|eval|test)$|val(?:_epoch|_model)?$"
)
"""What functions are called that evaluate a model. The steps of Lightning are under no_grad by themselves."""


UNDER_NO_GRAD = ("torch/utils/_contextlib.py", "torch/autograd/grad_mode.py")


@explains("memory-ran-out-in-it")
def memory_ran_out_in_it(failure: Failure) -> Hits:
    own = [f for f in failure.frames if f.user]
    where = next((f.function for f in reversed(own) if EVALUATES.match(f.function)), "")
    backward = any("backward(" in f.text for f in own)
    if where and not backward and not failure.passed_through(*UNDER_NO_GRAD):
        yield failure.hit(say("memory-ran-out-under", where=where))
