"""Source code: probabilities are given to cross-entropy, which takes raw outputs."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import functional_call, unwrap_call
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import FUNCTIONS, member

LOSSES = ("torch.nn.CrossEntropyLoss", "torch.nn.functional.cross_entropy")


OUTPUT = re.compile(r"(?:^|_)(?:output|out|last|final)_layer$|^build_output")
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
        if _picks_probabilities(code, call):
            continue
        fix, softmax = None, origins[0].call
        if softmax is not None and softmax is given:
            text = functional_call(code, softmax, "log_softmax")
            fix = Fix(say("give-logarithm"), (code.edits.replace(given, text),)) if text else None
        says = say("softmax-nll-loss-takes", given=code.text_of(given))
        yield code.hit(call, says, fix=fix)


def _picks_probabilities(code: Code, call: ast.Call) -> bool:
    """Whether a loss is negated, which gives the probabilities of the targets, and the function takes a
    logarithm later."""
    if not isinstance(code.tree.parent[call], ast.UnaryOp):
        return False
    later = list(code.below(code.tree.enclosing_body(call), ast.Call))
    return any(
        code.calls.attribute_name(each.func) in ("log", "log_")
        and code.tree.position(each) > code.tree.position(call)
        for each in later
    )


@finds
def last_layer_activates(code: Code) -> Hits:
    """A network of the file ends in a layer that is made with `activation=` a softmax."""
    for call in code.graph.loss_calls(*LOSSES):
        given = code.calls.argument(call, "input", position=0)
        while isinstance(given, ast.Subscript):
            given = given.value
        made = code.flow.assigned_value(given)
        for owner in _classes_called(code, made):
            for softmax in _last_activations(code, owner):
                line = code.tree.line_of(softmax)
                says = say("last-layer-softmax", network=owner.name, line=line)
                yield code.hit(softmax, says)


def _classes_called(code: Code, made: ast.expr | None) -> list[ast.ClassDef]:
    """The class of the file whose instance a call runs, by itself or by its forward."""
    function = made.func if isinstance(made, ast.Call) else None
    if isinstance(function, ast.Attribute) and function.attr == "forward":
        function = function.value
    if function is None:
        return []
    value = code.types.value_of(function)
    node = value.definition.node if value.definition is not None else None
    here = isinstance(node, ast.ClassDef) and node in code.tree.parent
    return (
        [node] if isinstance(node, ast.ClassDef) and here and value.kind is not Kind.OTHER else []
    )


def _last_activations(code: Code, owner: ast.ClassDef) -> list[ast.expr]:
    """The softmax that the last layer of a class is given: of `build_output_layer`, or of the last that
    `__init__` appends to what forward iterates over."""
    layers = [
        value
        for function in owner.body
        if isinstance(function, FUNCTIONS) and OUTPUT.search(function.name)
        for value in code.tree.returns(function)
    ]
    if not layers:
        layers = _last_appended(code, owner)
    given = [
        k.value
        for layer in layers
        if isinstance(layer, ast.Call)
        for k in layer.keywords
        if k.arg == "activation"
    ]
    return [value for value in given if _is_softmax(code, value)]


def _last_appended(code: Code, owner: ast.ClassDef) -> list[ast.expr]:
    """The last layer of `self.layers.append(...)`, where forward returns what a loop over these gives."""
    init, forward = member(owner, ["__init__"]), member(owner, ["forward"])
    if not isinstance(init, FUNCTIONS) or not isinstance(forward, FUNCTIONS):
        return []
    appended = [
        (ast.unparse(code.tree.receiver(call)), call)
        for call in code.below(init, ast.Call)
        if code.calls.attribute_name(call.func) == "append" and call.args
    ]
    loops = [each for each in code.below(forward, ast.For) if appended]
    over = {ast.unparse(loop.iter): loop for loop in loops}
    name, last = appended[-1] if appended else ("", None)
    loop, results = over.get(name), code.tree.returns(forward)
    if loop is None or last is None or len(results) != 1 or not isinstance(results[0], ast.Name):
        return []
    found = code.flow.reaching_definitions(results[0])
    return last.args if any(code.within(b.node, loop) for b in found) else []


def _is_softmax(code: Code, value: ast.expr) -> bool:
    """`F.softmax`, `nn.Softmax(dim=1)` or `partial(F.softmax, dim=1)`."""
    if isinstance(value, ast.Call) and code.names.resolve(value.func) == "functools.partial":
        return bool(value.args) and code.names.resolve(value.args[0]) in SOFTMAX
    function = value.func if isinstance(value, ast.Call) else value
    return code.names.resolve(function) in SOFTMAX
