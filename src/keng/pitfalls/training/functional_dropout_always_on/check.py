"""Source code: functional dropout stays on in evaluation."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Grad

ATTENDS = "torch.nn.functional.scaled_dot_product_attention"
INTENDED = re.compile(
    r"monte.?carlo|\b(?:with_)?mc_?|_mc_?|bayes|always|training=True|"
    r"(?:also|even|both|stays?|kept|remains?|still|enabled|active)\b.{0,60}\b(?:inference|test|eval|generation|sampl)",
    re.IGNORECASE,
)
"""Words by which a program says that its dropout is to stay on."""
DROPOUTS = tuple(
    f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d")
)


@finds(fixes=True, mentions=DROPOUTS)
def training_left_at_its_default(code: Code) -> Hits:
    for call in code.calls.calls_to(*DROPOUTS):
        module = code.types.enclosing_module(call)
        if module is None or code.calls.argument(call, "training", position=2) is not None:
            continue
        if code.modes.guarded_by_training_flag(call) or code.modes.grad_at(call, 0) is Grad.OFF:
            continue
        if _rate_set_by_mode(code, code.calls.argument(call, "p", position=1)):
            continue
        follows = f"training={module.self_name}.training"
        if _is_intended(code, call):
            continue
        fix = code.edits.add_argument(call, follows, say("follow-mode"))
        yield code.hit(call, say("dropout-here-stays-on"), fix=fix)


@finds(fixes=True, mentions=[ATTENDS])
def attention_drops_in_evaluation(code: Code) -> Hits:
    for call in code.calls.calls_to(ATTENDS):
        given = code.calls.argument(call, "dropout_p", position=4)
        module = code.types.enclosing_module(call)
        if module is None or not isinstance(given, ast.Attribute) or _is_intended(code, call):
            continue
        own = isinstance(given.value, ast.Name) and given.value.id == module.self_name
        if own and not _follows_mode(code, given, module.definition, call):
            text = f"{code.text_of(given)} if {module.self_name}.training else 0.0"
            fix = Fix(say("follow-mode"), (code.edits.replace(given, text),))
            yield code.hit(given, say("attention-stays-on", given=code.text_of(given)), fix)


def _rate_set_by_mode(code: Code, rate: ast.expr | None) -> bool:
    """Whether a rate gets another value where an `if` asks for the mode: `if not self.training: p = 0.0`."""
    found = code.flow.reaching_definitions(rate) if isinstance(rate, ast.Name) else []
    return any(code.modes.guarded_by_training_flag(each.node) for each in found)


def _follows_mode(code: Code, given: ast.Attribute, owner: ast.ClassDef, call: ast.Call) -> bool:
    """Whether the rate is one that some method sets by the mode, or none at all."""
    if code.modes.guarded_by_training_flag(call):
        return True
    values = [value for value, _ in code.classes.attributes(owner).get(given.attr, [])]
    constants = [v for v in values if isinstance(v, ast.Constant)]
    mode = any("training" in ast.unparse(v) for v in values if v is not None)
    return not values or bool(constants) or mode or len(values) > 1


def _is_intended(code: Code, call: ast.Call) -> bool:
    """Whether a comment, a docstring or a name around a call says that dropout is to stay on."""
    function, owner = code.tree.enclosing_function(call), code.tree.enclosing_class(call)
    first = max(1, code.statement(call).lineno - 3)
    texts = [code.source.line(n) for n in range(first, (call.end_lineno or call.lineno) + 1)]
    for around in (function, owner):
        if around is not None:
            texts += [around.name, " ".join((ast.get_docstring(around) or "").split())]
    return any(INTENDED.search(text) for text in texts)
