"""Error messages: an operator of a library is used before the library is loaded."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-registered")
def not_registered(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    yield failure.hit(
        f"no library has registered the operator {home}.{name}: import the package that has it, or torch.ops.load_library()"
    )


@explains("no-kernel-for-the-device")
def no_kernel_for_the_device(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(
        f"`{op}` has no kernel for {backend}: its library was built without it, or is not loaded; or move the tensors to where it has one"
    )


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"no library has registered `{failure.groups['op']}`: import the package that has it before; if that is done, its compiled part was not "
        "built for this torch"
    )


@explains("left-out-by-the-linker")
def left_out_by_the_linker(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is PyTorch's own, and the program has it not: a static libtorch is linked whole, -force_load or --whole-archive; or a build of selected operators"
    )
