"""Error messages: a compiled extension lacks the function that is called."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-the-compiled-module")
def not_in_the_compiled_module(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    kernel = name.endswith(("cuda", "gpu"))
    compiled = kernel or home.endswith(("_cuda", "_cpp", "_gpu", "_ext", "_C"))
    says = say("function-missing", home=home, name=name)
    if kernel:
        says = say("kernel-function-missing", home=home, name=name)
    # A Python module may be asked for a forward, too.
    yield failure.hit(says, sure=compiled)
