"""Source code: the model is evaluated in training mode."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.pitfalls.training._shared import blocks_around, line_after
from keng.pitfalls.training._shared_execution import called, evaluated_models, layers_by_mode
from keng.pitfalls.training.eval_mode_missing.protocol import EvaluatedInTraining
from keng.rules import finds
from keng.source import Code, Grad, Kind, Loop
from keng.source.evaluation import Evaluation
from keng.source.execution.events import Event
from keng.source.tree import LOOPS, Function, names_in

SWITCHES = re.compile(r"eval|train|optim|infer", re.IGNORECASE)
"""In the names of calls that may put a model in another mode."""

MEASURES = frozenset({"shape", "size", "ndim", "dim", "dtype", "device"})
"""Attributes that say nothing of the values."""
MEANT = re.compile(
    r"monte|\bmc|_mc|dropout|bayes|uncertain|batch_?norm|\bbn\b|_bn|stat", re.IGNORECASE
)
"""Words of a function that evaluates in training mode on purpose."""


@finds(fixes=True)
def evaluated_in_training_mode(code: Code) -> Hits:
    for seen in code.evaluation.evaluations:
        if seen.mode not in ("", "train") or not (seen.named or seen.grad is Grad.OFF):
            continue
        if code.tree.result_unused(seen.forward) or _trains_on_purpose(code, seen):
            continue
        name = code.text_of(seen.model)
        if layers := code.modes.mode_dependent_layers(seen.model):
            says, fix = say("evaluated-without", name=name), _switched_around(code, seen)
            yield code.hit(seen.forward, says, fix=fix, layers=", ".join(sorted(layers)))


@finds(fixes=True)
def tested_in_training_mode(code: Code) -> Hits:
    for call in code.evaluation.tested_at_once:
        layers, name = code.modes.mode_dependent_layers(call.func), code.text_of(call.func)
        if layers and code.modes.mode_at(call.func, call) in ("", "train"):
            says, fix = say("evaluated-without", name=name), _switched_for(code, call)
            yield code.hit(call, says, fix=fix, layers=", ".join(sorted(layers)))


@finds(fixes=True)
def used_in_training_mode(code: Code) -> Hits:
    for call in _used_as_made(code):
        name, layers = code.text_of(call.func), code.modes.mode_dependent_layers(call.func) or ()
        says, fix = say("training-mode-was-made", name=name), _switched_when_made(code, call)
        yield code.hit(call, says, fix=fix, layers=", ".join(sorted(layers)))


@finds(mentions=["no_grad", "inference_mode"])
def evaluated_by_execution(code: Code) -> Hits:
    """As the file runs: an evaluation in another function than what trains and switches the model."""
    for model in evaluated_models(code) if not code.names.uses_framework() else ():
        rule = code.execution.watched(EvaluatedInTraining(code.execution, model))
        found = [each for each in rule.found if not _is_dropped(code, each[0])]
        layers = layers_by_mode(code, model) if found else set()
        if not found or (layers is not None and not layers) or _is_shown(code, found[0][0]):
            continue
        forward, switch = found[0]
        name, function = called(code, forward), code.tree.enclosing_function(forward.place)
        if name and (function is None or not _is_meant(code, function)):
            says, shown = say("evaluated-without", name=name), ", ".join(sorted(layers or ()))
            if (
                layers is None and switch is not None
            ):  # whoever switches has layers that depend on it
                says = say(
                    "evaluated-as-trained", name=name, line=code.tree.position(switch.place)[0]
                )
            sure = bool(layers) or switch is not None
            yield code.hit(forward.place, says, sure=sure, layers=shown)


def _is_dropped(code: Code, forward: Event) -> bool:
    """Whether the output is not used, where the statistics of batch norm are estimated again; or whether the text
    of the file has the model in eval mode there."""
    node = forward.place
    if not isinstance(node, ast.Call) or code.tree.result_unused(node):
        return True
    loops = [a for a in code.tree.ancestors(node) if isinstance(a, LOOPS)]
    woken = any(each.attr == "train" for loop in loops for each in code.below(loop, ast.Attribute))
    return node in code.tree.parent and not woken and code.modes.mode_at(node.func, node) == "eval"


def _is_shown(code: Code, forward: Event) -> bool:
    """Whether the rules on the text of the file have shown an evaluation."""
    hits = [*evaluated_in_training_mode(code), *switched_to_training_mode(code)]
    return code.execution.is_shown(forward.place, hits)


def _switched_around(code: Code, seen: Evaluation) -> Fix | None:
    """A fix that evaluates a loop in eval mode, and switches back where training may follow."""
    loop, name = seen.loop.node, code.text_of(seen.model)
    before = code.edits.new_line_before(loop, f"{name}.eval()")
    if code.below(loop, ast.Return) or names_in(seen.model) & code.tree.bound_in(loop):
        return None
    if code.tree.enclosing_function(loop) is None and code.around(loop, *LOOPS) is None:
        return _in_eval_mode(name, before)
    return _in_eval_mode(name, before, _trained_on(code, loop, name))


def _switched_for(code: Code, call: ast.Call) -> Fix | None:
    """A fix that evaluates single calls in eval mode; where they are in a loop, which may train, the
    model is switched back."""
    statement, name = code.statement(call), code.text_of(call.func)
    if code.around(call, *LOOPS) is None:
        first = next(c for c in code.evaluation.tested_at_once if _follows(code, call, c))
        return _in_eval_mode(name, code.edits.new_line_before(first, f"{name}.eval()"))
    before = code.edits.new_line_before(statement, f"{name}.eval()")
    ends = isinstance(statement, ast.Return) or hasattr(statement, "body")
    return None if ends else _in_eval_mode(name, before, _trained_on(code, statement, name))


def _follows(code: Code, call: ast.Call, first: ast.Call) -> bool:
    """Whether a call of a model is in the block of another call of it, or is that call."""
    blocks = [(above, field) for _, above, field in blocks_around(code, call)][:1]
    others = [(above, field) for _, above, field in blocks_around(code, first)][:1]
    return blocks == others and ast.unparse(call.func) == ast.unparse(first.func)


def _trained_on(code: Code, statement: ast.stmt, name: str) -> Edit | None:
    return line_after(code, statement, f"{name}.train()")


def _in_eval_mode(name: str, *edits: Edit | None) -> Fix | None:
    made = tuple(edit for edit in edits if edit is not None)
    return Fix(say("call-eval-before", name=name), made) if len(made) == len(edits) else None


def _switched_when_made(code: Code, call: ast.Call) -> Fix | None:
    """A fix that switches a model where it gets its name."""
    made, name = code.types.value_of(call.func).call, code.text_of(call.func)
    statement = code.statement(made) if made in code.tree.parent else None
    match statement:
        case ast.Assign(targets=[target], value=value) if value is made:
            same = ast.unparse(target) == name
            return (
                _in_eval_mode(name, line_after(code, statement, f"{name}.eval()")) if same else None
            )
    return None


def _switches(code: Code, scope: ast.AST) -> list[ast.Call]:
    """The calls of `train()` and `eval()` in a scope itself, in order."""
    calls = code.calls.method_calls("train", "eval")
    here = [c for c in calls if code.tree.enclosing_body(c) is scope]
    return sorted(here, key=code.tree.position)


def _trains_on_purpose(code: Code, seen: Evaluation) -> bool:
    """Whether the function of an evaluation switches to training mode itself, with no training
    between that and the evaluation: re-estimating batch norm, Monte Carlo dropout."""
    scope = code.tree.enclosing_body(seen.loop.node)
    before = [
        c
        for c in _switches(code, scope)
        if code.tree.position(c) < code.tree.position(seen.loop.node)
    ]
    if seen.mode != "train" or not before:
        return False
    last = code.tree.position(before[-1])
    here = code.tree.position(seen.loop.node)
    return not any(last < code.tree.position(t.node) < here for t in _training_here(code, scope))


@finds(fixes=True, mentions=["train"])
def switched_to_training_mode(code: Code) -> Hits:
    """An evaluating function, called without gradients, that begins as the training one does."""
    for call in code.calls.method_calls("train"):
        function = code.tree.enclosing_function(call)
        if (
            function is None
            or not code.evaluation.evaluates_by_name(call)
            or _is_meant(code, function)
        ):
            continue
        if not code.tree.result_unused(call) or code.modes.switch(call) != "train":
            continue
        model = code.tree.receiver(call)
        forward = _scored_behind(code, function, call, model)
        if forward is None or code.modes.grad_at(forward) is not Grad.OFF:
            continue
        if layers := code.modes.mode_dependent_layers(model):
            says = say("evaluated-in-training-mode", name=code.text_of(model))
            fix = _switched_to_eval(code, call)
            yield code.hit(call, says, fix=fix, layers=", ".join(sorted(layers)))


def _switched_to_eval(code: Code, call: ast.Call) -> Fix | None:
    """A fix that switches to eval mode instead, where what trains switches to training mode itself."""
    scope = code.tree.enclosing_body(call)
    training = [loop.node for loop in code.loops.training]
    bodies = {code.tree.enclosing_body(node) for node in training}
    switches = {code.tree.enclosing_body(c) for c in code.calls.method_calls("train")} - {scope}
    if not bodies or not bodies <= switches or call.args or call.keywords:
        return None
    name = code.text_of(code.tree.receiver(call))
    return Fix(
        say("call-eval-before", name=name), (code.edits.rename_attribute(call.func, "eval"),)
    )


def _scored_behind(
    code: Code, function: Function, switch: ast.Call, model: ast.expr
) -> ast.Call | None:
    """The first call of a model behind a switch of its mode, in a loop of the same function, where that
    switches nothing else before it and trains nothing."""
    calls = [
        c
        for c in code.below(function, ast.Call)
        if code.tree.position(c) > code.tree.position(switch)
    ]
    text = ast.unparse(model)
    for call in calls:
        if ast.unparse(call.func) == text and code.around(call, ast.For, ast.While) is not None:
            trains = [c for c in calls if code.calls.attribute_name(c.func) in ("backward", "step")]
            return None if trains else call
        if code.calls.attribute_name(call.func) in ("train", "eval", "backward", "step"):
            return None
    return None


def _is_meant(code: Code, function: Function) -> bool:
    """Whether a function says why it evaluates in training mode: Monte Carlo dropout, batch statistics."""
    return MEANT.search(code.text_of(function)) is not None


def _training_here(code: Code, scope: ast.AST) -> list[Loop]:
    return [t for t in code.loops.training if code.tree.enclosing_body(t.node) is scope]


def _used_as_made(code: Code) -> Iterator[ast.Call]:
    """Calls of models with trained weights, in a file that calls nothing to train or evaluate, whose
    layers act differently in training mode, in which they are made."""
    text = code.trees.files.text(code.path)
    loads = any(word in text for word in (b"load_state_dict", b"weights", b"pretrained"))
    if not loads or any(map(SWITCHES.search, code.calls.calls_by_name)):
        return
    if code.trees.files.contains(b"backward", code.path):
        return
    makers = _makers_with_weights(code)
    for call in code.of(ast.Call) if makers else ():
        model = call.func
        if not isinstance(model, (ast.Name, ast.Attribute)) or code.types.enclosing_module(call):
            continue
        made = code.types.value_of(model)
        used = made.kind is Kind.MODULE and made.call in makers
        unread = code.tree.result_unused(call) or _is_measured_only(code, call)
        if used and code.modes.mode_dependent_layers(model) and not unread:
            yield call


def _is_measured_only(code: Code, call: ast.Call) -> bool:
    """Whether the shape of an output is read, and nothing else of it: `print(model(x).shape)`."""
    name = code.tree.target_of(call)
    body = code.tree.enclosing_body(call)
    uses = [n for n in code.tree.names_by_id.get(name, ()) if code.within(n, body)]
    reads: list[ast.expr] = [n for n in uses if isinstance(n.ctx, ast.Load)]
    above = [code.tree.parent[read] for read in (reads if name else [call])]
    return bool(above) and all(getattr(each, "attr", "") in MEASURES for each in above)


def _makers_with_weights(code: Code) -> set[ast.Call]:
    """The calls of this file that make a model whose weights are loaded, or a published one with its."""
    loads = code.calls.method_calls("load_state_dict")
    loaded = {code.types.value_of(code.tree.receiver(load)).call for load in loads}
    named = code.tree.keywords_by_name
    given = [*named.get("weights", ()), *named.get("pretrained", ())]
    makes = [code.tree.parent[keyword] for keyword in given]
    published = [c for c in makes if isinstance(c, ast.Call) and _published(code, c)]
    return {call for call in loaded if call in code.tree.parent}.union(published)


def _published(code: Code, made: ast.Call) -> bool:
    """Whether a published model is made with its weights."""
    given = [k.value for k in made.keywords if k.arg in ("weights", "pretrained")]
    if not any(not isinstance(v, ast.Constant) or bool(v.value) for v in given):
        return False
    return code.names.resolve(made.func).startswith("torchvision.models.")
