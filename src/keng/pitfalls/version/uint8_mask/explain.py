"""Error messages: a mask is made of bytes instead of booleans."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("bytes-given")
def bytes_given(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "an index"
    other = "another dtype" if "expected BoolTensor for" in failure.message else "bytes"
    came = (failure.groups.get("came") or other).replace("unsigned char", "bytes")
    masks = [o.name for o in failure.live.operands if o.dtype in ("uint8", "int64", "int32")]
    name = masks[0] if len(masks) == 1 else "mask"
    fix = failure.turned(name, f"{name}.bool()") if masks == [name] else None
    fix = fix or (failure.mended("masked_by_bools") if what.startswith("masked_") else None)
    yield failure.hit(f"{what} takes a boolean mask and got {came}: {name}.bool()", fix)


@explains("booleans-subtracted")
def booleans_subtracted(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/functional.py"):
        yield failure.hit("a loss computes with numbers, and gets a mask: target.float()")
        return
    if "two bool" in failure.message:
        yield failure.hit(
            "two boolean tensors are subtracted: a & ~b for what the first has alone, a ^ b where they differ, .float() of both to compute"
        )
        return
    masks = [operand.name for operand in failure.live.operands if operand.dtype.endswith("bool")]
    written = re.search(r"(?<![\w.])1(?:\.0?)? ?- ?([A-Za-z_][\w.]*)", failure.line)
    name = masks[0] if masks else written[1] if written else "mask"
    fix = failure.mended("inverted", name)
    says = f"`{name}` is boolean, which knows no minus: ~{name} inverts it"
    if not (fix or written or "Negation" in failure.message):
        says += f"; to compute with numbers {name}.float()"
    yield failure.hit(says, fix)
