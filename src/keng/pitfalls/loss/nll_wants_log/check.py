"""Source code: the negative log-likelihood gets raw scores where it takes log-probabilities."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import names_in

LAYERS = ("torch.nn.Linear", "torch.nn.Conv1d", "torch.nn.Conv2d", "torch.nn.Conv3d")


OF_SEQUENCES = "torch.nn.functional.ctc_loss"
SOFTMAX = (
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.Tensor.softmax",
    "torch.nn.Softmax",
)
SUMS = ("logsumexp", "logaddexp", "exp")
"""What makes a normalization that stands next to the loss."""
LOGARITHMS = re.compile(r"(^|_)log_?(p|pi|probs?|probabilit(y|ies)|softmax|likelihoods?)$")
"""How logarithms of probabilities are called."""


@finds
def scores_of_a_layer(code: Code) -> Hits:
    for call in code.graph.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given)
        if given is None or any(o.dotted not in LAYERS for o in origins):
            continue
        if not any(code.calls.calls_named(name) for name in SUMS):
            layer = origins[0].dotted.rpartition(".")[2]
            says = say("scores-of-layer", scores=code.text_of(given), layer=layer)
            yield code.hit(call, says)


@finds(mentions=["CTCLoss", "ctc_loss"])
def ctc_of_others(code: Code) -> Hits:
    """`ctc_loss` takes log-probabilities too: it gets scores of a layer, or probabilities."""
    for call in _sequence_losses(code):
        given = code.calls.argument(call, "log_probs", position=0)
        made = {origin.dotted for origin in code.origins.origins(given)}
        if given is None or not made:
            continue
        if made <= set(SOFTMAX):
            yield code.hit(call, say("ctc-probabilities", given=code.text_of(given)))
        elif made <= set(LAYERS):
            layer = min(made).rpartition(".")[2]
            yield code.hit(call, say("ctc-scores", given=code.text_of(given), layer=layer))


@finds(mentions=["softmax"])
def probabilities_named_logarithms(code: Code) -> Hits:
    """`log_probs = F.softmax(scores, dim=-1)` and `-log_probs.gather(...)`, and no logarithm in between."""
    for call in code.calls.calls_named("softmax"):
        statement = code.statement(call)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if LOGARITHMS.search(name):
                made = {origin.dotted for origin in code.origins.origins(value)}
                used = _is_logarithm_to_uses(code, statement, name)
                if made <= set(SOFTMAX) and used and not _is_logged_later(code, statement, name):
                    yield code.hit(call, say("called-logarithms", name=name))


def _is_logarithm_to_uses(code: Code, statement: ast.stmt, name: str) -> bool:
    """Whether what has a name is negated, as a likelihood is, or raised again."""
    body = code.tree.enclosing_body(statement)
    reads = [n for n in code.below(body, ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
    return any(_is_negated_or_raised(code, read) for read in reads)


def _is_negated_or_raised(code: Code, read: ast.Name) -> bool:
    for above in code.tree.ancestors(read):
        if isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub):
            return True
        if isinstance(above, ast.Call) and code.calls.attribute_name(above.func) == "exp":
            return True
        if isinstance(above, ast.stmt):
            break
    return False


def _is_logged_later(code: Code, statement: ast.stmt, name: str) -> bool:
    """Whether the function of a statement takes the logarithm of what has a name, or of a part of it."""
    body = code.tree.enclosing_body(statement)
    logs = [c for c in code.below(body, ast.Call) if "log" in code.calls.attribute_name(c.func)]
    return any(name in names_in(call) for call in logs)


def _sequence_losses(code: Code) -> Iterator[ast.Call]:
    yield from code.calls.calls_to(OF_SEQUENCES)
    for call in code.of(ast.Call):
        four = len(call.args) + len(call.keywords) == 4
        if four and code.types.value_of(call.func).dotted == "torch.nn.CTCLoss":
            yield call
