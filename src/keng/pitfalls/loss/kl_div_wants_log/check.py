"""Source code: the KL divergence gets probabilities where it takes their logarithms."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import functional_call
from keng.rules import finds
from keng.source import Code

LOSSES = ("torch.nn.KLDivLoss", "torch.nn.functional.kl_div")


SOFTMAX = {
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.Tensor.softmax",
    "torch.nn.Softmax",
}


LOGS = {
    "torch.log_softmax",
    "torch.nn.functional.log_softmax",
    "torch.Tensor.log_softmax",
    "torch.nn.LogSoftmax",
}


@finds(fixes=True)
def probabilities_first(code: Code) -> Hits:
    for call in code.graph.loss_calls(*LOSSES):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        softmax = origins[0].call if len(origins) == 1 else None
        alone = softmax is given or (isinstance(given, ast.Name) and _used_once(code, given))
        fix = None
        if (
            softmax is not None
            and alone
            and (text := functional_call(code, softmax, "log_softmax"))
        ):
            fix = Fix(say("give-logarithm-log-softmax"), (code.edits.replace(softmax, text),))
        target = code.calls.argument(call, "target", position=1)
        if target is not None and all(o.dotted in LOGS for o in code.origins.origins(target)):
            first, second = code.text_of(given), code.text_of(target)
            edits = (code.edits.replace(given, second), code.edits.replace(target, first))
            fix = Fix(say("give-logarithm-first"), edits)
        yield code.hit(call, say("softmax-no-logarithm", given=code.text_of(given)), fix=fix)


@finds(fixes=True)
def logarithms_second(code: Code) -> Hits:
    for call in code.graph.loss_calls(*LOSSES):
        target = code.calls.argument(call, "target", position=1)
        maker = code.types.value_of(call.func).call or call
        said = any(k.arg in ("log_target", None) for c in (call, maker) for k in c.keywords)
        if (
            target is None
            or said
            or any(o.dotted not in LOGS for o in code.origins.origins(target))
        ):
            continue
        first = code.origins.origins(code.calls.argument(call, "input", position=0))
        if all(o.dotted in LOGS for o in first):
            fix = None
            if code.names.resolve(call.func) == "torch.nn.functional.kl_div":
                fix = code.edits.add_argument(call, "log_target=True", say("pass-log-target"))
            says = say("logarithm-log-target-true", target=code.text_of(target))
            yield code.hit(call, says, fix=fix)


def _used_once(code: Code, name: ast.Name) -> bool:
    """Whether this is the only place where a name is read."""
    scope = code.names.lookup(name)
    reads = [
        n
        for n in code.tree.names_by_id.get(name.id, ())
        if isinstance(n.ctx, ast.Load) and code.names.lookup(n) is scope
    ]
    return len(reads) == 1
