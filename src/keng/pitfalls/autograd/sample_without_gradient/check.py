"""Source code: a latent is drawn by `sample()`, which no gradient goes back through."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Grad

DIVERGENCES = "torch.distributions.kl_divergence", "torch.distributions.kl.kl_divergence"


@finds(fixes=True, mentions=["sample"])
def drawn_without_a_gradient(code: Code) -> Hits:
    learned = [c.args[0] for c in code.calls.calls_to(*DIVERGENCES) if c.args]
    for call in code.calls.method_calls("sample"):
        drawn = code.tree.receiver(call)
        if not isinstance(drawn, ast.Name) or code.modes.grad_at(call) is not Grad.ON:
            continue
        if not any(isinstance(n, ast.Name) and code.graph.same_value(n, drawn) for n in learned):
            continue
        if _is_discrete(code, drawn) or _weighs_by_probability(code, drawn):
            continue
        fix = Fix(say("draw"), (code.edits.rename_attribute(call.func, "rsample"),))
        says = say("no-gradient-goes-back", name=drawn.id)
        yield code.hit(call, says, fix=fix)


def _is_discrete(code: Code, drawn: ast.Name) -> bool:
    """Whether it is of a kind that has no `rsample`."""
    made = [
        code.names.resolve(b.value.func)
        for b in code.flow.reaching_definitions(drawn)
        if isinstance(b.value, ast.Call)
    ]
    kinds = ("Categorical", "Bernoulli", "Binomial", "Multinomial", "Geometric", "Poisson")
    return any(name.endswith(kinds) for name in made)


def _weighs_by_probability(code: Code, drawn: ast.Name) -> bool:
    weighed = [code.tree.receiver(c) for c in code.calls.method_calls("log_prob")]
    return any(isinstance(n, ast.Name) and code.graph.same_value(n, drawn) for n in weighed)
