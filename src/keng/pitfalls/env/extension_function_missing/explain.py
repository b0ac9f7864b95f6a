"""Error messages: a compiled extension lacks the function that is called."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-in-the-compiled-module")
def not_in_the_compiled_module(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    kernels = ", or without CUDA" if name.endswith(("cuda", "gpu")) else ""
    compiled = kernels or home.endswith(("_cuda", "_cpp", "_gpu", "_ext", "_C"))
    yield failure.hit(
        f"the compiled `{home}` has no `{name}`: built from other sources than what calls it{kernels}, or a folder of that name is imported in its place",
        sure=bool(compiled),  # a file of Python's may be asked for a forward, too
    )
