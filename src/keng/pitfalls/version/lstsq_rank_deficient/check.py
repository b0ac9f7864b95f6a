"""Source code: a least-squares problem is solved by a driver that cannot see that its matrix is singular."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

DOUBLE = {"torch.float64", "torch.double"}


@finds(fixes=True, mentions=["torch.linalg.lstsq"])
def rank_assumed(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.linalg.lstsq"):
        driver = next((k.value for k in call.keywords if k.arg == "driver"), None)
        if driver is not None and code.flow.text_constant(driver) == "gels":
            if _is_double(code, call):  # who takes that has thought of how singular it may be
                continue
            fix = Fix(say("take-driver-finds-rank"), (code.edits.replace(driver, '"gelsd"'),))
            yield code.hit(call, say("driver-assumes-full-rank"), fix)
        elif driver is None and any(_is_on_cuda(code, given) for given in call.args):
            yield code.hit(call, say("cuda-assumes-full-rank"), sure=False)


def _is_double(code: Code, call: ast.Call) -> bool:
    made = [
        value.call for given in call.args[:1] for value in code.origins.origins(given) if value.call
    ]
    said = (each for one in made for each in ast.walk(one))
    return any(isinstance(each, ast.expr) and code.names.resolve(each) in DOUBLE for each in said)


def _is_on_cuda(code: Code, node: ast.expr) -> bool:
    """Whether an expression is known to be made or moved to a CUDA device."""
    if isinstance(node, ast.Name):
        return code.devices.on_cuda(node)
    return isinstance(node, ast.Call) and code.devices.puts_on_cuda(node)
