"""Error messages: a tensor is given to NumPy that NumPy cannot hold."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits
from keng.rules import explains


@explains("with-a-gradient")
def with_a_gradient(failure: Failure) -> Hits:
    there = failure.live.failing.tensors if failure.live.failing is not None else ()
    held = {each.name.rpartition("[")[0] for each in there}
    if len(held) == 1 and (many := held.pop()) and f"{many}[" not in failure.line:
        form = ".item()" if all(each.shape == () for each in there) else ".detach()"
        says = f"`{many}` holds tensors that record gradients: NumPy takes `{form}` of each"
        yield failure.hit(says, failure.mended("numbers_kept", many, form))
        return
    name = _given(failure)
    fix = _turned(failure, name, "detach()")
    yield failure.hit(f"`{name}` records a gradient: {name}.detach().numpy()", fix)


@explains("on-a-device")
def on_a_device(failure: Failure) -> Hits:
    device = failure.groups["device"]
    yield failure.hit(
        f"the tensor lies on {device}, NumPy in main memory: {_given(failure)}.detach().cpu().numpy()"
    )


@explains("of-a-type-that-numpy-lacks")
def of_a_type_that_numpy_lacks(failure: Failure) -> Hits:
    name = _given(failure)
    fix = _turned(failure, name, "float()")
    yield failure.hit(
        f"a dtype that NumPy lacks, {failure.groups['dtype']}: {name}.float().numpy()", fix
    )


def _turned(failure: Failure, name: str, form: str) -> Fix | None:
    """A fix where `.numpy()` is called, or where what is called by others is named."""
    where = failure.live.failing.where if failure.live.failing is not None else None
    fix: Fix | None = failure.mended("before_numpy", where, form)
    return fix or failure.turned(name, f"{{}}.{form}")


def _given(failure: Failure) -> str:
    """The tensor as the user calls it."""
    there = [operand.name for operand in failure.live.operands]
    asked = re.findall(r"([A-Za-z_][\w.]*)\.numpy\(\)", failure.line)
    names = there if len(there) == 1 else asked
    return names[0] if len(names) == 1 else "x"
