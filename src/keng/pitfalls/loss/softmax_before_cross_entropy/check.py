"""Source code: probabilities are given to cross-entropy, which takes raw outputs."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import functional_call, unwrap_call
from keng.rules import finds
from keng.source import Code

LOSSES = ("torch.nn.CrossEntropyLoss", "torch.nn.functional.cross_entropy")


SOFTMAX = {
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.Tensor.softmax",
    "torch.nn.Softmax",
}


@finds(fixes=True)
def probabilities_given(code: Code) -> Hits:
    for call in code.graph.loss_calls(*LOSSES):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given)
        if any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        assert given is not None, "what is not there comes from nowhere"
        softmax = origins[0].call if len(origins) == 1 else None
        fix = unwrap_call(code, softmax, say("give-raw-outputs"))
        line = code.tree.line_of(softmax)
        text, elsewhere = code.text_of(given), line and softmax is not given
        placed = say("softmax-on-line", given=text, line=line)
        yield code.hit(call, placed if elsewhere else say("softmax-already", given=text), fix=fix)


@finds(fixes=True)
def probabilities_for_logarithms(code: Code) -> Hits:
    for call in code.graph.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given)
        if given is None or any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        fix, softmax = None, origins[0].call
        if softmax is not None and softmax is given:
            text = functional_call(code, softmax, "log_softmax")
            fix = Fix(say("give-logarithm"), (code.edits.replace(given, text),)) if text else None
        says = say("softmax-nll-loss-takes", given=code.text_of(given))
        yield code.hit(call, says, fix=fix)
